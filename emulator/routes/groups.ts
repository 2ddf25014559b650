import { z } from "zod";
import { access } from "../auth";
import { conflict, notFound } from "../errors";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";

type Path = Record<string, string>;

function groupOf({ store, account }: Context, { group_id }: Path): RecordOf<"groups"> {
  const group = /^\d+$/.test(group_id ?? "") ? store.get("groups", account.id, Number(group_id)) : undefined;
  if (!group) throw notFound(`there is no group ${group_id}`);
  return group;
}

function roleOf({ store, account }: Context, { role }: Path): RecordOf<"roles"> {
  const roles = store.list("roles", account.id);
  const found = roles.find(({ id }) => String(id) === role) ?? roles.find(({ name }) => name === role);
  if (!found) throw notFound(`there is no role ${role}`);
  return found;
}

const answer = z.object({ status: z.literal("done") });
const params = z.strictObject({});
const base = "/api/v1.2/groups/:group_id/roles/:role";

const assign = defineRoute({
  operation: "groups.assignRole",
  summary: "Assign a role, by id or name, to a group",
  method: "PUT",
  paths: [`${base}/assign`],
  access: access.assignRole,
  from: "body",
  params,
  answer,
  handle: (context, _params, path) => changeRole(context, path, "assign"),
});

const unassign = defineRoute({
  operation: "groups.unassignRole",
  summary: "Unassign a role, by id or name, from a group",
  method: "PUT",
  paths: [`${base}/unassign`],
  access: access.unassignRole,
  from: "body",
  params,
  answer,
  handle: (context, _params, path) => changeRole(context, path, "unassign"),
});

function changeRole(context: Context, path: Path, change: "assign" | "unassign"): z.output<typeof answer> {
  const group = groupOf(context, path);
  const role = roleOf(context, path);
  const others = group.roles.filter((id) => id !== role.id);
  const has = others.length < group.roles.length;
  if (has !== (change === "assign")) {
    const roles = change === "assign" ? [...others, role.id] : others;
    context.store.put("groups", context.account.id, { ...group, roles });
  } else if (context.readings.roleRepeated === "refused") {
    throw has
      ? conflict(`${group.name} has the role ${role.name} already`)
      : notFound(`${group.name} does not have the role ${role.name}`);
  }
  return { status: "done" };
}

export const groupRoutes = [assign, unassign];
