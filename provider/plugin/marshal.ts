import { PlatformError } from "../api/errors";
import { propertyPath } from "../core/check";
import { asSecret, signatureKey, signatures, unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
import type { PropertyPath } from "../core/secrets";
import { Struct } from "./stubs";

type WireStruct = InstanceType<typeof Struct>;

/** The engine has one for each type of value; the schemas know the type anyway. */
export const unknowns: ReadonlySet<unknown> = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * What the engine sent as plain values: secrets unwrapped, nulls left out, all unknown values the same. The paths of the
 * secrets are added to `secrets`.
 */
export function fromStruct(struct: WireStruct | undefined, secrets: PropertyPath[] = []): Properties {
  return struct ? (plain(struct.toJavaScript(), [], secrets) as Properties) : {};
}

function plain(value: unknown, path: readonly PropertyKey[], secrets: PropertyPath[]): unknown {
  if (typeof value !== "object" || value === null) return unknowns.has(value) ? unknownValue : value;
  if (Array.isArray(value)) return value.map((item, index) => inside(item, path, index, secrets));
  const object = value as Properties;
  if (signatureKey in object) return special(object, path, secrets);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(object))
    if (inner !== null) entries.push([key, inside(inner, path, key, secrets)]);
  return Object.fromEntries(entries);
}

/** Builds a path only for objects: this runs for every value of every call, and most are simple. */
function inside(value: unknown, path: readonly PropertyKey[], key: PropertyKey, secrets: PropertyPath[]): unknown {
  return plain(value, typeof value === "object" && value !== null ? [...path, key] : path, secrets);
}

function special(object: Properties, path: readonly PropertyKey[], secrets: PropertyPath[]): unknown {
  switch (object[signatureKey]) {
    case signatures.secret:
      noteSecret(path, secrets);
      return plain(object["value"], path, secrets);
    case signatures.output:
      if (object["secret"] === true) noteSecret(path, secrets);
      return "value" in object ? plain(object["value"], path, secrets) : unknownValue;
    case signatures.resource:
      return plain(object["id"] ?? object["urn"], path, secrets);
    case signatures.asset:
    case signatures.archive:
      throw unsupported(path, "an asset or archive");
    default:
      throw unsupported(path, "a value of an unknown kind");
  }
}

/** A secret inside an array makes the whole array secret, because positions may change. */
function noteSecret(path: readonly PropertyKey[], secrets: PropertyPath[]): void {
  const inArray = path.findIndex((key) => typeof key === "number");
  const noted = (inArray === -1 ? path : path.slice(0, inArray)) as PropertyPath;
  if (noted.length > 0) secrets.push(noted);
}

function unsupported(path: readonly PropertyKey[], kind: string): PlatformError {
  return new PlatformError(`${propertyPath(path)} is ${kind}, which is not supported; pass a plain value`, {
    code: "rejected",
  });
}

/** Values for the engine, with those at the given paths marked as secrets. */
export function toStruct(properties: Properties, secrets: readonly PropertyPath[] = []): WireStruct {
  const marked = secrets.reduce((values, path) => markSecret(values, path), properties);
  return Struct.fromJavaScript(marked as Parameters<typeof Struct.fromJavaScript>[0]);
}

function markSecret(properties: Properties, [name = "", ...rest]: PropertyPath): Properties {
  const value = properties[name];
  if (value === undefined || value === null || isMarked(value)) return properties;
  const isObject = typeof value === "object" && !Array.isArray(value);
  // What is unknown, or not an object, is secret as a whole.
  const marked = rest.length > 0 && isObject ? markSecret(value as Properties, rest) : asSecret(value);
  return { ...properties, [name]: marked };
}

function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && signatureKey in value;
}
