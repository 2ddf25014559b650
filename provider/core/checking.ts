import { randomUUID } from "node:crypto";
import { type CheckFailure, checkInputs } from "./check";
import type { Declarations } from "./declarations";
import type { AnyResource } from "./define";
import type { Redactor } from "./redact";
import { holdsSecret, type Secrecy } from "./secrets";
import { knownOf, unknownValue } from "./unknowns";
import { type Properties, pick } from "./values";

/** What the engine says beside the inputs when it has them checked. */
export interface CheckRequest {
  /** The inputs of before; absent for a resource that is to be created, or created anew. */
  readonly old?: Properties | undefined;
  /** Tells the resources of a program apart. */
  readonly who?: string | undefined;
  /** The name that the program gives it. */
  readonly name?: string | undefined;
  /** Random, and the same for a plan and the update that follows it. */
  readonly seed?: string | undefined;
  /** Whether nothing will be made of these inputs; said only where there is no seed. */
  readonly isPreview?: boolean | undefined;
}

/** The inputs that a user can give: without what the provider fills in. */
export function withoutSealed({ sealed }: AnyResource, inputs: Properties): Properties {
  if (!sealed) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in sealed)));
}

export function sealedIn({ sealed = {} }: AnyResource, inputs: Properties): Properties {
  return pick(inputs, Object.keys(sealed));
}

/**
 * What the provider fills in once, and what stays so. A resource that has lived without it goes on without it. Without
 * a seed it is not known at preview: a saved plan would hold the update to a value that is random anew.
 */
export function sealedFor(definition: AnyResource, { old, seed, isPreview = false }: CheckRequest): Properties {
  if (!definition.sealed) return {};
  if (old) return sealedIn(definition, old);
  const random = seed ?? randomUUID();
  const made = (make: (seed: string) => string) => (isPreview ? unknownValue : make(random));
  return Object.fromEntries(Object.entries(definition.sealed).map(([name, make]) => [name, made(make)]));
}

/** The keys that known inputs stand for. */
export function keysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys?.of(knownOf(inputs)) ?? [];
}

/** Notes what a resource declares. Nothing that another resource of the program declares may be declared twice. */
export function clashesOf(
  definition: AnyResource,
  inputs: Properties,
  { who, name, old }: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  const { keys, type } = definition;
  if (!keys || !declarations || who === undefined) return [];
  if (old && !keys.ownedIn) declarations.own(keysOf(definition, old));
  const declarant = { who, label: `${type} ${JSON.stringify(name)}`, isNew: !old };
  return declarations.declare(declarant, keysOf(definition, inputs)).map(({ key, label }) => ({
    property: keys.property,
    reason: `declares the ${key}, which ${label} in this program also declares; declare it only once`,
  }));
}

/** All that is wrong with the inputs of a resource of this run. Keys are made of inputs that are good by themselves. */
export function failuresOf(
  definition: AnyResource,
  inputs: Properties,
  request: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  const failures = checkInputs(definition, inputs);
  return failures.length > 0 ? failures : clashesOf(definition, inputs, request, declarations);
}

/**
 * The engine prints the value of the property that a failure names, unless it is inside another one: so a secret is
 * named in the reason instead.
 */
export function withoutValue(
  { property, reason }: CheckFailure,
  secrecy: Secrecy,
  inputs: Properties,
  redact: Redactor,
): CheckFailure {
  const safe = redact(reason);
  if (!holdsSecret(secrecy, property, inputs)) return { property, reason: safe };
  return { property: "", reason: `${property} ${safe}` };
}
