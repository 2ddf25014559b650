export type Properties = Record<string, unknown>;

/** Equal as JSON values; an absent property equals an undefined or null one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? undefined) === (b ?? undefined)) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => deepEqual(item, b[index]))
    );
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [left, right] = [a as Properties, b as Properties];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => deepEqual(left[key], right[key]));
}

/** A copy without undefined values, which neither adapter can send. */
export function withoutUndefined<T>(value: T): T {
  return without(undefined, value);
}

/** A copy without null properties, at any depth: to Pulumi they are the same as absent ones. */
export function withoutNulls<T>(value: T): T {
  return without(null, value);
}

function without<T>(absent: undefined | null, value: T): T {
  if (Array.isArray(value)) return value.map((item) => without(absent, item ?? null)) as T;
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, item]) => item !== absent);
  return Object.fromEntries(present.map(([key, item]) => [key, without(absent, item)])) as T;
}

export function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(
    names.filter((name) => properties[name] !== undefined).map((name) => [name, properties[name]]),
  );
}
