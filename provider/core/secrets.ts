import { valueAt } from "./unknowns";
import type { Properties } from "./values";

const mask = "[secret]";
/** Shorter values are no secrets worth the name, and masking them would garble every message. */
const shortest = 4;

/** Takes secret values out of a text, however they got into it. */
export type Redact = (text: string) => string;

export function redactor(...secrets: readonly (string | undefined)[]): Redact {
  let forms: readonly string[] | undefined;
  return (text) => {
    // Worked out when there is something to say: most operations say nothing.
    forms ??= longestFormsFirst(secrets);
    const clean = forms.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
    return forms.reduce(withoutBeginning, clean);
  };
}

function longestFormsFirst(secrets: readonly (string | undefined)[]): string[] {
  const written = new Set<string>();
  for (const secret of secrets) {
    if (!secret || secret.length < shortest) continue;
    for (const form of formsOf(secret)) written.add(form);
  }
  return [...written].sort((a, b) => b.length - a.length);
}

/** As it is, as JSON, a URL and HTML write it, and with its white space made plain, as in the text of a page. */
function formsOf(secret: string): string[] {
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
  const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    html,
    plain(secret),
    plain(html),
  ].filter((form) => form.length >= shortest);
}

/** Long texts are cut, with "…" at the end: the beginning of a secret may be left there. */
function withoutBeginning(text: string, secret: string): string {
  let clean = text;
  for (let at = clean.indexOf("…"); at !== -1; at = clean.indexOf("…", at + 1)) {
    for (let length = Math.min(secret.length - 1, at); length >= shortest; length--) {
      if (!clean.startsWith(secret.slice(0, length), at - length)) continue;
      clean = clean.slice(0, at - length) + mask + clean.slice(at);
      at += mask.length - length;
      break;
    }
  }
  return clean;
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
