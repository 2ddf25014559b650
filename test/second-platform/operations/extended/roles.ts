import { type Answer, invalid, missing, ok, unshown } from "../../answers";
import type { Role } from "../../model";
import { type Call, type Operation, operation } from "../../operation";
import { pick } from "../../rights";
import type { World } from "../../world";
import { roleOf } from "../group-roles";
import { inOrder, withOdd } from "./lists";
import { needs, unnamed } from "./needs";
import { paged } from "./paging";
import { readRolePolicy } from "./role-policy";
import { roleRecord } from "./role-records";

function roleMeant(call: Call, byName = true): Role {
  const given = call.path["role"] ?? "";
  const { roles } = call.world.data;
  const role = byName ? roleOf(call) : pick(call, roles, (one) => String(one.id) === given, `role ${given}`);
  if (role.shown && !call.world.passed(role.shown)) throw missing(`role ${given} not found`);
  return role;
}

function listed(world: World, role: Role): Record<string, unknown> {
  const { policy, policies, ...rest } = roleRecord(world, role);
  const form = world.switches.roleListPolicy;
  if (form === "absent") return rest;
  if (form === "null") return { ...rest, policy: null };
  return { ...rest, ...(policy !== undefined && { policy }), ...(policies !== undefined && { policies }) };
}

function list(call: Call): Answer {
  const { world, user } = call;
  const { switches } = world;
  const own = world.data.roles
    .filter((role) => role.accountId === user.accountId)
    .filter((role) => switches.roleListSystem === "listed" || !role.system)
    .filter((role) => world.passed(role.shown));
  const { items, info } = paged(call, switches.roleListPages, inOrder(own, switches.roleListOrder));
  const records = withOdd(
    items.map((role) => listed(world, role)),
    switches.roleListOdd,
  );
  return {
    "under roles": ok({ ...info, roles: records }),
    list: ok(records),
    "under data": ok({ ...info, data: records }),
    "by id": ok(Object.fromEntries(items.map((role) => [String(role.id), listed(world, role)]))),
  }[switches.roleList];
}

function view(call: Call): Answer {
  const { world } = call;
  const record = roleRecord(world, roleMeant(call, false));
  return {
    bare: ok(record),
    "under roles, as on create": ok({ roles: record }),
    "under role": ok({ role: record }),
    "list of one": ok([record]),
    "status and roles": ok({ status: "success", roles: record }),
  }[world.switches.roleViewEnvelope];
}

/** Refuses a name that another role has. */
function checkName(call: Call, name: string, except?: Role): void {
  const { world, user } = call;
  if (name === "") throw invalid("name must not be empty");
  const taken = world.data.roles.some(
    (role) => role !== except && role.accountId === user.accountId && role.name === name,
  );
  if (taken) throw invalid(`a role ${name} exists already`);
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  const { switches } = world;
  const name = parameters.only("name", "policies").needs("name", "policies").text("name") ?? "";
  const policy = readRolePolicy(call);
  checkName(call, name);
  const role: Role = { id: world.nextId("role"), accountId: user.accountId, name, permissions: [], policy };
  role.shown = world.delay(switches.roleCreateDelay);
  world.data.roles.push(role);
  const record = roleRecord(world, role);
  return {
    "status and roles": ok({ status: "success", roles: record }),
    "roles as list": ok({ status: "success", roles: [record] }),
    "under role": ok({ status: "success", role: record }),
    "the record": ok(record),
    "status done": ok({ status: "done" }),
    "id only": ok({ id: role.id }),
  }[switches.roleCreateAnswer];
}

function update(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("name", "policies");
  const role = roleMeant(call, false);
  if (switches.roleUpdateRest === "refused without it") parameters.needs("policies");
  const policy = parameters.has("policies") ? readRolePolicy(call) : undefined;
  const name = parameters.text("name");
  if (name !== undefined) {
    checkName(call, name, role);
    role.name = name;
  }
  if (policy) role.policy = policy;
  else if (switches.roleUpdateRest === "emptied") role.policy = [];
  return unshown(switches.roleUpdateAnswer, roleRecord(world, role));
}

function remove(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const role = roleMeant(call);
  for (const group of world.data.groups) group.roles = group.roles.filter((id) => id !== role.id);
  world.data.roles = world.data.roles.filter((one) => one !== role);
  return {
    "status done": ok({ status: "done" }),
    "status success": ok({ status: "success" }),
    "204": { status: 204 },
    "empty body": { status: 200 },
  }[switches.roleDeleteAnswer];
}

export function roleOperations(): readonly Operation[] {
  const base = "/api/v1.2/roles";
  const one = `${base}/:role`;
  const viewing = unnamed("viewing roles");
  return [
    operation("roles.list", `GET ${base}`, viewing, list),
    operation("roles.view", `GET ${one}`, viewing, view),
    operation("roles.create", `POST ${base}`, needs.createRole, create),
    operation("roles.update", `PUT ${one}`, unnamed("updating a role"), update),
    operation("roles.delete", `DELETE ${one}`, needs.deleteRole, remove),
  ];
}
