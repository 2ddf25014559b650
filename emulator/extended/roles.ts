import { z } from "zod";
import { anyone } from "../auth";
import { conflict, invalid } from "../errors";
import { checkName, recordById, recordOf } from "../lookup";
import type { RecordOf } from "../records";
import { parseRolePolicy } from "../role-policy";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "../routes/shared";
import { groupEntry, hasRole, isSystemRole, roleEntry, showGroup, showRole } from "../show-access";
import { listForms, pageParams, showList } from "./paging";

type Role = RecordOf<"roles">;

const path = "/api/v1.2/roles";

function show({ account, readings }: Context, role: Role): object {
  const { policy, ...shown } = showRole(account.id, role);
  const forms = {
    text: { ...shown, policy },
    array: { ...shown, policy: JSON.parse(policy) },
    policies: { ...shown, policies: policy },
    plain: { id: shown.id, name: shown.name, source: shown.source },
  };
  return forms[readings.roleRecord];
}

function changeable(role: Role): Role {
  if (isSystemRole(role))
    throw invalid(`${role.name} is a system role: it cannot be changed or deleted, only duplicated`);
  return role;
}

const groupsWith = ({ store, account }: Context, role: Role) =>
  store.list("groups", account.id).filter((group) => hasRole(group, role));

const list = defineRoute({
  operation: "roles.list",
  summary: "List the roles",
  method: "GET",
  paths: [path],
  access: anyone("viewing roles"), // not shown
  params: pageParams,
  answer: z.object({ roles: z.array(roleEntry) }),
  handle(context, params) {
    const all = context.store.list("roles", context.account.id).map((role) => show(context, role));
    return showList(context.readings.roleList, "roles", all, params, context.readings);
  },
});

const view = defineRoute({
  operation: "roles.view",
  summary: "View a role",
  method: "GET",
  paths: [`${path}/:id`],
  access: anyone("viewing roles"), // not shown
  answer: roleEntry,
  handle: (context, _params, { id }) => show(context, recordById(context, "roles", id)),
});

const name = z.string().min(1);
const policies = z.string().describe("JSON-encoded array of {resource, action, access}");
const created = z.object({ status: z.literal("success"), roles: roleEntry });

function add({ store, account }: Context, role: Omit<Role, "id">): z.infer<typeof created> {
  const stored = store.put("roles", account.id, { ...role, id: store.nextId("roles") });
  return { status: "success", roles: showRole(account.id, stored) };
}

const create = defineRoute({
  operation: "roles.create",
  summary: "Create a role",
  method: "POST",
  paths: [path],
  access: anyone("creating roles"),
  params: z.strictObject({ name, policies }),
  answer: created,
  handle(context, given) {
    checkName(context, "roles", given.name);
    const parsed = parseRolePolicy(given.policies, "policies");
    return add(context, { name: given.name, permissions: [], policies: parsed, source: "user-defined" });
  },
});

const update = defineRoute({
  operation: "roles.update",
  summary: "Change the name and policies of a role",
  method: "PUT",
  paths: [`${path}/:id`],
  access: anyone("updating roles"), // not shown
  params: z.strictObject({ name, policies }).partial(),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, given, { id }) {
    const role = changeable(recordById(context, "roles", id));
    if (given.name !== undefined) checkName(context, "roles", given.name, role.id);
    const stored = context.store.put("roles", context.account.id, {
      ...role,
      ...(given.name !== undefined && { name: given.name }),
      ...(given.policies !== undefined && { policies: parseRolePolicy(given.policies, "policies") }),
    });
    return done(`role ${stored.name} updated`);
  },
});

const remove = defineRoute({
  operation: "roles.delete",
  summary: "Delete a role, by id or name",
  method: "DELETE",
  paths: [`${path}/:role`],
  access: anyone("deleting roles"),
  answer: z.object({ status: z.literal("done") }),
  handle(context, _params, path) {
    const { store, account, readings } = context;
    const role = changeable(recordOf(context, "roles", path.role));
    const groups = groupsWith(context, role);
    if (groups.length > 0 && readings.roleDeleteAssigned === "refused")
      throw conflict(`${role.name} is assigned to ${groups.map((group) => group.name).join(", ")}: unassign it first`);
    for (const group of groups)
      store.put("groups", account.id, { ...group, roles: group.roles.filter((id) => id !== role.id) });
    store.delete("roles", account.id, role.id);
    return { status: "done" };
  },
});

const groups = defineRoute({
  operation: "roles.groups",
  summary: "List the groups that have a role, by id or name",
  method: "GET",
  paths: [`${path}/:role/groups`],
  access: anyone("viewing groups of a role"),
  answer: z.object({ groups: z.array(groupEntry) }),
  handle(context, _params, path) {
    const found = groupsWith(context, recordOf(context, "roles", path.role)).map(showGroup);
    return listForms("groups", found)[context.readings.roleGroups];
  },
});

const duplicate = defineRoute({
  operation: "roles.duplicate",
  summary: "Duplicate a role",
  method: "POST",
  paths: [`${path}/:id/duplicate`],
  access: anyone("creating roles"),
  params: z.strictObject({
    name: name.optional().describe("Default: the role's name and -clone"),
    policy: policies.optional().describe("Default: the role's"),
  }),
  answer: created,
  answerNotShown: true,
  handle(context, given, { id }) {
    const role = recordById(context, "roles", id);
    const own = given.name ?? `${role.name}-clone`;
    checkName(context, "roles", own);
    const parsed = given.policy === undefined ? role.policies : parseRolePolicy(given.policy, "policy");
    return add(context, {
      name: own,
      permissions: role.permissions,
      source: "user-defined",
      ...(parsed && { policies: parsed }),
    });
  },
});

export const extendedRoleRoutes = [list, view, create, update, remove, groups, duplicate];
