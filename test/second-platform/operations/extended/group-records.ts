import { missing } from "../../answers";
import type { Group, Role, User } from "../../model";
import type { Call } from "../../operation";
import { pick } from "../../rights";
import type { World } from "../../world";
import { builtIn } from "../group-roles";
import { emailOf } from "../users";
import type { Item } from "./lists";
import { roleRecord } from "./role-records";

/** A group by its id or name; view and update are printed with an id only. */
export function groupMeant(call: Call, byName = true): Group {
  const { switches, data } = call.world;
  const given = call.path["group"] ?? "";
  const fold = (name: string) => (switches.groupNameCase === "ignored" ? name.toLowerCase() : name);
  const idFits = (group: Group) => String(group.id) === given;
  const number = switches.groupNumber === "a number is always an id" && /^\d+$/.test(given);
  const nameFits = (group: Group) => byName && !number && fold(group.name) === fold(given);
  const own = data.groups.filter((group) => group.accountId === call.user.accountId);
  const ways = switches.groupNumber === "name first" ? [nameFits, idFits] : [idFits, nameFits];
  const group =
    ways.map((way) => own.find(way)).find((one) => one !== undefined) ??
    pick(call, data.groups, (one) => idFits(one) || nameFits(one), `group ${given}`);
  if (group.shown && !call.world.passed(group.shown)) throw missing(`group ${given} not found`);
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
  const { switches, data } = world;
  const old = group.previousMembers;
  const ids = old && !world.passed(old.delay) ? old.users : undefined;
  return data.users
    .filter((user) => (ids ? ids.includes(user.id) : user.groups.includes(group.id)))
    .filter((user) => switches.groupUsersShown === "all" || user.state === "enabled");
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
  const [users = "", roles = ""] = world.switches.groupViewKeys.split(" and ");
  const members = membersOf(world, group).map((user) => userItem(world, user));
  const held = rolesOf(world, group).map((role) => roleItem(world, role));
  return { [users]: memberField(world, members), [roles]: memberField(world, held) };
}
