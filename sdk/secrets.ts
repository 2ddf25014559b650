import * as pulumi from "@pulumi/pulumi";

/**
 * The arguments, with the named ones marked as secrets; a dotted name is a property inside another, or inside the
 * elements of a list.
 */
export function withSecretsMarked(args: object, secrets: readonly string[]): Record<string, unknown> {
  const marked: Record<string, unknown> = { ...args };
  for (const name of secrets) {
    const [first = "", ...rest] = name.split(".");
    if (marked[first] !== undefined) marked[first] = markedInside(marked[first], rest);
  }
  return marked;
}

function markedInside(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return pulumi.secret(value);
  // What is inside an output can only be marked as a whole; without the secret it stays plain.
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply((inner) => (hasValueAt(inner, path) ? pulumi.secret(inner) : inner));
  if (!hasValueAt(value, [first])) return value;
  // As in the plugin: a list is marked as a whole.
  if (Array.isArray(value)) return pulumi.secret(value);
  const object = value as Record<string, unknown>;
  return { ...object, [first]: markedInside(object[first], rest) };
}

function hasValueAt(value: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((one) => hasValueAt(one, path));
  return typeof value === "object" && value !== null && hasValueAt((value as Record<string, unknown>)[first], rest);
}

/** The outputs to encrypt as a whole; a secret inside an argument stays secret in the same place of the output. */
export function secretOutputNames(secrets: readonly string[]): string[] {
  return secrets.filter((name) => !name.includes("."));
}

/**
 * The names of the arguments that the program itself marked as secrets, beside those that always are. Usually there can
 * be none, and then the result is undefined and nothing is kept.
 */
export function markedSecrets(
  args: object,
  secrets: readonly string[],
): pulumi.Output<string[] | undefined> | undefined {
  const known = new Set(secrets.map((name) => name.split(".", 1)[0]));
  const candidates = Object.entries(args).filter(([name, value]) => !known.has(name) && containsOutput(value));
  if (candidates.length === 0) return undefined;
  const marked = Promise.all(
    candidates.map(async ([name, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [name] : [])),
  );
  return pulumi.output(marked.then((names) => (names.flat().length > 0 ? names.flat() : undefined)));
}

function containsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  if (Array.isArray(value)) return value.some(containsOutput);
  return typeof value === "object" && value !== null && Object.values(value).some(containsOutput);
}
