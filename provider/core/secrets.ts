import type { AnyResource } from "./define";
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

/** The secret values among a resource's properties. */
export function secretValues(definition: AnyResource, ...properties: readonly Properties[]): string[] {
  const names: readonly string[] = definition.secrets;
  return properties.flatMap((values) => names.flatMap((name) => strings(values[name])));
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
