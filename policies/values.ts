/** Values as rules see them: plain, with this in place of what is not known until the update. */
export const unknownYet: unique symbol = Symbol("unknown until the update");

export type Properties = Readonly<Record<string, unknown>>;

/** Text, or a number as text: ids are both. Undefined for everything else, and for what is unknown. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The texts of a list that are known. */
export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((item) => textOf(item) ?? []);
}

/** The items of a list; none if it is missing, unknown or no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The properties of an object; none if it is missing, unknown or no object. */
export function objectOf(value: unknown): Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Properties) : {};
}

/** Whether nothing was declared: not even a value that is unknown until the update. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether the value, or anything inside it, is unknown until the update. */
export function holdsUnknown(value: unknown): boolean {
  if (value === unknownYet) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

/** The value at a dotted path, or unknown if the path leads through something unknown. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split(".")) {
    if (value === unknownYet) return unknownYet;
    value = objectOf(value)[key];
  }
  return value;
}
