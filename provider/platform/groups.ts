import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { type Id, isNumeric } from "../values/id";
import { NamedCollection, namedRecord, type Origin } from "./named-collection";
import { type Named, spellings } from "./references";
import { usersOf } from "./users";

const groupRecord = namedRecord
  .extend({ group_name: namedRecord.shape.name })
  .transform(({ group_name, ...group }) => ({ ...group, name: group.name ?? group_name }));

const systemNames: readonly string[] = ["system-admin", "system-user", "everyone", "dashboard-user"];

export function isSystemGroup({ source, name }: Origin): boolean {
  return source === undefined || source === null ? systemNames.includes(name ?? "") : source === "system";
}

const { listGroups, viewGroup, createGroup, updateGroup, deleteGroup } = extendedOperations;

export const groups = new NamedCollection({
  type: "Group",
  noun: "group",
  listName: "groups",
  record: groupRecord,
  operations: { list: listGroups, view: viewGroup, create: createGroup, update: updateGroup, delete: deleteGroup },
  alsoIn: [usersOf],
  systemNames,
  isSystem: isSystemGroup,
  instead: ". To add users to it, use GroupMembership; to assign roles, GroupRoleAssignment",
});

/** Both names of a group, as far as the list shows them. Undefined if there is no such group. */
export async function namesOfGroup(context: Context, group: Id): Promise<Named | undefined> {
  const byName = !isNumeric(group);
  const found = await groups.lookInList(context, group);
  const renamed = byName && typeof found === "string" ? context.run.movedTo(groups.keyOf(String(group))) : undefined;
  if (renamed !== undefined) return namesOfGroup(context, renamed);
  if (found === "gone") return undefined;
  const named = found === "unknown" ? (byName ? { name: String(group) } : { id: group }) : found;
  const { id, name } = { id: undefined, name: undefined, ...named };
  return { id, name: name ?? undefined, nextName: name ? context.run.nextNameOf(groups.keyOf(name)) : undefined };
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
