import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { type Operation, operations } from "../api/operations";
import type { Context } from "../core/define";
import { actOn } from "../core/extended";
import { answeredId, type Id } from "../values/id";
import { pageWith } from "./entries";
import { groupRoleKey, groups, memberKey } from "./groups";
import { listUnder } from "./listing";
import { Directory, isNumeric, type Named } from "./references";
import { roleDirectory } from "./roles";
import { type KnownUsers, usersOf } from "./users";

/** What the platform shows of a group's members or roles. */
export type Shown = readonly Named[] | "gone" | "unknown";

/** The members of groups, or their roles: what a group has several of, and how that is read and changed. */
export interface Part {
  readonly what: "user" | "role";
  /** The operations that add and remove. */
  readonly add: Operation;
  readonly remove: Operation;
  /** What declares one of them in a group. */
  readonly key: (thing: Id, group: Id) => string;
  readonly read: (context: Context, group: Named) => Promise<Shown>;
  /** `isComplete`: whether it certainly knows all that there are. */
  readonly directory: (
    context: Context,
    wanted: readonly Id[],
  ) => Promise<{ readonly directory: Directory; readonly isComplete: boolean }>;
  /** How a request names one. */
  readonly spell: (one: Named) => Id;
  /** Calls `done` after each request, so that a refusal in the middle does not lose what went before. */
  readonly send: (
    api: Client,
    change: "add" | "remove",
    group: Named,
    things: readonly Id[],
    done: (things: readonly Id[]) => void,
  ) => Promise<void>;
  /** Fields of an update of the group that do the same, if the installation lacks the operation. */
  readonly fields?: { readonly add: "members"; readonly remove: "removed_members" };
}

/** A path with this many users is short enough for any server. */
const usersPerRequest = 50;

export const members: Part = {
  what: "user",
  add: extendedOperations.addGroupUsers,
  remove: extendedOperations.removeGroupUsers,
  key: memberKey,
  fields: { add: "members", remove: "removed_members" },
  // The manual does not say which of a user's two ids is meant.
  spell: ({ id, name }) => name ?? id ?? "",

  async read(context, group) {
    const listed = await readList(context, extendedOperations.listGroupUsers, group, "users", "email");
    if (listed !== "unknown") return listed;
    // The users of the account show their groups too.
    const { users, isComplete } = await knownUsers(context);
    if (!isComplete || users.some(({ groups }) => groups === undefined)) return "unknown";
    const isIn = (one: Id) => String(one) === String(group.id) || one === group.name;
    return users.filter(({ groups }) => groups?.some(isIn)).map(({ id, email }) => ({ id, name: email }));
  },

  async directory(context) {
    const known = await knownUsers(context);
    const all = known.users.map(({ id, email }) => ({ id, name: email }));
    return { directory: new Directory(all, (email) => email.toLowerCase()), isComplete: known.isComplete };
  },

  async send(api, change, group, things, done) {
    const operation = change === "add" ? extendedOperations.addGroupUsers : extendedOperations.removeGroupUsers;
    try {
      // A list holds either ids or e-mail addresses.
      for (const users of [things.filter(isNumeric), things.filter((one) => !isNumeric(one))])
        for (let start = 0; start < users.length; start += usersPerRequest) {
          const some = users.slice(start, start + usersPerRequest);
          await api.call(operation, {
            path: { group: segment(group), users: some.join(",") },
            body: {},
            answer: anyAnswer,
          });
          done(some);
        }
    } finally {
      usersOf(api).written();
    }
  },
};

export const groupRoles: Part = {
  what: "role",
  add: operations.assignRole,
  remove: operations.unassignRole,
  key: groupRoleKey,
  spell: segment,
  read: (context, group) => readList(context, extendedOperations.listGroupRoles, group, "roles", "name"),

  async directory(context) {
    return { directory: await roleDirectory(context), isComplete: false };
  },

  async send(api, change, group, things, done) {
    const operation = change === "add" ? operations.assignRole : operations.unassignRole;
    for (const role of things) {
      await api.call<string, unknown>(operation, {
        path: { groupId: segment(group), role } as never,
        body: {},
        answer: anyAnswer,
      });
      done([role]);
    }
  },
};

/** How a path names a group. */
export function segment({ id, name }: Named): Id {
  return id ?? name ?? "";
}

/** Without permission to list users, nothing is known. */
async function knownUsers({ api }: Context): Promise<KnownUsers> {
  try {
    return await usersOf(api).fresh();
  } catch (error) {
    if (!isPlatformError(error, "forbidden", "not-found")) throw error;
    return { users: [], isComplete: false };
  }
}

/** The manual does not show these responses: a list, bare or under some name, of records, ids or names. */
async function readList(
  context: Context,
  operation: typeof extendedOperations.listGroupUsers | typeof extendedOperations.listGroupRoles,
  group: Named,
  name: "users" | "roles",
  nameField: "email" | "name",
): Promise<Shown> {
  let entries: readonly (Named | undefined)[] = [];
  let hasList = true;
  const page = pageWith(name, (entry) => namedIn(entry, nameField) !== undefined, splitText).transform((found) => {
    hasList &&= found.hasList;
    return found;
  });
  const read = async () => {
    const listed = await listUnder<string>(context.api, operation, { group: segment(group) } as never, page);
    entries = listed.map((entry) => namedIn(entry, nameField));
  };
  const outcome = await actOn(context, operation, read, () => groups.look(context, segment(group)));
  if (outcome !== "done") return outcome === "gone" ? "gone" : "unknown";
  const readable = entries.filter((entry) => entry !== undefined);
  return hasList && readable.length === entries.length ? readable : "unknown";
}

/** `"14,20"`, bare or in the only field of an object. */
function splitText(answer: unknown): unknown {
  const [inner, ...others] = typeof answer === "object" && answer !== null ? Object.values(answer) : [answer];
  if (typeof inner !== "string" || inner === "" || others.length > 0) return answer;
  return inner.split(",").map((one) => one.trim());
}

const wrapped = z
  .union([
    z.object({ svc_user: z.unknown() }).transform(({ svc_user }) => svc_user),
    z.object({ user: z.looseObject({}) }).transform(({ user }) => user),
    z.object({ role: z.looseObject({}) }).transform(({ role }) => role),
  ])
  .catch(undefined);
const record = z.looseObject({ id: answeredId.catch(undefined) });

/** An id, a name, or a record with one of them. */
function namedIn(entry: unknown, nameField: "email" | "name"): Named | undefined {
  if (typeof entry === "number") return { id: entry };
  if (typeof entry === "string") {
    if (entry === "") return undefined;
    return isNumeric(entry) ? { id: entry } : { name: entry };
  }
  const found = record.safeParse(wrapped.parse(entry) ?? entry).data;
  const name = found?.[nameField];
  if (!found || (found.id === undefined && typeof name !== "string")) return undefined;
  return { id: found.id, name: typeof name === "string" && name !== "" ? name : undefined };
}
