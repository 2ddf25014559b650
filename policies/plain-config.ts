/** Shorter texts, such as `true` or a port, would be found by chance. */
const shortest = 6;

/** The values of a stack's configuration that are not encrypted, with their keys. */
export function plainConfigOf(
  config: Iterable<readonly [key: string, value: string]>,
  secretKeys: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of config)
    if (!secretKeys.includes(key)) for (const text of textsIn(value)) if (text.length >= shortest) found.set(text, key);
  return found;
}

/** The value itself, and what is in it if it is an object or a list, which is written as JSON. */
function textsIn(value: string): string[] {
  return /^\s*[{[]/.test(value) ? [value, ...leaves(parsed(value))] : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}
