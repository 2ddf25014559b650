import { PlatformError } from "../api/errors";
import { type CheckFailure, checkInputs } from "./check";
import { withoutValue } from "./checking";
import type { AnyFunction } from "./define-function";
import { guarded, type Host } from "./guard";
import { redactor } from "./redact";
import { type Secrecy, secretValues } from "./secrets";
import { containsUnknown, unknownValue } from "./unknowns";
import { type Properties, withoutUndefined } from "./values";

/** One call of a function, the same for every definition and for both adapters. */
export class FunctionRun {
  readonly definition: AnyFunction;
  readonly #host: Host;
  readonly #secrecy: Secrecy;

  /** `marked`: the arguments that the program has marked as secrets. */
  constructor(definition: AnyFunction, host: Host, marked: readonly string[] = []) {
    this.definition = definition;
    this.#host = host;
    this.#secrecy = { secrets: [...(definition.secrets as readonly string[]), ...marked] };
  }

  /** What is wrong with the inputs, as far as they are known. */
  check(inputs: Properties): CheckFailure[] {
    const given = withoutUndefined(inputs);
    const redact = redactor(...secretValues(this.#secrecy, given));
    return checkInputs(this.definition, given).map((failure) => withoutValue(failure, this.#secrecy, given, redact));
  }

  /** The outputs. At preview those of a function that submits are all unknown, and so are all that wait for an input. */
  async run(inputs: Properties, { preview }: { readonly preview: boolean }): Promise<Properties> {
    const given = withoutUndefined(inputs);
    const failures = this.check(given);
    if (failures.length > 0) throw this.#invalid(failures);
    if (containsUnknown(given) || (preview && this.definition.effect === "submits")) return this.#unknown();
    const { name } = this.definition;
    const secrets = secretValues(this.#secrecy, given);
    return guarded(this.#host, { name, failed: name, secrets }, async (context) =>
      withoutUndefined(await this.definition.run(context, this.definition.inputs.parse(given))),
    );
  }

  #unknown(): Properties {
    return Object.fromEntries(Object.keys(this.definition.outputs.shape).map((name) => [name, unknownValue]));
  }

  #invalid(failures: readonly CheckFailure[]): PlatformError {
    const reasons = failures.map(({ property, reason }) => `${property} ${reason}`.trimStart());
    return new PlatformError(`${this.definition.name}: ${reasons.join("; ")}`, {
      code: "rejected",
      outcome: "not-sent",
    });
  }
}

/** The outputs of a result that are secrets: the adapters mark them, and what is absent makes nothing secret. */
export function secretOutputs(definition: AnyFunction, result: Properties): string[] {
  const names: readonly string[] = definition.secrets;
  return Object.keys(definition.outputs.shape).filter(
    (output) => result[output] !== undefined && names.some((name) => name === output || name.startsWith(`${output}.`)),
  );
}
