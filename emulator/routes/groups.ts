import { z } from "zod";
import { anyone } from "../auth";
import { conflict, notFound } from "../errors";
import { recordById, recordOf } from "../lookup";
import { type Context, defineRoute } from "../router";

type Path = Record<string, string>;

const answer = z.object({ status: z.literal("done") });
const params = z.strictObject({});
const base = "/api/v1.2/groups/:group_id/roles/:role";

const assign = defineRoute({
  operation: "groups.assignRole",
  summary: "Assign a role, by id or name, to a group",
  method: "PUT",
  paths: [`${base}/assign`],
  access: anyone("assigning roles to a group"),
  params,
  answer,
  handle: (context, _params, path) => changeRole(context, path, "assign"),
});

const unassign = defineRoute({
  operation: "groups.unassignRole",
  summary: "Unassign a role, by id or name, from a group",
  method: "PUT",
  paths: [`${base}/unassign`],
  access: anyone("unassigning roles from a group"),
  params,
  answer,
  handle: (context, _params, path) => changeRole(context, path, "unassign"),
});

function changeRole(context: Context, path: Path, change: "assign" | "unassign"): z.output<typeof answer> {
  const group = recordById(context, "groups", path.group_id);
  const role = recordOf(context, "roles", path.role);
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
