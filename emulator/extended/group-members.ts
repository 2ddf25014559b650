import { z } from "zod";
import { anyone } from "../auth";
import { conflict, invalid, notFound } from "../errors";
import { recordOf, usersOfPath } from "../lookup";
import type { RecordOf, User } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "../routes/shared";
import { isSystemGroup, roleEntry, showRole } from "../show-access";
import { changeMembers, membersOf, rolesOf } from "./groups";
import { listForms } from "./paging";

type Path = Record<string, string>;

const base = "/api/v1.2/groups/:group";
const none = z.strictObject({});

/** The group and users of a change, after its checks. */
function changed(context: Context, path: Path, change: "add" | "remove"): [RecordOf<"groups">, User[]] {
  const group = recordOf(context, "groups", path.group);
  if (isSystemGroup(group) && context.readings.systemGroupMembers === "refused")
    throw invalid(`${group.name} is a system group: its members cannot be changed`);
  const users = usersOfPath(context, path.users);
  const repeated = users.find((user) => user.groups.includes(group.id) === (change === "add"));
  if (repeated && context.readings.memberRepeated === "refused")
    throw change === "add"
      ? conflict(`${repeated.email} is a member of ${group.name} already`)
      : notFound(`${repeated.email} is not a member of ${group.name}`);
  return [group, users];
}

const add = defineRoute({
  operation: "groups.addUsers",
  summary: "Add users, by id or e-mail address, to a group",
  method: "PUT",
  paths: [`${base}/svc_users/:users/add`],
  access: anyone("adding users to a group"),
  params: none,
  answer: z.object({ status: z.literal("done") }),
  handle(context, _params, path) {
    const [group, users] = changed(context, path, "add");
    changeMembers(context, group, users);
    return { status: "done" };
  },
});

const remove = defineRoute({
  operation: "groups.removeUsers",
  summary: "Remove users, by id or e-mail address, from a group",
  method: "PUT",
  paths: [`${base}/svc_users/:users/remove`],
  access: anyone("deleting users from a group"),
  params: none,
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, _params, path) {
    const [group, users] = changed(context, path, "remove");
    changeMembers(context, group, [], users);
    return done(`users removed from ${group.name}`);
  },
});

const memberEntry = z.object({ id: z.int(), user_id: z.int(), email: z.string(), name: z.string() });

const users = defineRoute({
  operation: "groups.users",
  summary: "List the users of a group",
  method: "GET",
  paths: [`${base}/svc_users`],
  access: anyone("viewing users of a group"),
  answer: z.object({ users: z.array(memberEntry) }),
  handle(context, _params, path) {
    const members = membersOf(context, recordOf(context, "groups", path.group));
    const records = members.map(({ id, user_id, email, name }) => ({ id, user_id, email, name }));
    const forms = {
      users: { users: records },
      svc_users: { svc_users: records },
      array: records,
      ids: records.map(({ id }) => id),
      emails: records.map(({ email }) => email),
    };
    return forms[context.readings.groupUsers];
  },
});

const roles = defineRoute({
  operation: "groups.roles",
  summary: "List the roles of a group",
  method: "GET",
  paths: [`${base}/roles`],
  access: anyone("viewing roles of a group"),
  answer: z.object({ roles: z.array(roleEntry) }),
  handle(context, _params, path) {
    const { account, readings } = context;
    const found = rolesOf(context, recordOf(context, "groups", path.group)).map((role) => showRole(account.id, role));
    return listForms("roles", found)[readings.groupRoles];
  },
});

export const extendedGroupMemberRoutes = [add, remove, users, roles];
