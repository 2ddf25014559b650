import { unknownValue } from "../core/unknowns";

type Path = readonly string[];

/** Whether a path is that of a secret; `patterns` are those of a component's definition, such as `dataStores.*.dbPasswd`. */
export function isSecretPath(patterns: readonly string[], path: Path): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split(".");
    return parts.length === path.length && parts.every((part, index) => part === "*" || part === path[index]);
  });
}

/** The value with its secrets unknown, so that no message about it can show one. */
export function withoutSecrets(patterns: readonly string[], value: unknown, path: Path = []): unknown {
  if (isSecretPath(patterns, path)) return unknownValue;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutSecrets(patterns, inner, [...path, key])]);
  return Object.fromEntries(entries);
}
