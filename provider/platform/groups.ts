import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { attempt, lookFor, required } from "../core/extended";
import { answeredId, type Id, sameId } from "../values/id";
import { recordIn } from "./entries";
import { foundByName, foundIn, type Listing, sharedListing } from "./listing";
import { isNumeric, type Named, spellings } from "./references";
import { usersOf } from "./users";
import { type Kind, type Written, writeOne } from "./write-one";

const text = z.string().nullish().catch(undefined);

/** A group, in a list or in the response to a request. Only the id is required. */
export const groupRecord = z
  .object({
    id: z.union([z.number(), z.string().min(1)]),
    name: text,
    group_name: text,
    source: text,
    account_id: answeredId.catch(undefined),
  })
  .transform(({ group_name, ...group }) => ({ ...group, name: group.name ?? group_name }));
export type GroupRecord = z.output<typeof groupRecord>;

export const groupsOf = sharedListing(extendedOperations.listGroups, "groups", groupRecord);

/** They are in every account, and cannot be changed. */
export const systemGroups: readonly string[] = ["system-admin", "system-user", "everyone", "dashboard-user"];

export function isSystemGroup({ source, name }: Pick<GroupRecord, "source" | "name">): boolean {
  return source === undefined || source === null ? systemGroups.includes(name ?? "") : source === "system";
}

/** By its id, else by its name. */
export function findGroup(listing: Listing<GroupRecord>, idOrName: Id): GroupRecord | undefined {
  return (
    listing.records.find(({ id }) => sameId(id, idOrName)) ??
    listing.find(({ name }) => (name ?? "") === String(idOrName))
  );
}

/** By id or name. */
export async function lookForGroup(context: Context, group: Id): Promise<GroupRecord | "gone" | "unknown"> {
  const { api } = context;
  const { listGroups, viewGroup } = extendedOperations;
  // Only an id can be viewed.
  if (!isNumeric(group)) {
    const listed = await attempt(context, listGroups, () => groupsOf(api).fresh());
    return foundByName(listed?.result, (listing) => findGroup(listing, group));
  }
  return lookFor(context, {
    view: viewGroup,
    read: () => api.call(viewGroup, { path: { group }, answer: recordIn(groupRecord) }),
    list: listGroups,
    find: async () => findGroup(await groupsOf(api).fresh(), group),
  });
}

/** Both names of a group, as far as the list shows them. Undefined if there is no such group. */
export async function namesOfGroup(context: Context, group: Id): Promise<Named | undefined> {
  const listed = await attempt(context, extendedOperations.listGroups, () => groupsOf(context.api).fresh());
  const find = isNumeric(group) ? foundIn<GroupRecord> : foundByName<GroupRecord>;
  const found = find(listed?.result, (listing) => findGroup(listing, group));
  if (found === "gone") return undefined;
  if (found === "unknown") return isNumeric(group) ? { id: group } : { name: String(group) };
  return { id: found.id, name: found.name ?? undefined };
}

/**
 * Creates an empty group that the list did not show before. The response shows no id, so the list tells it, which may
 * show a new group with a delay. Undefined if it does not show the group.
 */
export async function createGroup({ api }: Context, name: string): Promise<GroupRecord | undefined> {
  const listing = groupsOf(api);
  const { createGroup: operation } = extendedOperations;
  const find = async () => {
    listing.written();
    return (await listing.fresh()).find((group) => group.name === name);
  };
  const answer = await listing.writing(() =>
    required(operation, () =>
      api.callOnce(operation, { body: { name }, answer: anyAnswer, looks: maxLookups, lookUp: find }),
    ),
  );
  return recordIn(groupRecord).safeParse(answer).data ?? onceListed(api, find);
}
const maxLookups = 4;

async function onceListed(api: Client, find: () => Promise<GroupRecord | undefined>): Promise<GroupRecord | undefined> {
  try {
    for (let lookup = 1; lookup < maxLookups; lookup++) {
      const found = await find();
      if (found) return found;
      await api.pause(lookup * 500);
    }
    return await find();
  } catch {
    // The group exists, and its name identifies it too.
    return undefined;
  }
}

export interface GroupChange {
  readonly name?: string;
  /** Names or ids, separated by commas. Platforms differ in whether these are added, or replace those of the group. */
  readonly members?: string;
  readonly removed_members?: string;
  readonly roles?: string;
  readonly removed_roles?: string;
}

/** The list of users shows their groups. */
const groups: Kind = { lookFor: lookForGroup, lists: [groupsOf, usersOf] };

/** Fields that are absent stay as they are. */
export function updateGroup(context: Context, group: Id, body: GroupChange): Promise<Written> {
  const { updateGroup: operation } = extendedOperations;
  const put = () => context.api.call(operation, { path: { group }, body, answer: anyAnswer });
  return writeOne(context, groups, group, operation, put);
}

export function deleteGroup(context: Context, group: Id): Promise<Written> {
  const { deleteGroup: operation } = extendedOperations;
  const remove = () => context.api.call(operation, { path: { group }, answer: anyAnswer });
  return writeOne(context, groups, group, operation, remove);
}

/** Both `Group` and `GroupMembership` use this key, so that declaring a member twice is detected. */
export function memberKey(user: Id, group: Id): string {
  return `member ${String(user).toLowerCase()} of group ${group}`;
}

/** Both `Group` and `GroupRoleAssignment` use this key. */
export function groupRoleKey(role: Id, group: Id): string {
  return `role ${role} of group ${group}`;
}

/** A `Group` with `members` declares all members of the group. */
export function memberListKey(group: Id): string {
  return `member list of group ${group}`;
}

/** Both may be declared by an id or by a name. */
export function keysFor(key: (thing: Id, group: Id) => string, thing: Named, group: Named): string[] {
  return spellings(thing).flatMap((one) => spellings(group).map((name) => key(one, name)));
}
