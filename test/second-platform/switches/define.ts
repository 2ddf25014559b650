/** One place where the specification leaves the behaviour open, with the readings a real platform could follow. */
export interface SwitchEntry<V extends string = string> {
  /** The first value is the default: the most literal reading. */
  readonly values: readonly V[];
  readonly default: V;
  /** Section of the specification the switch stems from. */
  readonly spec: string;
  /** What that section leaves open. */
  readonly silent: string;
}

export function sw<const V extends readonly [string, ...string[]]>(
  spec: string,
  silent: string,
  ...values: V
): SwitchEntry<V[number]> {
  return { values, default: values[0], spec, silent };
}

/** Delays are counted in reads where possible, so that tests need no clock; the last value uses real time. */
export const delays = ["at once", "after 2 reads", "after 1 second"] as const;

/** Answers of operations whose response the specification marks "not shown". */
export const unshownForms = [
  "{}",
  "empty body",
  "status done",
  "status success",
  "status code object",
  "true",
  "null",
  "text OK",
  "204",
  "201 {}",
  "202 accepted",
  "the changed record",
  "message text",
] as const;
