import { randomUUID } from "node:crypto";
import { type CheckFailure, checkInputs } from "./check";
import type { Declarations } from "./declarations";
import type { AnyResource } from "./define";
import type { Redactor } from "./redact";
import { holdsSecret, type Secrecy } from "./secrets";
import { knownOf, unknownValue } from "./unknowns";
import { type Properties, pick } from "./values";

/** What the engine sends with the inputs to check. */
export interface CheckRequest {
  /** The previous inputs; absent for a resource that is to be created or replaced. */
  readonly old?: Properties | undefined;
  /** Identifies the resource within the program. */
  readonly who?: string | undefined;
  /** The name that it has in the program. */
  readonly name?: string | undefined;
  /** Random, but the same for a plan and the update that applies it. */
  readonly seed?: string | undefined;
  /** Set only where there is no seed. */
  readonly isPreview?: boolean | undefined;
}

/** The inputs that a user can set: without those that the provider fills in. */
export function withoutSealed({ sealed }: AnyResource, inputs: Properties): Properties {
  if (!sealed) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in sealed)));
}

export function sealedIn({ sealed = {} }: AnyResource, inputs: Properties): Properties {
  return pick(inputs, Object.keys(sealed));
}

/**
 * The inputs that the provider fills in once and keeps. A resource that was created without them stays without them.
 * Without a seed they are unknown at preview: a saved plan would bind the update to a value that is then random again.
 */
export function sealedFor(definition: AnyResource, { old, seed, isPreview = false }: CheckRequest): Properties {
  if (!definition.sealed) return {};
  if (old) return sealedIn(definition, old);
  const random = seed ?? randomUUID();
  const fill = (make: (seed: string) => string) => (isPreview ? unknownValue : make(random));
  return Object.fromEntries(Object.entries(definition.sealed).map(([name, make]) => [name, fill(make)]));
}

/** The keys of the known inputs. */
export function keysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys?.of(knownOf(inputs)) ?? [];
}

/** Records what a resource declares, and reports what another resource of the program declares too. */
export function clashesOf(
  definition: AnyResource,
  inputs: Properties,
  { who, name, old }: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  const { keys, type, likeness } = definition;
  if (!declarations) return [];
  const known = old && likeness?.(knownOf(old));
  if (known) declarations.own([known]);
  if (!keys || who === undefined) return [];
  if (old && !keys.ownedIn) declarations.own(keysOf(definition, old));
  const declarant = { who, label: `${type} ${JSON.stringify(name)}`, isNew: !old };
  return declarations.declare(declarant, keysOf(definition, inputs)).map(({ key, label }) => ({
    property: keys.property,
    reason: `declares the ${key}, which ${label} in this program also declares; declare it only once`,
  }));
}

/** Everything that is wrong with the inputs of a resource in this run. Keys are derived from valid inputs only. */
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
 * The engine prints the value of a top-level property that a failure names, so a secret property is named in the reason
 * instead.
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
