import { closest } from "../provider/values/closest";

/** Invalid command-line usage: the message is followed by a hint to `--help`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An option has a value that it cannot have. `use`: what it can have, such as `whole seconds`. */
export function wrongValue(option: string, value: string, use: string): UsageError {
  return new UsageError(`${option} is ${JSON.stringify(value)}; use ${use}`);
}

/** What follows an unknown word: the one that was probably meant. */
export function didYouMean(word: string, allowed: readonly string[], before = ""): string {
  const meant = closest(word, allowed);
  return meant === undefined ? "" : `; did you mean ${before}${meant}?`;
}

/** The value if it is allowed, or an error that lists the allowed ones. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw wrongValue(option, value, `one of ${allowed.join(", ")}${didYouMean(value, allowed)}`);
}
