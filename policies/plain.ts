import { signatureKey, signatures } from "../provider/core/engine-values";
import { type Properties, unknownYet } from "./values";

/** The engine has one for each type of value. */
const unknowns: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Secrets unwrapped and their paths noted, nulls left out, all unknown values the same. */
export function plain(value: unknown, path: string, secrets: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return unknowns.has(value) ? unknownYet : value;
  if (Array.isArray(value)) return value.map((item, index) => plain(item, `${path}[${index}]`, secrets));
  const object = value as Properties;
  if (signatureKey in object) return special(object, path, secrets);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(object))
    if (inner !== null) entries.push([key, plain(inner, path === "" ? key : `${path}.${key}`, secrets)]);
  return Object.fromEntries(entries);
}

function special(object: Properties, path: string, secrets: Set<string>): unknown {
  const kind = object[signatureKey];
  if (kind === signatures.secret || (kind === signatures.output && object["secret"] === true)) secrets.add(path);
  if (kind === signatures.secret) return plain(object["value"], path, secrets);
  if (kind === signatures.output) return "value" in object ? plain(object["value"], path, secrets) : unknownYet;
  if (kind === signatures.resource) return plain(object["id"] ?? object["urn"], path, secrets);
  // Assets and archives are none of our properties' types: not for a rule to judge.
  return unknownYet;
}
