import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { PlatformError } from "../api/errors";
import { closest } from "../values/closest";
import type { AnyResource } from "./define";
import { containsUnknown, unknownValue, valueAt } from "./engine-values";
import { type Properties, pick } from "./properties";
import { hintFor, namesAt } from "./property-names";
import type { Redactor } from "./redact";
import { holdsSecret, type PropertyPath, secretValues } from "./secrets";

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
  const { failures: found, values, misspelt } = parseSchema(definition.inputs, inputs);
  const unread = outputsInTexts(inputs);
  const failures = [...unread, ...found.filter(({ property }) => !namesIn(unread).has(nameIn(property)))];
  // Rules across properties see only values that are valid by themselves.
  const valid = Object.entries(withoutFailed(inputs, failures));
  const known = Object.fromEntries(valid.filter(([, value]) => !containsUnknown(value)));
  const failed = namesIn(failures);
  const isUnknown = (name: string): boolean => failed.has(name) || misspelt.has(name) || containsUnknown(inputs[name]);
  definition.rules?.(known, (property: string, reason: string) => failures.push({ property, reason }), isUnknown);
  return { failures, values };
}

/** The SDKs give an output that is put into a text the text of an error, which would be sent. */
const notReadable = /Calling \S+ on an \[?Output\S+ is not supported/;
const outputInText =
  "is an Output that was put into a text; pass the output itself, or use apply (pulumi.Output.concat / pulumi.interpolate)";

function outputsInTexts(value: unknown, path: readonly PropertyKey[] = []): CheckFailure[] {
  if (typeof value === "string")
    return notReadable.test(value) ? [{ property: propertyPath(path), reason: outputInText }] : [];
  if (typeof value !== "object" || value === null) return [];
  const keyOf = (key: string) => (Array.isArray(value) ? Number(key) : key);
  return Object.entries(value).flatMap(([key, inner]) => outputsInTexts(inner, [...path, keyOf(key)]));
}

/** The properties that failures are about. */
export function namesIn(failures: readonly CheckFailure[]): Set<string> {
  return new Set(failures.map(({ property }) => nameIn(property)));
}

function nameIn(path: string): string {
  return path.split(/[.[]/, 1)[0]!;
}

/** The inputs that no failure is about: one mistake is reported once. */
export function withoutFailed(inputs: Properties, failures: readonly CheckFailure[]): Properties {
  const failed = namesIn(failures);
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !failed.has(name)));
}

/** Warnings about inputs that are valid but questionable. */
export function adviseOn(
  definition: AnyResource,
  inputs: Properties,
  /** What the program marked as secrets: advice may name a part of a value, or what follows from it. */
  marked: readonly PropertyPath[] = [],
): string[] {
  const isHidden = (name: string) => containsUnknown(inputs[name]) || marked.some(([first]) => first === name);
  const shown = Object.fromEntries(Object.entries(inputs).filter(([name]) => !isHidden(name)));
  return definition.advise?.(shown, isHidden) ?? [];
}

interface ParsedSchema extends ParsedInputs {
  /** The properties that a misspelt name was probably meant to be: that they are missing is the same mistake. */
  readonly misspelt: ReadonlySet<string>;
}

/** Skips whatever depends on a value that is not known yet. */
function parseSchema(schema: z.ZodObject, inputs: Properties): ParsedSchema {
  const allowed = Object.keys(schema.shape);
  const strange = Object.keys(inputs).filter((name) => !(name in schema.shape));
  const failures = strange.map((name) => unexpected(name, allowed));
  const parsed = schema.safeParse(inputs);
  const issues = (parsed.error?.issues ?? []).flatMap(ofMeantAlternative);
  const misspelt = new Set([
    ...strange.map((name) => closest(name, allowed) ?? ""),
    ...issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? meantAt(schema, issue) : [])),
  ]);
  if (parsed.success) return { failures, values: parsed.data, misspelt };
  for (const issue of issues) {
    const value = valueAt(inputs, issue.path);
    if (value === unknownValue || (issue.code !== "invalid_type" && containsUnknown(value))) continue;
    if (value === undefined && misspelt.has(propertyPath(issue.path))) continue;
    if (issue.code === "unrecognized_keys")
      failures.push(...issue.keys.map((key) => unexpected(key, namesAt(schema, issue.path), issue.path)));
    else failures.push({ property: propertyPath(issue.path), reason: reasonFor(issue, value) });
  }
  return { failures, values: undefined, misspelt };
}

