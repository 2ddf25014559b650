import { type Fields, isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import type { OperationName } from "./catalogue";
import { type Step, undoneUnless } from "./cleanup";
import type { Op } from "./findings";
import { type Found, idOf, listIn, recordsIn, statusText, valueIn } from "./forms";
import type { Ask, Session } from "./session";
import { roleChange } from "./specified";

/**
 * The records of a list that has pages according to its manual; undefined where the installation does not have it, or
 * answers with anything else than a list.
 */
export async function readExtendedList(
  session: Session,
  name: "dbTaps.list" | "groups.list" | "roles.list",
  list: string,
  readForm: (op: Op, form: "array" | "named" | "paged") => void,
): Promise<readonly Fields[] | undefined> {
  const answer = await session.expect(name);
  if (!answer) return undefined;
  const { op } = answer;
  const form = answer.listForm(list);
  if (!form) {
    op.notThere(`answers, but not with a list: ${answer.shape}`);
    return undefined;
  }
  readForm(op, form);
  // The status of a page after the last one; a list without pages does not tell.
  const { error } = await session.ask(name, { query: { page: 10_000 } });
  op.reading("pageOutOfBounds", { 404: error?.status === 404, 422: error?.status === 422 });
  return recordsIn(answer.json, list);
}

async function readNamed(session: Session, kind: "groups" | "roles"): Promise<string[]> {
  const named = session.facts[kind];
  const records = await readExtendedList(session, `${kind}.list`, kind, (op, form) =>
    op.reading(kind === "groups" ? "groupList" : "roleList", form),
  );
  for (const { id, name, source } of records ?? [])
    if (idOf(id) !== undefined && typeof name === "string") named.push({ id: idOf(id)!, name, source });
  return named.map(({ id }) => id);
}

export async function readGroups(session: Session): Promise<void> {
  const paths = (await readNamed(session, "groups")).map((group) => ({ group }));
  const ofOne = ["groups.view", "groups.users", "groups.roles"] as const;
  if (paths.length === 0) return session.notTried("no group is known", ...ofOne);
  await untilKnown(session, "groups.view", paths, "groupRecord", ({ json, fields: { members, roles } }) => {
    const [first] = [members, roles].filter(Array.isArray).flat();
    return {
      plain: isFields(json) && members === undefined && roles === undefined,
      records: isFields(first),
      ids: first !== undefined,
    };
  });
  await untilKnown(session, "groups.users", paths, "groupUsers", usersForms, "every list is empty");
  await untilKnown(session, "groups.roles", paths, "groupRoles", listForms("roles"), "every list is empty");
}

export async function readRoles(session: Session): Promise<void> {
  const paths = (await readNamed(session, "roles")).map((role) => ({ role }));
  const [first] = paths;
  if (!first) return session.notTried("no role is known", "roles.view", "roles.groups");
  const view = await session.expect("roles.view", { path: first });
  const { policy, policies } = view?.fields ?? {};
  view?.op.reading("roleRecord", {
    text: typeof policy === "string",
    array: Array.isArray(policy),
    policies: typeof policies === "string",
    plain: isFields(view.json) && !("policy" in view.fields),
  });
  await untilKnown(session, "roles.groups", paths, "roleGroups", listForms("groups"), "every list is empty");
}

/** At most this many things are looked at to find one that tells something. */
const looks = 20;

/** An empty list tells nothing, so ask for one thing after the other until one has entries; `ifEmpty`: if none has. */
async function untilKnown<N extends "groupRecord" | "groupUsers" | "groupRoles" | "roleGroups">(
  session: Session,
  name: OperationName,
  paths: readonly Record<string, string>[],
  reading: N,
  forms: (answer: Answer) => Found<N>,
  ifEmpty?: string,
): Promise<void> {
  for (const path of paths.slice(0, looks)) {
    const answer = await session.expect(name, { path });
    if (!answer) return;
    const found = valueIn<N>(forms(answer));
    if (found !== undefined) return answer.op.reading(reading, found);
    if (ifEmpty !== undefined && answer.text.length > 20) session.leaveOpen(reading, `another form: ${answer.shape}`);
  }
  if (ifEmpty !== undefined) session.leaveOpen(reading, ifEmpty);
}

const firstIn = (json: unknown): unknown => (Array.isArray(json) ? json[0] : undefined);

function usersForms(answer: Answer) {
  const { names, ...forms } = listForms("users")(answer);
  // A user has no name other than the address.
  const isAddress = String(firstIn(answer.json)).includes("@");
  return {
    ...forms,
    emails: names && isAddress,
    ids: forms.ids || (names && !isAddress),
    svc_users: isFields(firstIn(answer.fields["svc_users"])),
  };
}

/** Records under the expected name; or a bare list of records, names or ids. */
function listForms<Name extends string>(name: Name) {
  return ({ json, fields }: Answer) => {
    const first = firstIn(json);
    return {
      ...({ [name]: isFields(firstIn(fields[name])) } as Record<Name, boolean>),
      array: isFields(first),
      ids: typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first)),
      names: typeof first === "string",
    };
  };
}

