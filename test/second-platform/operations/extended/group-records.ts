import { missing } from "../../answers";
import type { Group, Role, User } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";
import { builtIn } from "../group-roles";
import { emailOf } from "../users";
import type { Item } from "./lists";
import { roleRecord } from "./role-records";

/** A group by its id or name; view and update are printed with an id only. */
export function groupMeant(call: Call, byName = true): Group {
  const given = call.path["group"] ?? "";
  const own = call.world.data.groups.filter((group) => group.accountId === call.user.accountId);
  const group =
    own.find((one) => String(one.id) === given) ?? (byName ? own.find((one) => one.name === given) : undefined);
  if (!group || !call.world.passed(group.shown)) throw missing(`group ${given} not found`);
  return group;
}

export function groupRecord(world: World, group: Group): Record<string, unknown> {
  const { id, name } = group;
  const source = builtIn.includes(name) ? "system" : "user-defined";
  const times = { created_at: world.stamp(world.now()), updated_at: world.stamp(world.now()) };
  return {
    "id, name, source": { id, name, source },
    "id and name": { id, name },
    "account_id and times too": { id, name, source, account_id: group.accountId, ...times },
    "group_name for name": { id, group_name: name, source },
    "nested under group": { group: { id, name, source } },
  }[world.switches.groupFields];
}

/** Members of a group, as they were while a change is not visible yet. */
export function membersOf(world: World, group: Group): User[] {
  const old = group.previousMembers;
  const ids = old && !world.passed(old.delay) ? old.users : undefined;
  return world.data.users.filter((user) => (ids ? ids.includes(user.id) : user.groups.includes(group.id)));
}

export function userItem(world: World, user: User): Item {
  const id = world.switches.groupUsersIds === "user_id" ? user.userId : user.id;
  const record = { id, user_id: user.userId, email: emailOf(world, user), name: user.name };
  return { id, name: emailOf(world, user), record };
}

export const roleItem = (world: World, role: Role): Item => ({
  id: role.id,
  name: role.name,
  record: roleRecord(world, role),
});

export function rolesOf(world: World, group: Group): Role[] {
  const old = group.previousRoles;
  const ids = old && !world.passed(old.delay) ? old.roles : group.roles;
  return ids.flatMap((id) => world.data.roles.find((role) => role.id === id) ?? []);
}

function memberField(world: World, items: Item[]): unknown {
  switch (world.switches.groupViewMembers) {
    case "ids as text":
      return items.map((item) => String(item.id));
    case "names":
      return items.map((item) => item.name);
    case "records":
      return items.map((item) => item.record);
    case "comma text of ids":
      return items.map((item) => item.id).join(",");
    case "ids, null when none":
      return items.length === 0 ? null : items.map((item) => item.id);
    case "counts":
      return items.length;
    default:
      return items.map((item) => item.id);
  }
}

/** The view's fields beside the group's own: nothing by default, since no source shows any. */
export function groupMembership(world: World, group: Group): Record<string, unknown> {
  if (world.switches.groupViewMembers === "absent") return {};
  const members = membersOf(world, group).map((user) => userItem(world, user));
  const held = rolesOf(world, group).map((role) => roleItem(world, role));
  return { members: memberField(world, members), roles: memberField(world, held) };
}
