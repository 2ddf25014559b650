import { z } from "zod";
import { isNumeric } from "../values/id";
import { type Fields, isFields } from "../values/json";
import { type ListPage, pagingIn } from "./paged-list";

/** Finds lists and records in responses whose shape is not documented. */

type Matcher = (entry: unknown) => boolean;

/** The array with the expected name; else the one with the most matching entries; else the only one. */
export function entriesIn(answer: unknown, name: string, matches: Matcher): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (typeof answer === "string") return inOneText(answer, isId);
  if (!isFields(answer)) return undefined;
  const named = answer[name];
  if (Array.isArray(named)) return named;
  const [only, ...others] = Object.values(answer);
  const split = inOneText(named, matches) ?? (others.length === 0 ? inOneText(only, isId) : undefined);
  if (split) return split;
  const arrays = Object.values(answer).filter((value) => Array.isArray(value));
  const [best] = arrays.filter((array) => array.some(matches)).sort((a, b) => count(b, matches) - count(a, matches));
  if (best) return best;
  const records = Object.entries(answer).filter((one): one is [string, Fields] => isFields(one[1]));
  // Records by id: `{"11": {…}}`.
  const byId = records.filter(([key, { id }]) => String(id) === key).map(([, value]) => value);
  if (byId.some(matches)) return byId;
  // One level down: `{data: {users: […]}}`.
  const inner = records.map(([, value]) => entriesIn(value, name, matches)).find((found) => found?.some(matches));
  return inner ?? (arrays.length === 1 ? arrays[0] : undefined);
}

/** What is not under the expected name may be some other text: only ids are sure to be meant. */
const isId: Matcher = (part) => isNumeric(String(part));

/** `"14,20"`, bare, under the expected name or in the only field, of things that can be a text. */
function inOneText(text: unknown, matches: Matcher): string[] | undefined {
  const parts = typeof text === "string" && text !== "" ? text.split(",").map((one) => one.trim()) : [];
  return parts.length > 0 && parts.every(matches) ? parts : undefined;
}

function count(array: readonly unknown[], matches: Matcher): number {
  return array.filter(matches).length;
}

/** A platform may return null, {} or `{users: null}` for an empty list. */
export function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === "") return true;
  return typeof answer === "object" && Object.values(answer).every((value) => value === null || value === "");
}

/** A platform may go on showing what was deleted, with a mark. */
export function isMarkedDeleted(entry: unknown): boolean {
  if (!isFields(entry)) return false;
  const { deleted, is_deleted, deleted_at, status, state } = entry;
  return [deleted, is_deleted].includes(true) || [status, state].includes("deleted") || Boolean(deleted_at);
}

/** An entry of a list, bare or one level down: `{group: {…}}`. */
export function entryOf<T>(schema: z.ZodType<T>, entry: unknown): T | undefined {
  const { data } = schema.safeParse(entry);
  if (data !== undefined || !isFields(entry)) return data;
  const [inner, ...others] = Object.values(entry);
  return others.length === 0 && isFields(inner) ? schema.safeParse(inner).data : undefined;
}

export interface Page extends ListPage {
  /** False if the platform shows nothing at all. */
  readonly hasList: boolean;
}

/** A page of a list: the array with this name, or whatever array holds entries that the schema reads. */
export function pageOf(name: string, schema: z.ZodType): z.ZodType<Page> {
  const matches = (entry: unknown): boolean => entryOf(schema, entry) !== undefined;
  return z.unknown().transform((answer, context) => {
    const entries = entriesIn(answer, name, matches);
    if (entries) return { entries, ...pagingIn(answer), hasList: true };
    if (isEmpty(answer)) return { entries: [], nextPage: null, hasList: false };
    context.addIssue({ code: "custom", message: `expected a list of ${name}` });
    return z.NEVER;
  });
}

/** A record, bare, in a list of one, or one level down: `{roles: {…}}`. */
export function recordIn<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((given, context): T => {
    const answer: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const candidates = [answer, ...(isFields(answer) ? Object.values(answer) : [])];
    const found = candidates.map((candidate) => schema.safeParse(candidate)).find(({ success }) => success);
    if (found?.success) return found.data;
    const issue = schema.safeParse(answer).error?.issues[0];
    context.addIssue({ code: "custom", message: issue?.message ?? "unknown", path: issue?.path ?? [] });
    return z.NEVER;
  });
}
