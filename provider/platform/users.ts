import { z } from "zod";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { answeredId, type Id } from "../values/id";
import { type ListPage, nextPageIn, PagedList } from "./paged-list";

/** An entry of a user list. The document shows three of its fields, so the rest is taken as it comes. */
const record = z.looseObject({ id: answeredId, user_id: answeredId, email: z.string().nullish() });
export type UserRecord = z.output<typeof record>;

export interface UserList {
  readonly users: readonly UserRecord[];
  /** Whether these are all: not when an entry could not be read, or there are further pages. */
  readonly isWhole: boolean;
}

/**
 * A list in an envelope that the document does not show: the bare array, or an object that holds it under some name,
 * with or without paging and other arrays beside it.
 */
const userPage = z.unknown().transform((answer, context): ListPage & { readonly hasList: boolean } => {
  const entries = entriesIn(answer, "users", (entry) => isUser(userOf(entry)));
  if (entries) return { entries, nextPage: nextPageIn(answer), hasList: true };
  if (isNothing(answer)) return { entries: [], nextPage: null, hasList: false };
  context.addIssue({ code: "custom", message: "there is no list of users in it" });
  return z.NEVER;
});

type ListOperation = typeof operations.listUsers | typeof operations.listPendingUsers;

/** All pages of a list of users, as far as the platform tells of them; with `further`, also those that it does not. */
export async function listUsers(api: Client, operation: ListOperation, { further = true } = {}): Promise<UserList> {
  let isWhole = true;
  const pages = pagesOf(api, operation);
  if (further) pages.lookFurther();
  const entries = await pages.read(async (page) => {
    const read = await api.call<string, z.output<typeof userPage>>(operation, { query: { page }, answer: userPage });
    isWhole &&= read.hasList;
    return read;
  });
  const users = entries.map(userOf).filter(isUser);
  return { users, isWhole: isWhole && users.length === entries.length };
}

/** Which of the two lists a platform cuts into pages is found out for each. */
function pagesOf(api: Client, { path }: ListOperation): PagedList {
  const lists = api.shared(makeLists);
  const list = lists.get(path) ?? new PagedList();
  lists.set(path, list);
  return list;
}
const makeLists = (): Map<string, PagedList> => new Map();

/** E-mail addresses, bare or in the records of users. */
export const emailList: z.ZodType<string[]> = z.unknown().transform((answer, context): string[] => {
  const entries = entriesIn(spreadOut(answer), "emails", (entry) => emailOf(entry) !== undefined);
  if (entries) return entries.flatMap((entry) => emailOf(entry) ?? []);
  if (isNothing(answer)) return [];
  context.addIssue({ code: "custom", message: "there is no list of e-mail addresses in it" });
  return z.NEVER;
}) as unknown as z.ZodType<string[]>;

/** An empty answer is the shortest way to show an empty list. */
function isNothing(answer: unknown): boolean {
  return answer === null || (typeof answer === "object" && Object.keys(answer).length === 0);
}

/** `{emails: "a@example.com,b@example.com"}` */
function spreadOut(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const spread = ([name, value]: [string, unknown]): [string, unknown] =>
    typeof value === "string" && value.includes("@")
      ? [name, value.split(",").map((one) => one.trim())]
      : [name, value];
  return Object.fromEntries(Object.entries(answer).map(spread));
}

type Test = (entry: unknown) => boolean;

/** The array under the expected name; else the one of which most is what is looked for; else the only one. */
function entriesIn(answer: unknown, name: string, fits: Test): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (typeof answer !== "object" || answer === null) return undefined;
  const named = (answer as Record<string, unknown>)[name];
  if (Array.isArray(named)) return named;
  const arrays = Object.values(answer).filter((value) => Array.isArray(value));
  const [best] = arrays.filter((array) => array.some(fits)).sort((a, b) => count(b, fits) - count(a, fits));
  if (best) return best;
  const records = Object.entries(answer).filter(([, value]) => isRecord(value));
  // The records themselves, by their ids: `{"11": {…}}`.
  const byId = records.filter(([key, { id }]) => String(id) === key).map(([, value]) => value);
  if (byId.some(fits)) return byId;
  // One level down: `{data: {users: […]}}`.
  const inner = records.map(([, value]) => entriesIn(value, name, fits)).find((found) => found?.some(fits));
  return inner ?? (arrays.length === 1 ? arrays[0] : undefined);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function count(array: readonly unknown[], fits: Test): number {
  return array.filter(fits).length;
}

/** A record, or an e-mail address alone. */
function userOf(entry: unknown): UserRecord | undefined {
  return record.safeParse(typeof entry === "string" && entry.includes("@") ? { email: entry } : entry).data;
}

