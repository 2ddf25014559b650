import { z } from "zod";
import { anyone } from "../auth";
import { invalid } from "../errors";
import { checkName, recordById, recordOf, rolesIn, severalSchema, usersIn } from "../lookup";
import type { RecordOf, User } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "../routes/shared";
import { groupEntry, hasRole, isSystemGroup, showGroup } from "../show-access";
import { pageParams, showList } from "./paging";

type Group = RecordOf<"groups">;

const path = "/api/v1.2/groups";

export const membersOf = ({ store, account }: Context, { id }: Group): User[] =>
  store.list("users", account.id).filter(({ groups }) => groups.includes(id));

export const rolesOf = ({ store, account }: Context, group: Group): RecordOf<"roles">[] =>
  store.list("roles", account.id).filter((role) => hasRole(group, role));

/** Users keep their memberships; a group has no list of its own. Whoever is in both lists stays. */
export function changeMembers({ store, account }: Context, { id }: Group, joining: User[], leaving: User[] = []): void {
  for (const user of leaving.filter((one) => one.groups.includes(id) && !joining.includes(one)))
    store.put("users", account.id, { ...user, groups: user.groups.filter((group) => group !== id) });
  for (const user of joining.filter((one) => !one.groups.includes(id)))
    store.put("users", account.id, { ...user, groups: [...user.groups, id] });
}

function show(context: Context, group: Group): object {
  const members = membersOf(context, group);
  const roles = rolesOf(context, group);
  const parts = {
    plain: {},
    ids: { members: members.map(({ id }) => id), roles: roles.map(({ id }) => id) },
    records: {
      members: members.map(({ id, email, name }) => ({ id, email, name })),
      roles: roles.map(({ id, name }) => ({ id, name })),
    },
  };
  return { ...showGroup(group), ...parts[context.readings.groupRecord] };
}

function changeable(group: Group): Group {
  if (isSystemGroup(group)) throw invalid(`${group.name} is a system group: it cannot be changed or deleted`);
  return group;
}

const list = defineRoute({
  operation: "groups.list",
  summary: "List the groups",
  method: "GET",
  paths: [path],
  access: anyone("viewing groups"), // not shown
  params: pageParams,
  answer: z.object({ groups: z.array(groupEntry) }),
  handle(context, params) {
    const all = context.store.list("groups", context.account.id).map((group) => show(context, group));
    return showList(context.readings.groupList, "groups", all, params, context.readings);
  },
});

const view = defineRoute({
  operation: "groups.view",
  summary: "View a group",
  method: "GET",
  paths: [`${path}/:id`],
  access: anyone("viewing groups"), // not shown
  answer: groupEntry,
  handle: (context, _params, { id }) => show(context, recordById(context, "groups", id)),
});

const members = severalSchema.describe("Users, by id or e-mail address: an array, or a string with commas");
const roles = severalSchema.describe("Roles, by id or name: an array, or a string with commas");

const create = defineRoute({
  operation: "groups.create",
  summary: "Create a group",
  method: "POST",
  paths: [path],
  access: anyone("creating a group"),
  params: z.strictObject({ name: z.string().min(1), members: members.optional(), roles: roles.optional() }),
  answer: z.object({ status: z.literal("done") }),
  handle(context, given) {
    const { store, account, readings } = context;
    checkName(context, "groups", given.name);
    const joining = usersIn(context, "members", given.members);
    const assigned = rolesIn(context, "roles", given.roles).map(({ id }) => id);
    const id = store.nextId("groups");
    const group = store.put("groups", account.id, { id, name: given.name, roles: assigned });
    changeMembers(context, group, joining);
    const forms = { done: { status: "done" }, id: { status: "done", id }, record: show(context, group) };
    return forms[readings.groupCreateAnswer];
  },
});

const update = defineRoute({
  operation: "groups.update",
  summary: "Change the name, members and roles of a group",
  method: "PUT",
  paths: [`${path}/:id`],
  access: anyone("updating a group"), // not shown
  params: z
    .strictObject({
      name: z.string().min(1),
      members,
      roles,
      removed_members: members,
      removed_roles: roles,
    })
    .partial(),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, given, { id }) {
    const { store, account, readings } = context;
    const group = changeable(recordById(context, "groups", id));
    const name = given.name ?? group.name;
    checkName(context, "groups", name, group.id);
    const joining = usersIn(context, "members", given.members);
    const leaving = usersIn(context, "removed_members", given.removed_members);
    const adding = rolesIn(context, "roles", given.roles).map((role) => role.id);
    const removing = rolesIn(context, "removed_roles", given.removed_roles).map((role) => role.id);
    const both = [...joining, ...adding].some((one) => [...leaving, ...removing].includes(one));
    if (both) throw invalid("the same user or role is added and removed");
    const replaces = readings.groupUpdateLists === "replaced";
    const kept = replaces && given.roles !== undefined ? [] : group.roles.filter((role) => !removing.includes(role));
    store.put("groups", account.id, { ...group, name, roles: [...new Set([...kept, ...adding])] });
    const former = replaces && given.members !== undefined ? membersOf(context, group) : leaving;
    changeMembers(context, group, joining, former);
    return done(`group ${name} updated`);
  },
});

const remove = defineRoute({
  operation: "groups.delete",
  summary: "Delete a group, by id or name",
  method: "DELETE",
  paths: [`${path}/:group`],
  access: anyone("deleting a group"),
  answer: z.object({ status: z.literal("success") }),
  handle(context, _params, path) {
    const group = changeable(recordOf(context, "groups", path.group));
    changeMembers(context, group, [], membersOf(context, group));
    context.store.delete("groups", context.account.id, group.id);
    return { status: "success" };
  },
});

const duplicate = defineRoute({
  operation: "groups.duplicate",
  summary: "Duplicate a group, with its members and roles",
  method: "POST",
  paths: [`${path}/:id/duplicate`],
  access: anyone("creating a group"),
  params: z.strictObject({ name: z.string().min(1).optional().describe("Default: the group's name and -clone") }),
  answer: groupEntry,
  answerNotShown: true,
  handle(context, given, path) {
    const { store, account } = context;
    const group = recordById(context, "groups", path.id);
    const name = given.name ?? `${group.name}-clone`;
    checkName(context, "groups", name);
    const clone = store.put("groups", account.id, { id: store.nextId("groups"), name, roles: group.roles });
    changeMembers(context, clone, membersOf(context, group));
    return show(context, clone);
  },
});

export const extendedGroupRoutes = [list, view, create, update, remove, duplicate];
