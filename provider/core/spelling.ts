import { z } from "zod";
import { isNumeric, textIdFormat } from "../values/id";
import type { Properties } from "./properties";
import { namesAt, structureOf } from "./property-names";
import type { PropertyPath } from "./secrets";

/**
 * Names inside the inputs as the schema writes them. A Python program writes `{"timeout_seconds": 30}`, and Pulumi's
 * runtime translates that only where it knows the type: not in the arguments of functions, and not in unions.
 */
export function inCamelCase(schema: z.ZodObject, inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, renamed(schema, value, [name])]));
}

/** The same for the path of a property. */
export function pathInCamelCase(schema: z.ZodObject, [first = "", ...rest]: PropertyPath): PropertyPath {
  const known = [first];
  for (const key of rest) known.push(nameFor(key, namesAt(schema, known)));
  return known;
}

function renamed(schema: z.ZodObject, value: unknown, path: readonly PropertyKey[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => renamed(schema, item, [...path, index]));
  const keys = Object.keys(value);
  const names = keys.some(isSnakeCase) ? namesAt(schema, path) : [];
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = nameFor(key, names);
      // Given in both spellings, it stays, and the check reports the one that is not known.
      const chosen = keys.includes(name) ? key : name;
      return [chosen, renamed(schema, inner, [...path, chosen])];
    }),
  );
}

function nameFor(key: string, names: readonly string[]): string {
  if (!isSnakeCase(key) || names.includes(key)) return key;
  const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();
  return names.find((name) => plain(name) === plain(key)) ?? key;
}

function isSnakeCase(key: string): boolean {
  return key.includes("_");
}

/**
 * Ids in the form that the types of the SDK promise for outputs: a program may pass each as a number or as text. Text stays
 * text: not all of it is a number, and Python would read a number back as a float.
 */
export function inDeclaredForm(schema: z.core.$ZodType, value: unknown): unknown {
  const form = z.globalRegistry.get(schema)?.["format"];
  if (form === textIdFormat && typeof value === "number") return String(value);
  const { properties, values, same = [] } = structureOf(schema);
  if (values && Array.isArray(value)) return value.map((item) => inDeclaredForm(values, item));
  if (!(properties || values) || typeof value !== "object" || value === null)
    return same.reduce((result: unknown, inner) => inDeclaredForm(inner, result), value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const known = properties && Object.hasOwn(properties, name) ? properties[name] : values;
      return [name, known ? inDeclaredForm(known, inner) : inner];
    }),
  );
}

/** What can be anything, as text: Python's SDK accepts nothing but a dictionary for it, and fails after the work is done. */
export function anythingAsText(schema: z.ZodObject, values: Properties): Properties {
  const isAnything = (name: string) =>
    (schema.shape[name] as z.ZodOptional | undefined)?.unwrap?.() instanceof z.ZodUnknown;
  const spelled = ([name, value]: [string, unknown]): [string, unknown] =>
    isAnything(name) && typeof value !== "string" ? [name, JSON.stringify(value)] : [name, value];
  return Object.fromEntries(Object.entries(values).map(spelled));
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'" };

/** Whether the platform shows a text as it stores it: without blanks at the ends, with entities of HTML, and so on. */
export function isRespelled(given: unknown, shown: unknown, { ignoreCase }: { readonly ignoreCase: boolean }): boolean {
  const plain = (text: string): string => {
    const read = text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => entities[name]!);
    const tidy = read.normalize("NFKC").trim().replace(/\s+/g, " ");
    return ignoreCase ? tidy.toLowerCase() : tidy;
  };
  return typeof given === "string" && typeof shown === "string" && plain(given) === plain(shown);
}

/** Whether two keys may mean the same thing: they differ only in case, or in what one names and the other gives the id of. */
export function mayMeanTheSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((key) => key.toLowerCase().split(/[\s/]+/));
  const isAlike = (word: string, index: number) => {
    const counterpart = right![index]!;
    if (isNumeric(word) !== isNumeric(counterpart)) return true;
    return isNumeric(word) ? BigInt(word) === BigInt(counterpart) : word === counterpart;
  };
  return left!.length !== right!.length || left!.every(isAlike);
}