/** A group and roles of our own; without the operations that create them, the group and role that the user named. */
export async function writeAccess(session: Session): Promise<void> {
  const name = `conform-${session.options.mark}`;
  const first = await create(session, "roles", { name: `${name}-a`, policies: readingCommands });
  const second = await create(session, "roles", { name: `${name}-b`, policies: readingCommands });
  const group = await create(session, "groups", { name, ...(first !== undefined && { roles: first }) });
  if (group === undefined || first === undefined || second === undefined) return writeNamedRole(session);
  await session.expect("roles.view", { path: { role: first } });
  await session.expect("roles.update", { path: { role: first }, body: { policies: readingCommands } });
  await writeUpdate(session, group, first, second);
  // Our own group may have the role already; this makes certain that it does not.
  await session.ask("groups.unassignRole", roleOf(group, first));
  await writeAssignments(session, roleOf(group, first));
  await writeDeleteAssigned(session, group, second);
  await writeMembers(session, group);
  const body = { name: `${name}-copy` };
  await session.expect("groups.duplicate", { path: { group }, body }, removal(session, "groups", body.name));
  await session.expect("roles.duplicate", { path: { role: first }, body }, removal(session, "roles", body.name));
  await writeSystemGroup(session);
}

const readingCommands = JSON.stringify([{ resource: "command", action: ["read"], access: "allow" }]);

/** The request that assigns or unassigns a role. */
const roleOf = (groupId: string, role: string): Ask => ({ path: { groupId, role }, body: {} });

/** Also undoes a create whose answer was lost, because it looks for the name. */
const removal = (session: Session, kind: "groups" | "roles", name: string): Step => ({
  what: `${kind === "groups" ? "group" : "role"} ${name}`,
  async undo() {
    const id = await findByName(session, kind, name);
    if (id === undefined) return undefined;
    const path = kind === "groups" ? { group: id } : { role: id };
    const { error, op } = await session.ask(`${kind}.delete`, { path });
    if (!error) return (await findByName(session, kind, name)) && "it is still there";
    op.failed(error);
    return undoneUnless(error, "the delete");
  },
});

async function findByName(session: Session, kind: "groups" | "roles", name: string): Promise<string | undefined> {
  const records = await session.records(`${kind}.list`, kind);
  return idOf(records?.find((record) => record["name"] === name)?.["id"]);
}

/** Returns the id, which some answers show; others need a look at the list. */
async function create(
  session: Session,
  kind: "groups" | "roles",
  body: { readonly name: string; readonly roles?: string; readonly policies?: string },
): Promise<string | undefined> {
  const answer = await session.expect(`${kind}.create`, { body }, removal(session, kind, body.name));
  if (!answer) return undefined;
  if (kind === "groups") await readCreated(session, answer, body.name);
  const { roles } = answer.fields;
  const shown = kind === "roles" && isFields(roles) ? roles : answer.fields;
  return idOf(shown["id"]) ?? findByName(session, kind, body.name);
}

async function readCreated(session: Session, created: Answer, name: string): Promise<void> {
  const { op, fields } = created;
  const isDone = Object.keys(fields).join() === "status";
  created.form("groupCreateAnswer", { record: "name" in fields, id: "id" in fields, done: isDone });
  const { error } = await session.ask("groups.create", { body: { name } });
  op.reading("nameTaken", { 409: error?.status === 409, 422: error?.status === 422 });
  if (!error) op.deviates("a second group of the same name is created", "copes");
}

async function writeNamedRole(session: Session): Promise<void> {
  const { groupRole } = session.targets;
  const changes = ["groups.assignRole", "groups.unassignRole"] as const;
  if (!groupRole)
    return session.notTried("pass --group-role GROUP/ROLE, a role that the group does not have", ...changes);
  const { group, role } = groupRole;
  const why = await whyNotAssign(session, group, role);
  if (why !== undefined) return session.notTried(why, ...changes);
  await writeAssignments(session, roleOf(group, role), {
    what: `role ${role} of group ${group}`,
    async undo() {
      const { error } = await session.ask("groups.unassignRole", roleOf(group, role));
      return error?.code === "not-found" ? undefined : undoneUnless(error, "the unassign");
    },
  });
}

