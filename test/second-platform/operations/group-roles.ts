import { type Answer, invalid, ok, page, Refusal, refuseIf } from "../answers";
import type { Group, Role } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { pick } from "../rights";

export const builtIn = ["system-admin", "system-user", "everyone"];

/** The role meant by an id or a name. */
export function roleMeant(call: Call, given: string): Role {
  const { world } = call;
  const { switches } = world;
  const fold = (name: string) => (switches.roleCase === "ignored" ? name.toLowerCase() : name);
  const byId = (role: Role) => String(role.id) === given;
  const byName = (role: Role) => fold(role.name) === fold(given);
  const ways = switches.roleNumber === "id first" ? [byId, byName] : [byName, byId];
  const own = world.data.roles.filter((role) => role.accountId === call.user.accountId);
  const found = ways.map((way) => own.find(way)).find((role) => role !== undefined);
  return found ?? pick(call, world.data.roles, (role) => byId(role) || byName(role), `role ${given}`);
}

export function roleOf(call: Call): Role {
  if (/%2f/i.test(call.rawPath["role"] ?? "") && call.world.switches.roleSlash === "404 page")
    throw new Refusal("missing", "no such page", page(404, "404 Not Found"));
  return roleMeant(call, call.path["role"] ?? "");
}

function groupOf(call: Call): Group {
  const given = call.path["group"] ?? "";
  const named = call.world.switches.groupName === "accepted";
  const fits = (group: Group) => String(group.id) === given || (named && group.name === given);
  const group = pick(call, call.world.data.groups, fits, `group ${given}`);
  if (builtIn.includes(group.name)) refuseIf(call.world.switches.builtInGroups, `${group.name} cannot be changed`);
  return group;
}

/** Roles that the extended operations go on showing until a change is visible to them. */
function remember(call: Call, group: Group): void {
  const { world } = call;
  if (world.extended)
    group.previousRoles = { roles: [...group.roles], delay: world.delay(world.switches.groupRolesDelay) };
}

function checkBody(call: Call): void {
  if (call.world.switches.roleBody === "ignored") return;
  const { rawBody } = call;
  const empty = typeof rawBody === "object" && rawBody !== null && !Array.isArray(rawBody);
  if (!empty || Object.keys(rawBody).length > 0) throw invalid("the body must be an empty object");
}

function assign(call: Call): Answer {
  checkBody(call);
  const group = groupOf(call);
  const role = roleOf(call);
  remember(call, group);
  if (group.roles.includes(role.id)) {
    refuseIf(call.world.switches.roleAssigned, "the role is assigned already");
    if (call.world.switches.roleAssigned === "assigned twice") group.roles.push(role.id);
  } else group.roles.push(role.id);
  return ok({ status: "done" });
}

function unassign(call: Call): Answer {
  checkBody(call);
  const group = groupOf(call);
  const role = roleOf(call);
  remember(call, group);
  const index = group.roles.indexOf(role.id);
  if (index < 0) refuseIf(call.world.switches.roleNotAssigned, "the role is not assigned");
  else group.roles.splice(index, 1);
  return ok({ status: "done" });
}

const path = "/api/v1.2/groups/:group/roles/:role";

export const groupRoleOperations: readonly Operation[] = [
  operation("groupRoles.assign", `PUT ${path}/assign`, needs.assignRoles, assign),
  operation("groupRoles.unassign", `PUT ${path}/unassign`, needs.unassignRoles, unassign),
];
