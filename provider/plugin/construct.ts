import { PlatformError } from "../api/errors";
import type { ComponentDefinition } from "../core/define-component";
import { secretsOf } from "../core/secrets";
import { fromPulumi } from "../engine/stubs";
import { inputsOf, visibleInputsOf } from "./component-inputs";
import { optionsOf } from "./component-options";
import { Rejections } from "./rejections";
import type { Session } from "./session";
import { messages, Struct } from "./stubs";
import { definitionNamed } from "./tokens";

type Pulumi = typeof import("@pulumi/pulumi");
type ConstructRequest = InstanceType<typeof messages.ConstructRequest>;
type ConstructResponse = InstanceType<typeof messages.ConstructResponse>;

/** The engine's calls about components: a component's class runs here as it does in a TypeScript program. */
export function componentMethods(session: Session) {
  const rejections = new Rejections();
  const Construct = session.method(messages.ConstructRequest, async (request) => {
    const definition = definitionOf(request.getType());
    const failures = definition.check(visibleInputsOf(request, secretsOf(definition)));
    if (failures.length > 0) {
      const reasons = failures.map(({ property, reason }) => `${property} ${reason}`).join("\n  ");
      throw new PlatformError(`${definition.type} ${request.getName()}: ${reasons}`, { code: "rejected" });
    }
    // Once a resource has failed, Pulumi's runtime waits forever, because in a program the engine would end the process. So
    // the work also ends when the engine cancels this provider, which it does before it goes.
    const work = () => inOwnRuntime(() => run(session, request));
    return rejections.during(session.signal, work).catch((error: unknown) => {
      throw asRefusal(error);
    });
  });
  return { Construct };
}

async function run(session: Session, request: ConstructRequest): Promise<ConstructResponse> {
  // Loaded here: Pulumi takes most of a second to load, and most runs construct nothing.
  const pulumi = fromPulumi("./index.js") as Pulumi;
  await connect(pulumi, request, session.log.address ?? "");
  const { TeamEnvironment, outputsOf } =
    require("../../sdk/components/team-environment") as typeof import("../../sdk/components/team-environment");
  const options = optionsOf(pulumi, request, session.given);
  const component = new TeamEnvironment(request.getName(), inputsOf(pulumi, request), options);
  const response = await responseOf(pulumi, component, outputsOf(component, options));
  // Waits until everything is registered.
  await pulumi.runtime.disconnect();
  return response;
}

function definitionOf(token: string): ComponentDefinition {
  const { components } = require("../components") as typeof import("../components");
  const find = (name: string) => components.find(({ type }) => type === name);
  return definitionNamed("component", token, find, () => components.map(({ type }) => type));
}

/** Pulumi keeps the state of a program in one place for the process; several components may be under construction. */
function inOwnRuntime<T>(work: () => Promise<T>): Promise<T> {
  const { withLocalStorage, asyncLocalStorage, LocalStore } = fromPulumi("./runtime/state.js") as RuntimeState;
  if (withLocalStorage) return withLocalStorage(work);
  return asyncLocalStorage && LocalStore ? asyncLocalStorage.run(new LocalStore(), work) : work();
}

/** Not declared in Pulumi's types; the second pair is of older versions. */
interface RuntimeState {
  readonly withLocalStorage?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly asyncLocalStorage?: { run<T>(store: object, work: () => Promise<T>): Promise<T> };
  readonly LocalStore?: new () => object;
}

async function connect({ runtime }: Pulumi, request: ConstructRequest, engine: string): Promise<void> {
  runtime.resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    engine,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  // Without this, Pulumi takes the engine for an old one that knows neither secrets nor aliases.
  await (runtime as { awaitFeatureSupport?: () => Promise<void> }).awaitFeatureSupport?.();
  // Dynamic resources need the package in the program's folder, and only TypeScript programs have it there.
  const config = { ...Object.fromEntries(request.getConfigMap().entries()), "dataplatform:mode": "plugin" };
  runtime.setAllConfig(config, request.getConfigsecretkeysList());
}

async function responseOf(
  { runtime }: Pulumi,
  component: import("@pulumi/pulumi").Resource,
  outputs: object,
): Promise<ConstructResponse> {
  const [state, sources] = await runtime.serializeResourceProperties("outputs", { ...outputs });
  const response = new messages.ConstructResponse()
    .setUrn(await resolved(component.urn))
    .setState(Struct.fromJavaScript(state as Parameters<typeof Struct.fromJavaScript>[0]));
  for (const [name, resources] of sources) {
    const dependencies = new messages.ConstructResponse.PropertyDependencies();
    dependencies.setUrnsList(await Promise.all([...resources].map(({ urn }) => resolved(urn))));
    response.getStatedependenciesMap().set(name, dependencies);
  }
  return response;
}

/** Pulumi does not declare the promise of an output in its types. */
function resolved(output: import("@pulumi/pulumi").Output<string>): Promise<string> {
  return (output as unknown as { promise(): Promise<string> }).promise();
}

function asRefusal(error: unknown): unknown {
  if (error instanceof PlatformError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // The engine has reported the resource already.
  if (/the run ended|monitor (is terminating|shut)|failed to register|^\d+ (UNAVAILABLE|CANCELLED)/i.test(message))
    return new PlatformError("not complete, because the run ended early; the other errors say why", {
      code: "cancelled",
    });
  return new PlatformError(message, { code: "rejected" });
}
