import { z } from "zod";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { answeredId, type Id } from "../values/id";
import { type Fields, isFields } from "../values/json";
import { pageOf } from "./entries";
import { type Listing, readListing } from "./listing";
import { type Named, namedEntry } from "./references";

const text = z.string().optional().catch(undefined);
/** A text is a name here, also one of digits. */
const bareName = z
  .string()
  .min(1)
  .transform((name): Named => ({ name }));
const groupOfUser = z.union([bareName, namedEntry("name")]).catch({});

/** An entry of a user list: a record, or a bare e-mail address. The API's manual documents only the first three fields. */
const user = z
  .preprocess(
    (entry) => (typeof entry === "string" && entry.includes("@") ? { email: entry } : entry),
    z.looseObject({
      id: answeredId,
      user_id: answeredId,
      email: z.string().nullish(),
      name: text,
      is_admin: z.boolean().optional().catch(undefined),
      groups: z.array(groupOfUser).optional().catch(undefined),
      authentication_token: text,
    }),
  )
  .transform((entry) => ({
    id: entry.id,
    userId: entry.user_id,
    email: entry.email ?? undefined,
    name: entry.name,
    isAdmin: entry.is_admin,
    /** Undefined if the list does not say. */
    isDisabled: isDisabled(entry),
    /** Undefined if the list does not show them. */
    groups: entry.groups,
    token: entry.authentication_token,
  }))
  .refine(({ id, email }) => id !== undefined || email !== undefined);
export type ListedUser = z.output<typeof user>;

type ListOperation = typeof operations.listUsers | typeof operations.listPendingUsers;

export function listUsers(api: Client, operation: ListOperation): Promise<Listing<ListedUser>> {
  return readListing(api, { operation, page: pageOf("users", user), entry: user });
}

/** Bare, in a record, or paired with an id. */
const email = z.preprocess(
  (entry) => (Array.isArray(entry) ? entry.find((one) => String(one).includes("@")) : entry),
  user.transform((found) => found.email).pipe(z.string()),
);

export function listEmails(api: Client): Promise<Listing<string>> {
  return readListing(api, { operation: operations.listUserEmails, page: pageOf("emails", email), entry: email });
}

/** The API's manual documents no field for this, so the likely ones are tried, in this order; and whether each means it. */
const disabledFlags = {
  disabled: true,
  is_disabled: true,
  is_enabled: false,
  enabled: false,
  is_active: false,
  active: false,
};

function isDisabled(entry: Fields): boolean | undefined {
  for (const [name, meaning] of Object.entries(disabledFlags)) {
    const said = String(entry[name]);
    if (/^(true|false|0|1)$/.test(said)) return /^(true|1)$/.test(said) === meaning;
  }
  const { status, disabled_at: since, svc_user: inner } = entry;
  if (typeof status === "string" && /^(enabled|active|disabled|inactive|pending)$/i.test(status))
    return !/^(enabled|active)$/i.test(status);
  if (since !== undefined) return since !== null && since !== "";
  return isFields(inner) ? isDisabled(inner) : undefined;
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

export function toUser(user: ListedUser): z.output<typeof userShape> {
  const { email, name, isDisabled: disabled, isAdmin } = user;
  const groups = user.groups?.flatMap((group) => group.name ?? []);
  return { id: integer(user.id), userId: integer(user.userId), email, name, disabled, isAdmin, groups };
}

function integer(id: Id | undefined): number | undefined {
  return id !== undefined && /^\d+$/.test(String(id)) && Number.isSafeInteger(Number(id)) ? Number(id) : undefined;
}

/** What is kept for a while: without the token, which must not be passed on. */
export type KnownUser = Omit<ListedUser, "token">;

export interface KnownUsers {
  readonly users: readonly KnownUser[];
  readonly isComplete: boolean;
}

export const usersOf = (api: Client): SharedRead<KnownUsers> => api.shared(makeUsers);
const makeUsers = (api: Client): SharedRead<KnownUsers> =>
  new SharedRead(async () => {
    const { records, isComplete } = await listUsers(api, operations.listUsers);
    // The token belongs to a user, so an empty list cannot be complete.
    return { users: records.map(({ token: _, ...known }) => known), isComplete: isComplete && records.length > 0 };
  });

export function findUser({ users }: KnownUsers, idOrEmail: Id): KnownUser | undefined {
  const wanted = String(idOrEmail).toLowerCase();
  return users.find(({ id, email }) => String(id ?? "").toLowerCase() === wanted || email?.toLowerCase() === wanted);
}
