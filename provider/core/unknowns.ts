/** What the engine sends at preview for a value that is not known until the update. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether the value, or anything inside it, is not known yet. */
export function containsUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (Array.isArray(value)) return value.some(containsUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnknown);
}

/** The value at a path, or the unknown value if the path leads through one. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (value === unknownValue) return unknownValue;
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** The properties that are known in full. */
export function knownOf(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !containsUnknown(value)));
}
