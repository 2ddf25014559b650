import { randomUUID } from "node:crypto";
import { PlatformError } from "../api/errors";
import { type CheckFailure, checkInputs, parseInputs } from "./check";
import type { Clash, Declarations } from "./declarations";
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
export function withoutOwnInputs({ ownInputs }: AnyResource, inputs: Properties): Properties {
  if (!ownInputs) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in ownInputs)));
}

export function ownInputsIn({ ownInputs = {} }: AnyResource, inputs: Properties): Properties {
  return pick(inputs, Object.keys(ownInputs));
}

/**
 * The inputs that the provider fills in once and keeps. A resource that was created without them stays without them.
 * Without a seed they are unknown at preview: a saved plan would bind the update to a value that is then random again.
 */
export function ownInputsFor(definition: AnyResource, { old, seed, isPreview = false }: CheckRequest): Properties {
  if (!definition.ownInputs) return {};
  if (old) return ownInputsIn(definition, old);
  const random = seed ?? randomUUID();
  const fill = (make: (seed: string) => string) => (isPreview ? unknownValue : make(random));
  return Object.fromEntries(Object.entries(definition.ownInputs).map(([name, make]) => [name, fill(make)]));
}

/** The inputs as the definition takes them, all of which must be known. */
export function parsed(definition: AnyResource, given: Properties): Properties {
  const { failures, values } = parseInputs(definition, withoutOwnInputs(definition, given));
  if (values && failures.length === 0) return values;
  const reasons = failures.map(({ property, reason }) => `${property} ${reason}`);
  throw new PlatformError(reasons.join("; ") || "an input is not known yet", { code: "rejected", outcome: "not-sent" });
}

/** The keys of the known inputs. */
export function keysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys?.of(knownOf(inputs)) ?? [];
}

/** Records that a create, an update or an import takes over the keys. */
export function takeOver(definition: AnyResource, inputs: Properties, declarations: Declarations | undefined): void {
  declarations?.takeOver(keysOf(definition, inputs), sharedKeysOf(definition, inputs));
}

/** The keys of others that the known inputs add to. */
function sharedKeysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys?.sharedBy?.(knownOf(inputs)) ?? [];
}

/** Records what a resource declares, and reports what another resource of the program declares too. */
export function clashesOf(
  definition: AnyResource,
  inputs: Properties,
  { who, name, old }: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  const { keys, type, recognisedBy } = definition;
  if (!declarations) return [];
  const known = old && recognisedBy?.(knownOf(old));
  if (known) declarations.own([known]);
  if (!keys || who === undefined) return [];
  if (old && !keys.ownedIn) declarations.own(keysOf(definition, old));
  const declarant = { who, label: `${type} ${JSON.stringify(name)}`, isNew: !old };
  const clashes = declarations.declare(declarant, keysOf(definition, inputs), sharedKeysOf(definition, inputs));
  return clashes.map((clash) => ({ property: keys.property, reason: reasonOf(clash) }));
}

function reasonOf({ key, label, kind }: Clash): string {
  switch (kind) {
    case "both own":
      return `declares the ${key}, which ${label} in this program also declares; declare it only once`;
    case "other owns":
      return `adds to the ${key}, all of which ${label} in this program manages, and would remove this; declare it there, or remove that resource`;
    case "other shares":
      return `manages all of the ${key}, to which ${label} in this program adds, and would remove that; declare it here, or remove one of the two`;
  }
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

const longestEnumeration = 10;

/** Keys with the resources that keep them, for a log line. */
export function enumerate(keys: readonly string[], keepers: readonly (string | undefined)[]): string {
  const named = keys.slice(0, longestEnumeration).map((key, index) => `${key} (${keepers[index]})`);
  const more = keys.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
