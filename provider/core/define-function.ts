import type { z } from "zod";
import type { Context, Known, PropertyName, Rules } from "./define";

type Schema = z.ZodObject;

export interface FunctionDefinition<I extends Schema = Schema, O extends Schema = Schema> {
  /** camelCase; the last part of the function token: `dataplatform:index:<name>`. */
  readonly name: string;
  /** First sentence: what it does. The rest: what a user must know. Markdown. */
  readonly doc: string;
  readonly inputs: I;
  /** A result with a secret among these is secret as a whole, as in Pulumi's own invokes. */
  readonly outputs: O;
  /** `reads`: safe at preview, and run there. `submits`: never run at preview, where its result is unknown. */
  readonly effect: "reads" | "submits";
  /** What needs the extended API: the function itself, or the inputs that `onlyWith` names. */
  readonly extended?: {
    readonly required?: true;
    readonly onlyWith?: (known: Known<I>) => readonly PropertyName<I>[];
  };
  readonly rules?: Rules<I>;
  run(context: Context, inputs: z.output<I>): Promise<z.output<O>>;
}

/** A definition whose exact types no longer matter: what the adapters and the generator handle. */
// biome-ignore lint/suspicious/noExplicitAny: the methods of definitions are contravariant in their own schemas
export type AnyFunction = FunctionDefinition<any, any>;

/** Checks the types of a definition and returns it. */
export function defineFunction<I extends Schema, O extends Schema>(
  definition: FunctionDefinition<I, O>,
): FunctionDefinition<I, O> {
  return definition;
}
