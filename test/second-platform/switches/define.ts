/**
 * The places where the specification leaves the behaviour open: the section and what it leaves open as a comment, then
 * the readings that a real platform could follow. The first is the default: the most literal one.
 */
export type ValuesOf<Text extends string> = Text extends `${infer First} | ${infer Rest}`
  ? First | ValuesOf<Rest>
  : Text;

/** Delays are counted in reads where possible, so that tests need no clock; the last value uses real time. */
export const delays = "at once | after 2 reads | after 1 second";

/** Answers of operations whose response the specification marks "not shown". */
export const unshownForms =
  "{} | empty body | status done | status success | status code object | true | null | text OK | 204 | 201 {} | 202 accepted | the changed record | message text";
