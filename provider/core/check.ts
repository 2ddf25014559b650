import type { z } from "zod";
import type { AnyResource } from "./define";
import { hintFor, namesAt } from "./property-names";
import { containsUnknown, knownOf, unknownValue, valueAt } from "./unknowns";
import type { Properties } from "./values";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
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
