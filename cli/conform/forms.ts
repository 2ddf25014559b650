import type { Readings } from "../../emulator/readings";
import type { PlatformError } from "../../provider/api/errors";
import type { RawAnswer } from "../../provider/api/transport";
import { entriesIn } from "../../provider/platform/entries";

export interface Answer extends RawAnswer {
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** How the provider understands a refusal; undefined for a success. */
  readonly error: PlatformError | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The records of a list. */
export const recordsIn = (list: readonly unknown[]): Json[] => list.filter(isRecord);

/** The structure of a value without its content, which may be secret: `{policy:[{access:text}]}`. */
export function shapeOf(value: unknown, depth = 2): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${shapeOf(value[0], depth)}]`;
  if (isRecord(value)) {
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

export type ListForm = "array" | "named" | "paged";

/** A list that is bare, or has a name, with or without pages; undefined for any other form. */
export function listIn(json: unknown, name: string): { form: ListForm; items: readonly unknown[] } | undefined {
  if (Array.isArray(json)) return { form: "array", items: json };
  if (!isRecord(json)) return undefined;
  const items = json[name];
  if (!Array.isArray(items)) return undefined;
  return { form: "paging_info" in json ? "paged" : "named", items };
}

/** Like `listIn`, and when no list has that name, the one that the provider would find. */
export function anyListIn(json: unknown, name: string): readonly unknown[] {
  return entriesIn(json, name, isRecord) ?? [];
}

export type TimeForm = Readings["commandTimes"];

export function timeForm(value: unknown): TimeForm | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return "epoch";
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return "iso";
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(value) ? "text" : undefined;
}

/** The form of a refusal's body. */
export function errorForm({ json, text }: Answer): Readings["errorBody"] | undefined {
  if (text.trim() === "") return "empty";
  if (json === undefined) return /^\s*</.test(text) ? "html" : "text";
  if (!isRecord(json)) return undefined;
  const { error, message, errors, status } = json;
  if (isRecord(error)) return "error_code" in error && "error_message" in error ? "error-object" : undefined;
  if (typeof error === "string") return "error-text";
  if (Array.isArray(errors)) return isRecord(errors[0]) && "message" in errors[0] ? "errors-list" : undefined;
  if (isRecord(status)) return "status_code" in status ? "status-object" : undefined;
  return typeof message === "string" && Object.keys(json).length === 1 ? "message" : undefined;
}

/** The form of an answer that the specification does not show. */
export function notShownForm({ json, text, status }: Answer): Readings["notShownAnswer"] | undefined {
  if (status === 204) return "204";
  if (status !== 200) return undefined;
  if (text.trim() === "") return "empty";
  if (json === null) return "null";
  if (!isRecord(json)) return undefined;
  const names = Object.keys(json);
  if (names.length === 0) return "object";
  if (isRecord(json["status"]) && names.length === 1) return "detailed";
  if (json["status"] === "success" && Array.isArray(json["packages"])) return "detailed";
  if (names.length > 1) return undefined;
  return json["status"] === "done" || json["status"] === "success" ? json["status"] : undefined;
}

/** A policy in any of the forms in which platforms show it; undefined if there is none to be found. */
export function policyIn(json: unknown, depth = 3): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (depth === 0) return undefined;
  if (typeof json === "string") {
    try {
      return policyIn(JSON.parse(json) as unknown, depth - 1);
    } catch {
      return undefined;
    }
  }
  if (!isRecord(json)) return undefined;
  const inner = json["policy"] ?? json["object_policy"];
  return inner === undefined ? undefined : policyIn(inner, depth - 1);
}

/** Whether two values are the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
