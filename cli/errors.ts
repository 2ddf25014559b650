/** Invalid command-line usage: the message is followed by a hint to `--help`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The value if it is allowed, or an error that lists the allowed ones. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw new UsageError(`${option} is ${JSON.stringify(value)}; use one of ${allowed.join(", ")}`);
  return found;
}
