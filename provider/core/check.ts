import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { PlatformError } from "../api/errors";
import type { AnyResource } from "./define";
import { containsUnknown, knownOf, unknownValue, valueAt } from "./engine-values";
import { type Properties, pick } from "./properties";
import { hintFor, namesAt } from "./property-names";
import type { Redactor } from "./redact";
import { holdsSecret, type Secrecy } from "./secrets";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

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

/** A resource or a function. */
type Checkable = Pick<AnyResource, "inputs" | "rules">;

/** Everything that is wrong with the inputs, as far as they are known. */
export function checkInputs(definition: Checkable, inputs: Properties): CheckFailure[] {
  return parseInputs(definition, inputs).failures;
}

interface ParsedInputs {
  readonly failures: CheckFailure[];
  /** As the schema reads them. Absent when they do not fit it, or are not known in full. */
  readonly values: Properties | undefined;
}

/** Checks the inputs, as far as they are known, and parses them in one go. Pure: the same at preview and at apply. */
export function parseInputs(definition: Checkable, inputs: Properties): ParsedInputs {
  const { failures, values } = parseSchema(definition.inputs, inputs);
  const invalid = new Set(failures.map(({ property }) => topLevel(property)));
  // Rules across properties see only values that are valid by themselves.
  const known = Object.fromEntries(
    Object.entries(inputs).filter(([name, value]) => !invalid.has(name) && !containsUnknown(value)),
  );
  const isUnknown = (name: string): boolean => invalid.has(name) || containsUnknown(inputs[name]);
  definition.rules?.(known, (property: string, reason: string) => failures.push({ property, reason }), isUnknown);
  return { failures, values };
}

/** Warnings about inputs that are valid but questionable. */
export function adviseOn(definition: AnyResource, inputs: Properties): string[] {
  const known = knownOf(inputs);
  return definition.advise?.(known, (name: string) => containsUnknown(inputs[name])) ?? [];
}

/** Skips whatever depends on a value that is not known yet. */
function parseSchema(schema: z.ZodObject, inputs: Properties): ParsedInputs {
  const failures: CheckFailure[] = [];
  for (const name of Object.keys(inputs)) {
    if (!(name in schema.shape)) failures.push(unexpected(name, Object.keys(schema.shape)));
  }
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return { failures, values: parsed.data };
  for (const issue of parsed.error.issues) {
    const value = valueAt(inputs, issue.path);
    if (value === unknownValue || (issue.code !== "invalid_type" && containsUnknown(value))) continue;
    const reason = reasonFor(issue, value, (path) => namesAt(schema, [...issue.path, ...path]));
    failures.push({ property: propertyPath(issue.path), reason });
  }
  return { failures, values: undefined };
}

function unexpected(name: string, allowed: readonly string[]): CheckFailure {
  return { property: name, reason: `is not a known property; ${hintFor(name, allowed)}` };
}

/** The property names that the schema allows at a path inside the value. */
type AllowedAt = (path: readonly PropertyKey[]) => readonly string[];

function reasonFor(issue: z.core.$ZodIssue, value: unknown, allowedAt: AllowedAt): string {
  if (issue.code === "invalid_type" && value === undefined) return "is required";
  if (issue.code === "invalid_value")
    return `is ${value === undefined ? "required" : quoteValue(value)}; expected ${oneOf(issue.values)}`;
  if (issue.code === "unrecognized_keys") {
    const hints = issue.keys.map((key) => `${JSON.stringify(key)}; ${hintFor(key, allowedAt([]))}`);
    return `has no property ${hints.join(", and no property ")}`;
  }
  if (issue.code === "invalid_type") return typeReason(issue.expected, value);
  if (issue.code === "invalid_union") return unionReason(issue, value, allowedAt);
  return issue.message;
}

function typeReason(expected: string, value: unknown): string {
  const isBareNumber = expected === "string" && (typeof value === "number" || typeof value === "boolean");
  const isBareText = expected === "array" && typeof value === "string" && !value.startsWith("[");
  const hint = isBareNumber ? `; write it as "${value}"` : isBareText ? `; write it as [${quoteValue(value)}]` : "";
  return `must be ${article(expected)}, but is ${quoteValue(value)}${hint}`;
}

function unionReason(issue: z.core.$ZodIssueInvalidUnion, value: unknown, allowedAt: AllowedAt): string {
  const reasons = new Set(
    issue.errors
      .map((alternative) => alternative[0])
      .filter((inner) => inner !== undefined)
      .map((inner) => reasonFor(inner, valueAt(value, inner.path), (path) => allowedAt([...inner.path, ...path]))),
  );
  return [...reasons].join(", or ") || issue.message;
}

function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length === 1 ? quoted[0]! : `one of ${quoted.join(", ")}`;
}

/** Short and safe: only simple values are quoted, and the caller redacts secrets. */
function quoteValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const articles: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  record: "an object",
  int: "an integer",
  nonoptional: "given",
};

function article(expected: string): string {
  return articles[expected] ?? `a ${expected}`;
}

/** `policy[0].action`, as the engine writes property paths. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join("");
}

function topLevel(property: string): string {
  return property.split(/[.[]/, 1)[0]!;
}

/** The inputs that a user can set: without those that the provider fills in. */
export function withoutOwnInputs({ job }: AnyResource, inputs: Properties): Properties {
  const { ownInputs } = job ?? {};
  if (!ownInputs) return inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in ownInputs)));
}

export function ownInputsIn({ job }: AnyResource, inputs: Properties): Properties {
  return pick(inputs, Object.keys(job?.ownInputs ?? {}));
}

/**
 * The inputs that the provider fills in once and keeps. A resource that was created without them stays without them.
 * Without a seed they are unknown at preview: a saved plan would bind the update to a value that is then random again.
 */
export function ownInputsFor(definition: AnyResource, { old, seed, isPreview = false }: CheckRequest): Properties {
  const { ownInputs } = definition.job ?? {};
  if (!ownInputs) return {};
  if (old) return ownInputsIn(definition, old);
  const random = seed ?? randomUUID();
  const fill = (make: (seed: string) => string) => (isPreview ? unknownValue : make(random));
  return Object.fromEntries(Object.entries(ownInputs).map(([name, make]) => [name, fill(make)]));
}

/** The inputs as the definition takes them, all of which must be known. */
export function parsed(definition: AnyResource, given: Properties): Properties {
  const { failures, values } = parseInputs(definition, withoutOwnInputs(definition, given));
  if (values && failures.length === 0) return values;
  const reasons = failures.map(({ property, reason }) => `${property} ${reason}`);
  throw new PlatformError(reasons.join("; ") || "an input is not known yet", { code: "rejected", outcome: "not-sent" });
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
