import { analyzer, Struct } from "../../../policies/stubs";
import { asSecret } from "../../../provider/core/engine-values";

/** How the engine marks a value that is not known until the update. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const unknownList = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2";
export { asSecret as secret };

type Plain = Parameters<typeof Struct.fromJavaScript>[0];

/** A request of the engine about one resource. */
export function request(token: string, name: string, properties: object, { protect = false } = {}) {
  return filled(new analyzer.AnalyzeRequest(), token, name, properties, protect);
}

/** A request about a whole stack. */
export function stackRequest(...resources: readonly (readonly [token: string, name: string, properties: object])[]) {
  const message = new analyzer.AnalyzeStackRequest();
  for (const [token, name, properties] of resources)
    message.addResources(filled(new analyzer.AnalyzerResource(), token, name, properties, false));
  return message;
}

function filled<Message extends InstanceType<typeof analyzer.AnalyzeRequest | typeof analyzer.AnalyzerResource>>(
  message: Message,
  token: string,
  name: string,
  properties: object,
  protect: boolean,
): Message {
  const options = new analyzer.AnalyzerResourceOptions();
  options.setProtect(protect);
  message.setType(token);
  message.setUrn(`urn:pulumi:dev::project::${token}::${name}`);
  message.setName(name);
  message.setProperties(Struct.fromJavaScript(properties as Plain));
  message.setOptions(options);
  return message;
}