/** Where the roles of a group cannot be listed at all, the user's word has to do. */
async function whyNotAssign(session: Session, group: string, role: string): Promise<string | undefined> {
  const answer = await session.expect("groups.roles", { path: { group } });
  if (!answer && session.op("groups.roles").isLacking) return undefined;
  const entries: unknown[] | undefined = [answer?.json, answer?.fields["roles"]].find(Array.isArray);
  const known = session.facts.roles.find(({ id, name }) => id === role || name === role);
  // A list of ids says nothing about a name, nor a list of names about an id.
  const canTell = entries?.every((entry) => known || isFields(entry));
  if (!entries || !canTell) return `whether group ${group} has role ${role} could not be seen`;
  const shown = entries.flatMap((entry) => (isFields(entry) ? [entry["id"], entry["name"]] : [entry])).map(String);
  const isThere = [role, known?.id, known?.name].some((one) => one !== undefined && shown.includes(one));
  return isThere ? `group ${group} has role ${role} already` : undefined;
}

/** The ids that a list of roles or users shows, or the names if it has no ids. */
async function shownIn(session: Session, kind: "roles" | "users", group: string): Promise<Set<string> | undefined> {
  const answer = await session.expect(`groups.${kind}`, { path: { group } });
  const entries = answer && listIn(answer.json, kind);
  return entries && new Set(entries.map((entry) => (isFields(entry) ? (idOf(entry["id"]) ?? "") : String(entry))));
}

async function writeUpdate(session: Session, group: string, first: string, second: string): Promise<void> {
  await session.expect("groups.view", { path: { group } });
  const updated = await session.expect("groups.update", { path: { group }, body: { roles: second } });
  if (!updated) return;
  const { mark } = session.options;
  const roles = await shownIn(session, "roles", group);
  if (!roles) return session.leaveOpen("groupUpdateLists", "the roles of a group cannot be listed");
  const has = (id: string, name: string) => roles.has(id) || roles.has(name);
  if (!has(second, `conform-${mark}-b`))
    return session.leaveOpen("groupUpdateLists", "an update does not add the role");
  updated.op.reading("groupUpdateLists", has(first, `conform-${mark}-a`) ? "added" : "replaced");
}

/** Assigns a role twice and unassigns it twice; afterwards the group does not have it. `step` undoes the assignment. */
async function writeAssignments(session: Session, ask: Ask, step?: Step): Promise<void> {
  for (const [name, repeated, undo] of [
    ["groups.assignRole", "a role that is assigned", step],
    ["groups.unassignRole", "a role that is not assigned", undefined],
  ] as const) {
    const changed = await session.expect(name, ask, undo);
    if (!changed) return;
    changed.check(roleChange);
    const { op, error } = await session.ask(name, ask);
    op.reading("roleRepeated", error ? "refused" : "done");
    if (error) op.note(`${repeated} is refused (${statusText(error)})`);
  }
}

async function writeDeleteAssigned(session: Session, group: string, role: string): Promise<void> {
  const assigned = await session.ask("groups.assignRole", roleOf(group, role));
  if (assigned.error && assigned.error.code !== "conflict") return;
  const { op, error } = await session.ask("roles.delete", { path: { role } });
  op.reading("roleDeleteAssigned", { removed: !error, refused: error?.code === "conflict" });
  if (error) await session.ask("groups.unassignRole", roleOf(group, role));
}

/** The group has no role by now, so membership gives nobody a right. */
async function writeMembers(session: Session, group: string): Promise<void> {
  const user = session.facts.users.at(-1);
  const changes = ["groups.addUsers", "groups.removeUsers"] as const;
  if (!user) return session.notTried("no user is known", ...changes);
  const ask = { path: { group, users: user.id }, body: {} };
  for (const name of changes) {
    if (!(await session.expect(name, ask))) return;
    const { op, error } = await session.ask(name, ask);
    op.reading("memberRepeated", error ? "refused" : "done");
  }
}

/** Adds a user to a system group that has the user already: nothing changes, whatever the answer. */
async function writeSystemGroup(session: Session): Promise<void> {
  const { groups, users } = session.facts;
  for (const { id: group } of groups.filter(({ source }) => source === "system")) {
    const members = await shownIn(session, "users", group);
    const member = users.find(({ id, email }) => members?.has(id) || members?.has(email));
    if (!member) continue;
    const { op, error } = await session.ask("groups.addUsers", { path: { group, users: member.id }, body: {} });
    return op.reading("systemGroupMembers", !error || error.code === "conflict" ? "accepted" : "refused");
  }
  session.leaveOpen("systemGroupMembers", "no system group with a known member");
}
