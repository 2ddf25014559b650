import { valueAt } from "./unknowns";
import type { Properties } from "./values";

const mask = "[secret]";
/** Shorter values are no secrets worth the name, and masking them would garble every message. */
const shortest = 4;

/** Takes secret values out of a text, however they got into it. */
export type Redact = (text: string) => string;

export function redactor(...secrets: readonly (string | undefined)[]): Redact {
  const written = new Set<string>();
  for (const secret of secrets) {
    if (!secret || secret.length < shortest) continue;
    // As it is, as JSON writes it, and as a URL writes it.
    written.add(secret).add(JSON.stringify(secret).slice(1, -1)).add(encodeURIComponent(secret.toWellFormed()));
  }
  const longestFirst = [...written].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, mask), text);
}

/** The secret values among the properties of a resource or a function. */
export function secretValues(
  { secrets }: { readonly secrets: readonly string[] },
  ...properties: readonly Properties[]
): string[] {
  return properties.flatMap((values) => secrets.flatMap((name) => strings(valueAt(values, name.split(".")))));
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
