import { unknownValue } from "../core/engine-values";
import type { PropertyPath } from "../core/secrets";
import { isFields } from "../values/json";

/** Whether a path is that of a secret; in a component's definition `*` is any key, as in `dataStores.*.dbPasswd`. */
export function isSecretPath(patterns: readonly PropertyPath[], path: PropertyPath): boolean {
  return patterns.some((parts) => {
    return parts.length === path.length && parts.every((part, index) => part === "*" || part === path[index]);
  });
}

/** The value with its secrets unknown, so that no message about it can show one. */
export function withoutSecrets(patterns: readonly PropertyPath[], value: unknown, path: PropertyPath = []): unknown {
  if (isSecretPath(patterns, path)) return unknownValue;
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutSecrets(patterns, inner, [...path, key])]);
  return Object.fromEntries(entries);
}