function isUser(entry: UserRecord | undefined): entry is UserRecord {
  return entry !== undefined && (entry.id !== undefined || typeof entry.email === "string");
}

/** Bare, in a record, or beside an id. */
function emailOf(entry: unknown): string | undefined {
  if (Array.isArray(entry)) return entry.map(emailOf).find((email) => email !== undefined);
  return userOf(entry)?.email ?? undefined;
}

/** Whether an entry tells of a user who may not use the account. The document names no field for it. */
function isDisabled(entry: Readonly<Record<string, unknown>>): boolean | undefined {
  const { disabled, is_enabled: enabled, status, disabled_at: since, svc_user: inner } = entry;
  const flag = isTrue(disabled) ?? negated(isTrue(enabled));
  if (flag !== undefined) return flag;
  if (typeof status === "string" && /^(enabled|active|disabled|inactive|pending)$/i.test(status))
    return !/^(enabled|active)$/i.test(status);
  if (since !== undefined) return since !== null && since !== "";
  return typeof inner === "object" && inner !== null ? isDisabled(inner as Record<string, unknown>) : undefined;
}

function isTrue(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === 1) return true;
  return value === false || value === "false" || value === 0 ? false : undefined;
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

/** A user, as the functions give it back. */
export const userShape = z
  .object({
    id: z.int().optional().describe("The id that `EnabledUser` takes."),
    userId: z.int().optional().describe("The ordinary user id, which commands and data stores carry."),
    email: z.string().optional().describe("E-mail address."),
    name: z.string().optional().describe("Name, when the platform shows it."),
    disabled: z.boolean().optional().describe("Whether the user is disabled, when the platform shows it."),
    isAdmin: z.boolean().optional().describe("Whether the user is an administrator, when the platform shows it."),
    groups: z.array(z.string()).optional().describe("Names of the user's groups, when the platform shows them."),
  })
  .meta({ id: "PlatformUser", description: "A user of the account." });

export function toUser(entry: UserRecord): z.output<typeof userShape> {
  return {
    id: integer(entry.id),
    userId: integer(entry.user_id),
    email: entry.email ?? undefined,
    name: typeof entry["name"] === "string" ? entry["name"] : undefined,
    disabled: isDisabled(entry),
    isAdmin: typeof entry["is_admin"] === "boolean" ? entry["is_admin"] : undefined,
    groups: Array.isArray(entry["groups"]) ? entry["groups"].flatMap((group) => groupName(group) ?? []) : undefined,
  };
}

export function tokensById(entries: readonly UserRecord[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((entry): [string, string][] => {
      const token = entry["authentication_token"];
      const key = entry.id ?? entry.email;
      return typeof token === "string" && key !== undefined && key !== null ? [[String(key), token]] : [];
    }),
  );
}

function integer(id: Id | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(String(id)) ? Number(id) : undefined;
}

function groupName(group: unknown): string | undefined {
  if (typeof group === "string") return group;
  const name = typeof group === "object" && group !== null ? (group as { name?: unknown }).name : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Only what is needed: an entry may carry the user's token, which must not get further than this. */
export interface KnownUser {
  readonly id: Id | undefined;
  readonly userId: Id | undefined;
  readonly email: string | undefined;
  /** Undefined when the list does not tell. */
  readonly isDisabled: boolean | undefined;
}

export interface KnownUsers {
  readonly users: readonly KnownUser[];
  readonly isWhole: boolean;
}

/** The users of the account with the one that is looked for among them, if there is one on any page. */
export async function usersWith(api: Client, idOrEmail: Id): Promise<KnownUsers> {
  const list = usersOf(api);
  const pages = pagesOf(api, operations.listUsers);
  const known = await list.fresh();
  if (pages.isSettled || known.users.length === 0 || findUser(known, idOrEmail)) return known;
  if (pages.lookFurther()) list.written();
  return list.fresh();
}

/** The users of the account, one list for all who ask at the same time. */
export const usersOf = (api: Client): SharedRead<KnownUsers> => api.shared(makeUsers);
const makeUsers = (api: Client): SharedRead<KnownUsers> =>
  new SharedRead(async () => {
    const { users, isWhole } = await listUsers(api, operations.listUsers, { further: false });
    const known = users.map((user) => ({
      id: user.id,
      userId: user.user_id,
      email: user.email ?? undefined,
      isDisabled: isDisabled(user),
    }));
    // The token belongs to a user, so an empty list is no word that somebody is gone.
    return { users: known, isWhole: isWhole && known.length > 0 };
  });

export function findUser({ users }: KnownUsers, idOrEmail: Id): KnownUser | undefined {
  const wanted = String(idOrEmail).toLowerCase();
  return users.find(({ id, email }) => String(id ?? "") === wanted || email?.toLowerCase() === wanted);
}
