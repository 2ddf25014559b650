import { randomUUID } from "node:crypto";
import { containsUnknown, valueAt } from "./unknowns";
import type { Properties } from "./values";

/** What is known to be secret: the definition's own, and the inputs that the program has marked. */
export interface Secrecy {
  /** Names of properties, or of what is inside them: `s3DistCp.encryptionKey`. */
  readonly secrets: readonly string[];
}

/** The secret values among the properties of a resource or a function. */
export function secretValues({ secrets }: Secrecy, ...properties: readonly Properties[]): string[] {
  return properties.flatMap((values) => secrets.flatMap((name) => textsIn(valueAt(values, name.split(".")))));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the value of a top-level property is a secret, or holds one. */
export function holdsSecret({ secrets }: Secrecy, property: string, inputs: Properties): boolean {
  if (/[.[]/.test(property)) return false;
  return secrets.some((name) => {
    if (name !== property && !name.startsWith(`${property}.`)) return false;
    const inside = valueAt(inputs, name.split("."));
    return inside !== undefined || containsUnknown(inputs[property]);
  });
}

/** Shorter ones say nothing, and are in every text. */
const shortestTold = 4;

/** The outputs that are made of a secret which the program has marked: the adapter marks them too. */
export function outputsMadeOf(secrets: readonly string[], outputs: Properties): string[] {
  const telling = secrets.filter((secret) => secret.length >= shortestTold);
  if (telling.length === 0) return [];
  return Object.entries(outputs)
    .filter(([, value]) => textsIn(value).some((text) => telling.some((secret) => text.includes(secret))))
    .map(([name]) => name);
}

/** An id is never encrypted: a part that is a secret gives way to a random one. */
export function idWithout(secrets: readonly string[], id: string): string {
  const telling = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  return telling
    .filter((secret) => secret.length >= shortestTold)
    .reduce((rest, secret) => rest.replaceAll(secret, () => `secret-${randomUUID().slice(0, 8)}`), id);
}
