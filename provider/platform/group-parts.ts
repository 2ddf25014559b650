import { anyAnswer } from "../api/answer";
import { isPlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { KeyedLock } from "../api/keyed-lock";
import { isSoAfterAll } from "../api/meaning";
import { type Operation, operations } from "../api/operations";
import type { Context } from "../core/define";
import { expectGone } from "../core/gone";
import type { Id } from "../values/id";
import { type Changes, changeEach, failureOf } from "./changes";
import { pageOf } from "./entries";
import { groupRoleKey, groups } from "./groups";
import { lookAt } from "./lacking";
import { readListing } from "./listing";
import { type Directory, type Named, namedEntry, spellings } from "./references";
import { roleDirectory, roles, systemRoles } from "./roles";

/** What the platform shows of a group's members or roles. */
export type Shown = readonly Named[] | "gone" | "unknown";

export type Direction = "add" | "remove";

/** What is known about the part of a group that is to be changed. */
export interface Target {
  readonly group: Named;
  readonly directory: Directory;
  /** What it has, if that is known. */
  readonly shown?: readonly Id[] | undefined;
  /** What it will have, if the program declares all of it. */
  readonly all?: readonly Id[] | undefined;
}

/** The members of groups, or their roles: what a group has several of, and how that is read and changed. */
export interface Part {
  readonly what: "user" | "role";
  /** What is done to add and to remove one. */
  readonly verbs: readonly [string, string];
  /** What declares one of them in a group. */
  readonly key: (thing: Id, group: Id) => string;
  readonly read: (context: Context, group: Named) => Promise<Shown>;
  /** What the account has of them. */
  readonly directory: (context: Context) => Promise<Directory>;
  readonly change: (
    context: Context,
    target: Target,
    direction: Direction,
    things: readonly Id[],
    /** Whether an earlier run may have added them. */
    again: boolean,
  ) => Promise<Changes<Id>>;
  /** Those that the account does not have, as far as its list proves it. */
  readonly missing: (context: Context, things: readonly Id[]) => Promise<readonly Id[]>;
  /** What a group has without anybody's doing, and nobody can take away. */
  readonly comesWith?: (group: Named, one: Named) => boolean;
}

const roleList = groupList(extendedOperations.listGroupRoles, "roles", "name");

export const groupRoles: Part = {
  what: "role",
  verbs: ["assign", "unassign"],
  key: groupRoleKey,
  read: (context, group) => readList(context, roleList, group),
  directory: roleDirectory,
  async missing(context, things) {
    const looks = await Promise.all(things.map((one) => roles.lookInList(context, one)));
    const gone = things.filter((_, index) => looks[index] === "gone");
    if (gone.length > 0) await context.run.othersAreDeclared();
    return gone.filter((one) => context.run.declarerOf(roles.keyOf(String(one))) === undefined);
  },
  comesWith: (group, { name = "" }) => name === group.name && systemRoles.includes(name),

  async change(context, { group, directory, shown }, direction, things, again) {
    const groupId = segment(group);
    const attempts = await changeEach(context.api, things, refusals, changeOne, { atOnce: 1 });
    const verb = this.verbs[direction === "add" ? 0 : 1];
    const what = { change: verb, total: things.length, things: `roles of group ${groupId}` };
    return { ...attempts, error: failureOf(attempts, what) };

    function changeOne(one: Id) {
      const role = String(direction === "add" ? one : segment(directory.of(one)));
      const isThere = async () => {
        const now = shown ? await readPart(context, groupRoles, group, directory) : "unknown";
        return typeof now === "string" ? undefined : directory.among(now)(directory.of(one));
      };
      return changeRole(context, direction, { groupId, role, again, isThere });
    }
  },
};

const refusals = ["rejected", "conflict", "not-found"] as const;

interface Assignment {
  readonly groupId: Id;
  readonly role: string;
  /** Whether an earlier run may have assigned it. */
  readonly again?: boolean;
  /** Whether the group has the role, if a list shows it: a platform may refuse what is so already, in whatever words. */
  readonly isThere?: () => Promise<boolean | undefined>;
}

/** Assigns a role to a group, or unassigns it. */
export async function changeRole(context: Context, direction: Direction, assignment: Assignment): Promise<void> {
  const { groupId, role } = assignment;
  if (direction === "add") noteWritten(context, groupRoles, groupId, [role], direction);
  await sendRole(context, direction, assignment);
  noteWritten(context, groupRoles, groupId, [role], direction);
}

async function sendRole(context: Context, direction: Direction, assignment: Assignment): Promise<void> {
  const { api, log } = context;
  const { groupId, role, again, isThere } = assignment;
  const operation = direction === "add" ? operations.assignRole : operations.unassignRole;
  const request = { path: { groupId, role } as never, body: {}, answer: anyAnswer };
  const put = () => api.call<string, unknown>(operation, request);
  try {
    // One after the other for each group: a platform may lock it while it is changed, and refuse the others with a conflict.
    await api.shared(makeLocks).run(String(groupId), put);
  } catch (error) {
    if (isPlatformError(error, ...refusals) && (await isThere?.()) === (direction === "add")) return;
    const isSo = isSoAfterAll(error, direction, again);
    if (direction === "add") {
      if (!isSo) throw error;
      return log.info(`group ${groupId} already has role ${role}: ${error.message}`);
    }
    const nothing = `nothing to unassign: group ${groupId} does not have role ${role}`;
    if (isSo) return log.warn(`${nothing}: ${error.message}`);
    const warning = `${nothing}, or one of the two no longer exists; if the role was renamed, the group may still have it`;
    await expectGone(context, error, role, warning);
  }
}

const makeLocks = (): KeyedLock => new KeyedLock();

/** How a path names a group. */
export function segment({ id, name }: Named): Id {
  return id ?? name ?? "";
}

/** What this process has done to groups, the latest at the end. */
const makeWritten = (): { part: Part; group: string; one: Id; how: Direction }[] => [];

/** Notes what is removed, once it is; and what is added, before that is sent: it may be there, whatever is answered. */
export function noteWritten({ api }: Context, part: Part, group: Id, things: readonly Id[], how: Direction): void {
  api.shared(makeWritten).push(...things.map((one) => ({ part, group: String(group), one, how })));
}

/** What the platform shows, but for what this process has removed and not added since: a late list still shows that. */
export async function readPart(context: Context, part: Part, group: Named, directory: Directory): Promise<Shown> {
  const read = await part.read(context, group);
  if (typeof read === "string") return read;
  // This run may have renamed a role, and given its old name to another one. A user has two ids, so there the name tells.
  const nameOf = ({ id, name }: Named) => (part.what === "role" && id !== undefined && directory.of(id).name) || name;
  const shown = read.map((one) => ({ id: one.id, name: nameOf(one) }));
  const known = directory.and(shown);
  const names = spellings(group);
  const written = context.api.shared(makeWritten).filter((one) => one.part === part && names.includes(one.group));
  const last = new Map(written.map(({ one, how }) => [known.identityOf(known.of(one)), how]));
  return shown.filter((one) => last.get(known.identityOf(one)) !== "remove");
}

/** The manual does not show these responses: a list, bare or under some name, of records, ids or names. */
export function groupList(operation: Operation, name: "users" | "roles", nameField: "email" | "name") {
  const entry = namedEntry(nameField);
  return { operation, page: pageOf(name, entry), entry };
}

export async function readList(context: Context, list: ReturnType<typeof groupList>, group: Named): Promise<Shown> {
  const read = () => readListing(context.api, { ...list, path: { group: segment(group) } });
  const isGone = async () => (await groups.look(context, segment(group))) === "gone";
  const found = await lookAt(context, list.operation, read, isGone);
  if (typeof found === "string") return found;
  return found.isComplete ? found.records : "unknown";
}
