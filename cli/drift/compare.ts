import type { AnyResource } from "../../provider/core/define";
import { diffInputs, sameInput } from "../../provider/core/diff";
import { deepEqual, type Properties } from "../../provider/core/properties";
import { secretsOf } from "../../provider/core/secrets";
import type { Managed } from "../pulumi/managed";
import { maskedSecret as mask } from "../pulumi/plain";
import type { PropertyDrift } from "./report";

/** Declared inputs that differ on the platform: what the next refresh and `up` would change. */
export function compare(definition: AnyResource, resource: Managed, found: Properties) {
  const { inputs, state } = resource;
  // Changes that the next `up` makes anyway, such as resuming a wait, are pending work, not drift.
  const pendingChanges = new Set(diffInputs(definition, state, inputs).changed);
  const { changed, replaces } = diffInputs(definition, found, inputs);
  const properties: PropertyDrift[] = [];
  for (const name of changed) {
    if (!sameInput(definition, name, found[name], inputs[name], inputs))
      properties.push(maskedDrift(definition, resource, name, inputs[name], found[name]));
    else if (!pendingChanges.has(name)) properties.push(...changedOutputs(definition, resource, found));
  }
  return { properties: unique(properties), replaces: replaces.length > 0 };
}

/** The input is as declared but no longer met; the outputs show why. */
function changedOutputs(definition: AnyResource, resource: Managed, found: Properties): PropertyDrift[] {
  return Object.keys(definition.outputs.shape)
    .filter((name) => !deepEqual(resource.state[name], found[name]))
    .map((name) => maskedDrift(definition, resource, name, resource.state[name], found[name]));
}

function unique(properties: readonly PropertyDrift[]): PropertyDrift[] {
  return [...new Map(properties.map((property) => [property.property, property])).values()];
}

function maskedDrift(
  definition: AnyResource,
  { secretNames }: Managed,
  property: string,
  declared: unknown,
  actual: unknown,
): PropertyDrift {
  const names = secretsOf(definition);
  const inside = names.filter((name) => name.startsWith(`${property}.`)).map((name) => name.split(".").slice(1));
  // The whole value is a secret, because the definition or the program says so.
  const whole = names.includes(property) || (secretNames.has(property) && inside.length === 0);
  const masked = (value: unknown): unknown =>
    whole && value !== undefined ? mask : inside.reduce((inner, path) => maskedAt(inner, path), value);
  const [left, right] = [masked(declared), masked(actual)];
  return { property, declared: left, actual: right, secret: whole || deepEqual(left, right) };
}

function maskedAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value === undefined ? undefined : mask;
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  return { ...value, [key]: maskedAt((value as Properties)[key], rest) };
}
