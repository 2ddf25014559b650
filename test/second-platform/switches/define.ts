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

/** How a list is cut, where the manual shows no answer or names a client's key only. */
export const pageWays = [
  "all at once",
  "10 a page with paging_info",
  "10 a page, nothing said",
  "2 a page with paging_info",
  "paging_info, page ignored",
] as const;

/** Lists of users, groups or roles whose answer is not shown at all. */
export const listForms = [
  "records under the key",
  "list of records",
  "ids under the key",
  "list of ids",
  "list of ids as text",
  "names under the key",
  "list of names",
  "comma text of ids",
  "records under the key, with paging_info",
  "records by id",
  "records under another key",
] as const;

export const emptyListForms = ["[] in its form", "null", "{}", "empty body", "missing", "204"] as const;
