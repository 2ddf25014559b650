import { type Answer, invalid, missing, ok, refuseIf } from "../answers";
import type { Group, Role } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { pick } from "../rights";

/** The role meant by an id or a name. */
function roleMeant(call: Call, given: string): Role {
  const own = call.world.data.roles.filter((role) => role.accountId === call.user.accountId);
  const found = own.find((role) => String(role.id) === given) ?? own.find((role) => role.name === given);
  if (!found) throw missing(`role ${given} not found`);
  return found;
}

const roleOf = (call: Call): Role => roleMeant(call, call.path["role"] ?? "");

function groupOf(call: Call): Group {
  const given = call.path["group"] ?? "";
  return pick(call, call.world.data.groups, (group) => String(group.id) === given, `group ${given}`);
}

function checkBody(call: Call): void {
  const { rawBody } = call;
  const empty = typeof rawBody === "object" && rawBody !== null && !Array.isArray(rawBody);
  if (!empty || Object.keys(rawBody).length > 0) throw invalid("the body must be an empty object");
}

function assign(call: Call): Answer {
  checkBody(call);
  const group = groupOf(call);
  const role = roleOf(call);
  if (group.roles.includes(role.id)) refuseIf(call.world.switches.roleAssigned, "the role is assigned already");
  else group.roles.push(role.id);
  return ok({ status: "done" });
}

function unassign(call: Call): Answer {
  checkBody(call);
  const group = groupOf(call);
  const role = roleOf(call);
  group.roles = group.roles.filter((id) => id !== role.id);
  return ok({ status: "done" });
}

const path = "/api/v1.2/groups/:group/roles/:role";

export const groupRoleOperations: readonly Operation[] = [
  operation("groupRoles.assign", `PUT ${path}/assign`, needs.assignRoles, assign),
  operation("groupRoles.unassign", `PUT ${path}/unassign`, needs.unassignRoles, unassign),
];
