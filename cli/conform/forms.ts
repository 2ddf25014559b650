import { isDeepStrictEqual } from "node:util";
import type { ReadingName, Readings } from "../../emulator/readings";
import type { PlatformError } from "../../provider/api/errors";
import { entriesIn } from "../../provider/platform/entries";
import { type Fields, isFields, jsonOrText } from "../../provider/values/json";

/** The first of these that holds. */
export const firstOf = <Value extends string>(holds: { readonly [V in Value]?: boolean }): Value | undefined =>
  (Object.keys(holds) as Value[]).find((value) => holds[value]);

/** What a reading is; or for each of its values whether it holds, of which the first counts. Undefined: unknown. */
export type Found<N extends ReadingName> = Readings[N] | { readonly [V in Readings[N]]?: boolean } | undefined;

export const valueIn = <N extends ReadingName>(found: Found<N>): Readings[N] | undefined =>
  typeof found === "object" ? (firstOf(found as Record<string, boolean>) as Readings[N]) : found;

/** The number alone: the platform's words may repeat what was sent. */
export const statusText = ({ status, code }: PlatformError): string => (status ? `HTTP ${status}` : code);

/** The list with this name; when no list has it, the one that the provider would find. */
export const listIn = (json: unknown, name: string): readonly unknown[] => entriesIn(json, name, isFields) ?? [];
export const recordsIn = (json: unknown, name: string): Fields[] => listIn(json, name).filter(isFields);

/** The structure of a value without its content, which may be secret: `{policy:[{access:text}]}`. */
export function shapeOf(value: unknown, depth = 2): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${shapeOf(value[0], depth)}]`;
  if (isFields(value)) {
    const names = Object.keys(value).slice(0, 8);
    if (depth === 0) return "{…}";
    return `{${names.map((name) => `${fieldName(name)}:${shapeOf(value[name], depth - 1)}`).join(", ")}}`;
  }
  if (value === null || value === undefined) return String(value);
  return typeof value === "string" ? "text" : typeof value;
}

/** Names of fields are ours to show; a key that is data, such as an address or a token, is not. */
const fieldName = (name: string): string => (/^[A-Za-z_][\w.-]{0,40}$/.test(name) ? name : "…");

/** The value as text, if it can be an id. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((one) => typeof one === "string");

export const timeForm = (value: unknown): Readings["commandTimes"] | undefined =>
  firstOf({
    epoch: Number.isInteger(value),
    iso: typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
    text: typeof value === "string" && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(value),
  });

/** A policy in any of the forms in which platforms show it; undefined if there is none to be found. */
export function policyIn(json: unknown, depth = 3): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (depth === 0) return undefined;
  if (typeof json === "string") return policyIn(jsonOrText(json), depth - 1);
  if (!isFields(json)) return undefined;
  const inner = json["policy"] ?? json["object_policy"];
  return inner === undefined ? undefined : policyIn(inner, depth - 1);
}

/** Whether two values are the same JSON; the order of fields means nothing. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);
