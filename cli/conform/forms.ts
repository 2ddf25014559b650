import { isDeepStrictEqual } from "node:util";
import type { Readings } from "../../emulator/readings";
import type { PlatformError } from "../../provider/api/errors";
import type { RawAnswer } from "../../provider/api/transport";
import { entriesIn } from "../../provider/platform/entries";
import { type Fields, isFields, jsonOrText } from "../../provider/values/json";

export interface Answer extends RawAnswer {
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** Those of a JSON object; anything else has none. */
  readonly fields: Fields;
  /** How the provider understands a refusal; undefined for a success. */
  readonly error: PlatformError | undefined;
}

/** The number alone: the platform's words may repeat what was sent. */
export const statusText = ({ status, code }: PlatformError): string => (status ? `HTTP ${status}` : code);

/** The records of the list with this name; when no list has it, of the one that the provider would find. */
export const recordsIn = (json: unknown, name: string): Fields[] => anyListIn(json, name).filter(isFields);

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

/** An answer that has no JSON is described by what it is instead. */
export function answerShape({ json, text, status }: Answer): string {
  if (status === 204) return "HTTP 204";
  if (text.trim() === "") return "no body";
  if (json === undefined) return /^\s*</.test(text) ? "an HTML page" : "text";
  return shapeOf(json);
}

/** The value as text, if it can be an id. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Of a list that is bare, or has a name, with or without pages; undefined for any other form. */
export function listForm({ json, fields }: Answer, name: string): "array" | "named" | "paged" | undefined {
  if (Array.isArray(json)) return "array";
  if (!Array.isArray(fields[name])) return undefined;
  return "paging_info" in fields ? "paged" : "named";
}

export const anyListIn = (json: unknown, name: string): readonly unknown[] => entriesIn(json, name, isFields) ?? [];

export function timeForm(value: unknown): Readings["commandTimes"] | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return "epoch";
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return "iso";
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(value) ? "text" : undefined;
}

/** The form of a refusal's body. */
export function errorForm({ json, fields, text }: Answer): Readings["errorBody"] | undefined {
  if (text.trim() === "") return "empty";
  if (json === undefined) return /^\s*</.test(text) ? "html" : "text";
  const { error, message, errors, status } = fields;
  if (isFields(error)) return "error_code" in error && "error_message" in error ? "error-object" : undefined;
  if (typeof error === "string") return "error-text";
  if (Array.isArray(errors)) return isFields(errors[0]) && "message" in errors[0] ? "errors-list" : undefined;
  if (isFields(status)) return "status_code" in status ? "status-object" : undefined;
  return typeof message === "string" && Object.keys(fields).length === 1 ? "message" : undefined;
}

/** The form of an answer that the specification does not show. */
export function notShownForm({ json, text, status }: Answer): Readings["notShownAnswer"] | undefined {
  if (status === 204) return "204";
  if (status !== 200) return undefined;
  if (text.trim() === "") return "empty";
  if (json === null) return "null";
  if (!isFields(json)) return undefined;
  const names = Object.keys(json);
  if (names.length === 0) return "object";
  if (isFields(json["status"]) && names.length === 1) return "detailed";
  if (json["status"] === "success" && Array.isArray(json["packages"])) return "detailed";
  if (names.length > 1) return undefined;
  return json["status"] === "done" || json["status"] === "success" ? json["status"] : undefined;
}

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
