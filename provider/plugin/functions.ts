import { PlatformError } from "../api/errors";
import type { AnyFunction } from "../core/define-function";
import { FunctionRun, secretOutputs } from "../core/function-run";
import { type PropertyPath, pathsOf } from "../core/secrets";
import { anythingAsText, inCamelCase, pathInCamelCase } from "../core/spelling";
import { fromStruct, toStruct } from "./marshal";
import { checkFailure } from "./resources";
import type { Session } from "./session";
import { messages, requests } from "./stubs";
import { definitionNamed } from "./tokens";

/** The engine's calls of functions. */
export const functionMethods = (session: Session) => ({
  Invoke: session.method(requests.invoke, async (request) => {
    const definition = definitionOf(request.getTok());
    const submits = definition.effect === "submits";
    if (submits && !session.isSince3206) throw engineTooOld(definition);
    const marked: PropertyPath[] = [];
    const { __secrets: names = [], ...args } = fromStruct(request.getArgs(), marked);
    const inputs = inCamelCase(definition.inputs, args);
    const secrets = [...marked, ...pathsOf(names as string[])].map((path) => pathInCamelCase(definition.inputs, path));
    const run = new FunctionRun(definition, session.host(""), secrets);
    const answer = new messages.InvokeResponse();
    const preview = request.getPreview?.() ?? false;
    const result = await run.checkAndRun(inputs, { preview });
    if ("failures" in result) {
      // The SDKs print the property in brackets after the reason, and Python's the first failure only.
      const reason = result.failures.map(({ property, reason }) => `${property} ${reason}`.trimStart()).join("; ");
      answer.setFailuresList([checkFailure({ property: definition.name, reason })]);
    } else if (!(submits && preview)) {
      // The engine accepts no unknown values from a function: at preview, "nothing yet" is an empty answer.
      const outputs = anythingAsText(definition.outputs, result.outputs);
      answer.setReturn(toStruct(outputs, pathsOf(secretOutputs(definition, result.outputs))));
    }
    return answer;
  }),
});

function definitionOf(token: string): AnyFunction {
  const { functions, functionNamed } = require("../functions") as typeof import("../functions");
  return definitionNamed("function", token, functionNamed, () => functions.map(({ name }) => name));
}

function engineTooOld({ name }: AnyFunction): PlatformError {
  return new PlatformError(
    `${name} was not run: this engine does not say whether this is a preview; update the Pulumi CLI`,
    { code: "config" },
  );
}
