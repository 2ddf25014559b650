import { randomUUID } from "node:crypto";
import { z } from "zod";
import { containsUnknown, valueAt } from "./engine-values";
import type { Properties } from "./properties";
import { structureOf } from "./property-names";
import { minSecretLength } from "./redact";

/** Where a value is, `["s3DistCp", "encryptionKey"]`: a key of a map may hold any character, so a path is never one text. */
export type PropertyPath = readonly string[];

interface Schemas {
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
}

const known = new WeakMap<z.ZodObject, readonly string[]>();

/** The properties that a definition marks as secrets: `s3DistCp.encryptionKey`. In a name, `*` is any key of a map. */
export function secretsOf({ inputs, outputs }: Schemas): string[] {
  return [inputs, outputs].flatMap((schema) => {
    const names = known.get(schema) ?? secretsIn(schema).map((path) => path.join("."));
    known.set(schema, names);
    return names;
  });
}

function secretsIn(schema: z.core.$ZodType): PropertyPath[] {
  if (z.globalRegistry.get(schema)?.["secret"]) return [[]];
  const { properties = {}, values, isMap, same = [] } = structureOf(schema);
  const inside = (names: PropertyPath, inner: z.core.$ZodType) => secretsIn(inner).map((path) => [...names, ...path]);
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => inside([name], inner)),
    ...(values ? inside(isMap ? ["*"] : [], values) : []),
    ...same.flatMap(secretsIn),
  ];
}

/** The paths of names in a definition. */
export function pathsOf(names: readonly string[]): PropertyPath[] {
  return names.map((name) => name.split("."));
}

/** The values at these paths, among the properties of a resource or a function. */
export function secretValues(secrets: readonly PropertyPath[], ...properties: readonly Properties[]): string[] {
  return properties.flatMap((values) => secrets.flatMap((path) => textsIn(secretAt(values, path))));
}

/** What is inside the elements of a list makes the whole list a secret, as in the state. */
function secretAt(values: Properties, path: PropertyPath): unknown {
  const toList = path.findIndex((_, index) => Array.isArray(valueAt(values, path.slice(0, index + 1))));
  return valueAt(values, toList === -1 ? path : path.slice(0, toList + 1));
}

function textsIn(value: unknown): string[] {
  // Of a secret location, the parent is a secret too: a folder under another name is there as well.
  if (typeof value === "string") return value.includes("/") ? [value, value.slice(0, value.lastIndexOf("/"))] : [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the value of a top-level property is a secret, or holds one. */
export function holdsSecret(secrets: readonly PropertyPath[], property: string, inputs: Properties): boolean {
  if (/[.[]/.test(property)) return false;
  return secrets.some((path) => {
    if (path[0] !== property) return false;
    const inside = secretAt(inputs, path);
    return inside !== undefined || containsUnknown(inputs[property]);
  });
}

/** The outputs derived from a secret that the program marked: the adapter marks them too. */
export function outputsDerivedFrom(secrets: readonly string[], outputs: Properties): string[] {
  const revealing = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  if (revealing.length === 0) return [];
  return Object.entries(outputs)
    .filter(([, value]) => textsIn(value).some((text) => revealing.some((secret) => text.includes(secret))))
    .map(([name]) => name);
}

/** An id is never encrypted, so a secret part is replaced by a random one. */
export function idWithout(secrets: readonly string[], id: string): string {
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  return spellings
    .filter((secret) => secret.length >= minSecretLength)
    .reduce((rest, secret) => rest.replaceAll(secret, () => `secret-${randomUUID().slice(0, 8)}`), id);
}
