import { z } from "zod";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { answeredId, type Id } from "../values/id";

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
export const userList: z.ZodType<UserList> = z.unknown().transform((answer, context): UserList => {
  const entries = entriesIn(answer, "users", (entry) => record.safeParse(entry).success && isUser(entry));
  if (!entries) {
    context.addIssue({ code: "custom", message: "there is no list of users in it" });
    return z.NEVER;
  }
  const users = entries.flatMap((entry) => record.safeParse(entry).data ?? []).filter(isUser);
  return { users, isWhole: users.length === entries.length && !hasMorePages(answer) };
}) as unknown as z.ZodType<UserList>;

/** E-mail addresses, bare or in the records of users. */
export const emailList: z.ZodType<string[]> = z.unknown().transform((answer, context): string[] => {
  const entries = entriesIn(answer, "emails", (entry) => emailOf(entry) !== undefined);
  if (entries) return entries.flatMap((entry) => emailOf(entry) ?? []);
  context.addIssue({ code: "custom", message: "there is no list of e-mail addresses in it" });
  return z.NEVER;
}) as unknown as z.ZodType<string[]>;

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
  if (arrays.length === 1) return arrays[0];
  // One level down: `{data: {users: […]}}`.
  return Object.values(answer)
    .filter((value) => typeof value === "object" && value !== null && !Array.isArray(value))
    .map((inner) => entriesIn(inner, name, fits))
    .find((found) => found?.some(fits));
}

function count(array: readonly unknown[], fits: Test): number {
  return array.filter(fits).length;
}

function isUser(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { id, email } = entry as Partial<UserRecord>;
  return (id !== undefined && id !== null) || typeof email === "string";
}

function emailOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry.includes("@") ? entry : undefined;
  const email = record.safeParse(entry).data?.email;
  return email ?? undefined;
}

function hasMorePages(answer: unknown): boolean {
  const paging = (answer as { paging_info?: { next_page?: unknown } | null } | null)?.paging_info;
  return paging?.next_page !== undefined && paging.next_page !== null && paging.next_page !== "";
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
    disabled: typeof entry["disabled"] === "boolean" ? entry["disabled"] : undefined,
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
  readonly isDisabled: boolean;
}

export interface KnownUsers {
  readonly users: readonly KnownUser[];
  readonly isWhole: boolean;
}

/** The users of the account, one list for all who ask at the same time. */
export const usersOf = (api: Client): SharedRead<KnownUsers> => api.shared(makeUsers);
const makeUsers = (api: Client): SharedRead<KnownUsers> =>
  new SharedRead(async () => {
    const { users, isWhole } = await api.call(operations.listUsers, { answer: userList });
    const known = users.map((user) => ({
      id: user.id,
      userId: user.user_id,
      email: user.email ?? undefined,
      isDisabled: user["disabled"] === true || user["disabled"] === "true" || user["disabled"] === 1,
    }));
    // The token belongs to a user, so an empty list is no word that somebody is gone.
    return { users: known, isWhole: isWhole && known.length > 0 };
  });

export function findUser({ users }: KnownUsers, idOrEmail: Id): KnownUser | undefined {
  const wanted = String(idOrEmail).toLowerCase();
  return users.find(({ id, email }) => String(id ?? "") === wanted || email?.toLowerCase() === wanted);
}
