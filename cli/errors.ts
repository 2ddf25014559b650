/** The command was called in a way that cannot be meant: the message is followed by a hint at `--help`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A choice among known words, or an error that lists them. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new UsageError(`${option} is ${JSON.stringify(value)}; allowed is one of ${allowed.join(", ")}`);
  return found;
}
