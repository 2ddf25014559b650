import { type Answer, invalid, ok, refuseIf, unshown } from "../../answers";
import type { Group } from "../../model";
import { type Call, type Operation, operation } from "../../operation";
import { builtIn } from "../group-roles";
import { addMembers, addRoles, addUsers, readList, removeMembers, removeRoles, removeUsers } from "./group-members";
import { groupMeant, groupMembership, groupRecord, membersOf, roleItem, rolesOf, userItem } from "./group-records";
import { inOrder, listAnswer, withOdd } from "./lists";
import { needs, unnamed } from "./needs";
import { paged } from "./paging";

function list(call: Call): Answer {
  const { world, user } = call;
  const { switches } = world;
  const own = world.data.groups
    .filter((group) => group.accountId === user.accountId)
    .filter((group) => switches.groupListBuiltIn === "listed" || !builtIn.includes(group.name))
    .filter((group) => world.passed(group.shown));
  const { items, info } = paged(call, switches.groupListPages, inOrder(own, switches.groupListOrder));
  const records = withOdd(
    items.map((group) => groupRecord(world, group)),
    switches.groupListOdd,
  );
  return {
    "under groups": ok({ ...info, groups: records }),
    list: ok(records),
    "under data": ok({ ...info, data: records }),
    "by id": ok(Object.fromEntries(items.map((group) => [String(group.id), groupRecord(world, group)]))),
  }[switches.groupList];
}

function view(call: Call): Answer {
  const { world } = call;
  const group = groupMeant(call, false);
  const record = { ...groupRecord(world, group), ...groupMembership(world, group) };
  return {
    bare: ok(record),
    "under group": ok({ group: record }),
    "under groups": ok({ groups: record }),
    "list of one": ok([record]),
  }[world.switches.groupViewEnvelope];
}

function checkName({ world, user }: Call, name: string): void {
  if (world.data.groups.some((group) => group.accountId === user.accountId && group.name === name))
    throw invalid(`a group ${name} exists already`);
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  const { switches } = world;
  const name = parameters.only("name", "members", "roles").needs("name").text("name") ?? "";
  checkName(call, name);
  const lists = { members: readList(call, "members"), roles: readList(call, "roles") };
  const group: Group = { id: world.nextId("group"), accountId: user.accountId, name, roles: [] };
  try {
    addMembers(call, group, lists.members);
    addRoles(call, group, lists.roles);
  } catch (error) {
    for (const one of world.data.users) one.groups = one.groups.filter((id) => id !== group.id);
    throw error;
  }
  group.shown = world.delay(switches.groupCreateDelay);
  world.data.groups.push(group);
  return {
    "status done": ok({ status: "done" }),
    "status done and id": ok({ status: "done", id: group.id }),
    "the record": ok(groupRecord(world, group)),
    "under group": ok({ status: "done", group: groupRecord(world, group) }),
    "under groups": ok({ status: "success", groups: groupRecord(world, group) }),
  }[switches.groupCreateAnswer];
}

function update(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("name", "members", "roles", "removed_members", "removed_roles");
  const group = groupMeant(call, false);
  const name = parameters.text("name");
  if (name !== undefined && name !== group.name) {
    checkName(call, name);
    group.name = name;
  }
  addMembers(call, group, readList(call, "members"));
  addRoles(call, group, readList(call, "roles"));
  const removed = readList(call, "removed_members");
  if (removed.length > 0) removeMembers(call, group, removed);
  removeRoles(call, group, readList(call, "removed_roles"));
  return unshown(switches.groupUpdateAnswer, groupRecord(world, group));
}

function remove(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const group = groupMeant(call);
  const members = world.data.users.filter((user) => user.groups.includes(group.id));
  if (members.length > 0) refuseIf(switches.groupDeleteMembers, `${group.name} has members`);
  for (const user of members) user.groups = user.groups.filter((id) => id !== group.id);
  world.data.groups = world.data.groups.filter((one) => one !== group);
  return {
    "status success": ok({ status: "success" }),
    "without braces": { status: 200, text: '"status":"success"', type: "application/json" },
    "status done": ok({ status: "done" }),
    "204": { status: 204 },
    "empty body": { status: 200 },
  }[switches.groupDeleteAnswer];
}

function users(call: Call): Answer {
  const { world } = call;
  const items = membersOf(world, groupMeant(call)).map((user) => userItem(world, user));
  return listAnswer("users", items, world.switches.groupUsersForm, world.switches.groupUsersNone);
}

function roles(call: Call): Answer {
  const { world } = call;
  const items = rolesOf(world, groupMeant(call)).map((role) => roleItem(world, role));
  return listAnswer("roles", items, world.switches.groupRolesForm, world.switches.groupRolesNone);
}

export function groupOperations(): readonly Operation[] {
  const base = "/api/v1.2/groups";
  const one = `${base}/:group`;
  const change = `${one}/svc_users/:users`;
  const viewing = unnamed("viewing groups");
  const updating = unnamed("updating a group");
  return [
    operation("groups.list", `GET ${base}`, viewing, list),
    operation("groups.view", `GET ${one}`, viewing, view),
    operation("groups.create", `POST ${base}`, needs.createGroup, create),
    operation("groups.update", `PUT ${one}`, updating, update),
    operation("groups.delete", `DELETE ${one}`, needs.deleteGroup, remove),
    operation("groups.addUsers", `PUT ${change}/add`, needs.addGroupUsers, addUsers),
    operation("groups.removeUsers", `PUT ${change}/remove`, needs.removeGroupUsers, removeUsers),
    operation("groups.users", `GET ${one}/svc_users`, needs.viewGroupUsers, users),
    operation("groups.roles", `GET ${one}/roles`, needs.viewGroupRoles, roles),
  ];
}
