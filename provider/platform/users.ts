import { z } from "zod";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { answeredId, type Id } from "../values/id";
import { pageWith } from "./entries";
import { readAnnounced } from "./paged-list";

/** An entry of a user list. The API's manual documents only these three fields. */
const record = z.looseObject({ id: answeredId, user_id: answeredId, email: z.string().nullish() });
export type UserRecord = z.output<typeof record>;

export interface UserList {
  readonly users: readonly UserRecord[];
  /** False if an entry could not be parsed or the response contained no list. */
  readonly isComplete: boolean;
}

/**
 * The API's manual does not show the response: it may be a bare array, or an object with the array under some name,
 * possibly next to paging information and other arrays.
 */
const userPage = pageWith("users", (entry) => isUser(userOf(entry)));

type ListOperation = typeof operations.listUsers | typeof operations.listPendingUsers;

export async function listUsers(api: Client, operation: ListOperation): Promise<UserList> {
  let isComplete = true;
  const entries = await readAnnounced(async (page) => {
    const read = await api.call<string, z.output<typeof userPage>>(operation, { query: { page }, answer: userPage });
    isComplete &&= read.hasList;
    return read;
  });
  const users = entries.map(userOf).filter(isUser);
  return { users, isComplete: isComplete && users.length === entries.length };
}

/** E-mail addresses, bare or in user records. */
export const emailList = pageWith("emails", (entry) => emailOf(entry) !== undefined, splitEmails).transform(
  ({ entries }) => entries.flatMap((entry) => emailOf(entry) ?? []),
);

/** `{emails: "a@example.com,b@example.com"}` */
function splitEmails(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const split = ([name, value]: [string, unknown]): [string, unknown] =>
    typeof value === "string" && value.includes("@")
      ? [name, value.split(",").map((email) => email.trim())]
      : [name, value];
  return Object.fromEntries(Object.entries(answer).map(split));
}

/** A record, or a bare e-mail address. */
function userOf(entry: unknown): UserRecord | undefined {
  return record.safeParse(typeof entry === "string" && entry.includes("@") ? { email: entry } : entry).data;
}

function isUser(entry: UserRecord | undefined): entry is UserRecord {
  return entry !== undefined && (entry.id !== undefined || typeof entry.email === "string");
}

/** Bare, in a record, or paired with an id. */
function emailOf(entry: unknown): string | undefined {
  if (Array.isArray(entry)) return entry.map(emailOf).find((email) => email !== undefined);
  return userOf(entry)?.email ?? undefined;
}

/** The API's manual documents no field for this, so try the likely ones. */
function isDisabled(entry: Readonly<Record<string, unknown>>): boolean | undefined {
  const { disabled, is_disabled, status, disabled_at: since, svc_user: inner } = entry;
  const enabled = [entry["is_enabled"], entry["enabled"], entry["is_active"], entry["active"]].map(isTrue);
  const flag = isTrue(disabled) ?? isTrue(is_disabled) ?? negated(enabled.find((one) => one !== undefined));
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

/** A user, as the functions return it. */
export const userShape = z
  .object({
    id: z.int().optional().describe("Id that `EnabledUser` takes."),
    userId: z.int().optional().describe("Ordinary user id, which commands and data stores refer to."),
    email: z.string().optional().describe("E-mail address."),
    name: z.string().optional().describe("Name, if the platform shows it."),
    disabled: z.boolean().optional().describe("Whether the user is disabled, if the platform shows it."),
    isAdmin: z.boolean().optional().describe("Whether the user is an administrator, if the platform shows it."),
    groups: z.array(z.string()).optional().describe("Names of the user's groups, if the platform shows them."),
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

/** Ids and names: the API's manual shows both in each entry, and platforms may show one of them. */
function groupsIn({ groups }: Readonly<Record<string, unknown>>): Id[] | undefined {
  if (!Array.isArray(groups)) return undefined;
  return groups.flatMap((group): Id[] => {
    const { id, name } = typeof group === "object" && group !== null ? (group as Record<string, unknown>) : {};
    return [group, id, name].filter((one) => typeof one === "string" || typeof one === "number");
  });
}

/** Only what is needed: an entry may contain the user's token, which must not be passed on. */
export interface KnownUser {
  readonly id: Id | undefined;
  readonly userId: Id | undefined;
  readonly email: string | undefined;
  /** Undefined if the list does not say. */
  readonly isDisabled: boolean | undefined;
  /** Ids or names of the user's groups. Undefined if the list does not show them. */
  readonly groups: readonly Id[] | undefined;
}

export interface KnownUsers {
  readonly users: readonly KnownUser[];
  readonly isComplete: boolean;
}

export function knownUser(user: UserRecord): KnownUser {
  return {
    id: user.id,
    userId: user.user_id,
    email: user.email ?? undefined,
    isDisabled: isDisabled(user),
    groups: groupsIn(user),
  };
}

/** The users of the account. Concurrent callers share one read. */
export const usersOf = (api: Client): SharedRead<KnownUsers> => api.shared(makeUsers);
const makeUsers = (api: Client): SharedRead<KnownUsers> =>
  new SharedRead(async () => {
    const { users, isComplete } = await listUsers(api, operations.listUsers);
    const known = users.map(knownUser);
    // The token belongs to a user, so an empty list cannot be complete.
    return { users: known, isComplete: isComplete && known.length > 0 };
  });

export function findUser({ users }: KnownUsers, idOrEmail: Id): KnownUser | undefined {
  const wanted = String(idOrEmail).toLowerCase();
  return users.find(({ id, email }) => String(id ?? "") === wanted || email?.toLowerCase() === wanted);
}
