import { PlatformError } from "../api/errors";
import { type CheckFailure, parseInputs, withoutFailed, withoutValue } from "./check";
import type { AnyFunction } from "./define-function";
import { containsUnknown } from "./engine-values";
import { failuresWithoutExtendedApi } from "./extended";
import { guarded, type Host } from "./guard";
import { type Properties, withoutUndefined } from "./properties";
import { redactor } from "./redact";
import { type PropertyPath, pathsOf, secretsOf, secretValues } from "./secrets";
import { unknownOutputs } from "./state";

type FunctionResult = { readonly outputs: Properties } | { readonly failures: readonly CheckFailure[] };

/** One call of a function, the same for every definition and for both adapters. */
export class FunctionRun {
  readonly definition: AnyFunction;
  readonly #host: Host;
  readonly #secrets: readonly PropertyPath[];

  /** `marked`: the arguments that the program marked as secrets. */
  constructor(definition: AnyFunction, host: Host, marked: readonly PropertyPath[] = []) {
    this.definition = definition;
    this.#host = host;
    this.#secrets = [...pathsOf(secretsOf(definition)), ...marked];
  }

  /** The outputs; inputs that are wrong are an error. */
  async run(inputs: Properties, when: { readonly preview: boolean }): Promise<Properties> {
    const result = await this.checkAndRun(inputs, when);
    if ("failures" in result) throw this.#invalid(result.failures);
    return result.outputs;
  }

  /**
   * The outputs, or what is wrong with the inputs. At preview the outputs of a function that submits are all unknown,
   * and so are those of a function with an unknown input.
   */
  async checkAndRun(inputs: Properties, { preview }: { readonly preview: boolean }): Promise<FunctionResult> {
    const given = withoutUndefined(inputs);
    const secrets = secretValues(this.#secrets, given);
    const { failures, values } = parseInputs(this.definition, given);
    const withoutIt = failuresWithoutExtendedApi(this.definition, withoutFailed(given, failures));
    if (withoutIt.length > 0 && !this.#host.extendedApi?.()) failures.push(...withoutIt);
    if (failures.length > 0) {
      const redact = redactor(...secrets);
      return { failures: failures.map((failure) => withoutValue(failure, this.#secrets, given, redact)) };
    }
    if (!values || containsUnknown(given) || (preview && this.definition.effect === "submits"))
      return { outputs: unknownOutputs(this.definition) };
    const { name } = this.definition;
    const outputs = await guarded(this.#host, { name, failed: name, secrets }, (context) =>
      this.definition.run(context, values),
    );
    return { outputs: withoutUndefined(outputs) };
  }

  #invalid(failures: readonly CheckFailure[]): PlatformError {
    const reasons = failures.map(({ property, reason }) => `${property} ${reason}`.trimStart());
    return new PlatformError(`${this.definition.name}: ${reasons.join("; ")}`, {
      code: "rejected",
      outcome: "not-sent",
    });
  }
}

/** The outputs of a result that are secret, for the adapters to mark. Absent ones make nothing secret. */
export function secretOutputs(definition: AnyFunction, result: Properties): string[] {
  const names = new Set(pathsOf(secretsOf(definition)).map(([name]) => name));
  return Object.keys(definition.outputs.shape).filter((output) => result[output] !== undefined && names.has(output));
}