function meantAt(schema: z.ZodObject, { path, keys }: z.core.$ZodIssueUnrecognizedKeys): string[] {
  const allowed = namesAt(schema, path);
  return keys.map((key) => propertyPath([...path, closest(key, allowed) ?? ""]));
}

function unexpected(name: string, allowed: readonly string[], at: readonly PropertyKey[] = []): CheckFailure {
  return { property: propertyPath([...at, name]), reason: `is not a known property; ${hintFor(name, allowed)}` };
}

/** Where the value has the type of one alternative only, what is wrong with that one. */
function ofMeantAlternative(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [meant = [], ...others] = issue.errors.filter((errors) => !errors.some(isOfOtherType));
  if (meant.length === 0 || others.length > 0) return [issue];
  return meant.flatMap((inner) => ofMeantAlternative({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function reasonFor(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_type" && value === undefined) return "is required";
  if (issue.code === "invalid_value")
    return `is ${value === undefined ? "required" : quoteValue(value)}; expected ${oneOf(issue.values)}${meantIn(issue.values, value)}`;
  if (issue.code === "invalid_type") return typeReason(issue.expected, value);
  if (issue.code === "invalid_union") return unionReason(issue, value);
  // Zod's own limit of integers; other limits have words of ours.
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return `is ${quoteValue(value)}; expected at most ${issue.maximum}`;
  return issue.message;
}

function meantIn(values: readonly unknown[], value: unknown): string {
  const meant = typeof value === "string" && values.length > 1 ? closest(value, values.map(String)) : undefined;
  // Of eu-central-1, ca-central-1 is no other spelling.
  const isOther = meant?.charAt(0).toLowerCase() !== String(value).charAt(0).toLowerCase();
  return meant === undefined || isOther ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

function typeReason(expected: string, value: unknown): string {
  const meant = inOtherType(expected, value);
  return `must be ${article(expected)}, but is ${quoteValue(value)}${meant === undefined ? "" : `; write it as ${meant}`}`;
}

/** How a program writes values that are not texts. */
const written: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/,
  number: /^-?\d+(\.\d+)?$/,
  int: /^-?\d+$/,
};

function inOtherType(expected: string, value: unknown): string | undefined {
  if (expected === "string") return ["number", "boolean"].includes(typeof value) ? `"${value}"` : undefined;
  if (typeof value !== "string") return undefined;
  if (expected === "array") return value.startsWith("[") ? undefined : `[${quoteValue(value)}]`;
  return written[expected]?.test(value) ? value : undefined;
}

function unionReason({ errors, message }: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  const first = errors.flatMap((alternative) => alternative.slice(0, 1));
  if (value !== undefined && first.every(isOfOtherType)) {
    const types = first.map((issue) => article((issue as z.core.$ZodIssueInvalidType).expected));
    return `must be ${[...new Set(types)].join(" or ")}, but is ${quoteValue(value)}`;
  }
  const reasons = new Set(first.map((inner) => reasonFor(inner, valueAt(value, inner.path))));
  return [...reasons].join(", or ") || message;
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
  secrets: readonly PropertyPath[],
  inputs: Properties,
  redact: Redactor,
): CheckFailure {
  // What is quoted may be a part of a secret that is too short for the redactor.
  const hidden = secretValues(secrets, inputs);
  const isPart = (quoted: string) => quoted !== "" && hidden.some((value) => value.includes(quoted));
  const safe = redact(reason).replace(/"([^"]*)"/g, (all, quoted: string) => (isPart(quoted) ? "[secret]" : all));
  if (!holdsSecret(secrets, property, inputs)) return { property, reason: safe };
  return { property: "", reason: `${property} ${safe.replace(/; write it as .*/s, "")}` };
}

/**
 * As the engine prints it well: with the value of a property of the resource, and of no other, which it does not find. The
 * value of a property that is none may be a secret, whose name is misspelt.
 */
export function printable({ inputs }: Checkable, { property, reason }: CheckFailure): CheckFailure {
  return property in inputs.shape ? { property, reason } : { property: "", reason: `${property} ${reason}`.trim() };
}
