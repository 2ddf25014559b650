import type { Readings } from "../../emulator/readings";
import type { Client } from "../../provider/api/client";
import type { PlatformError } from "../../provider/api/errors";
import type { Undone } from "./cleanup";
import { type Answer, anyListIn, idOf, isRecord, listIn, recordsIn } from "./forms";
import { type Session, statusText } from "./session";
import { checkShape, roleChange } from "./specified";

type Kind = "groups" | "roles";

/** A group and roles of our own; without the operations that create them, the group and role that the user named. */
export async function writeAccess(session: Session): Promise<void> {
  const { mark } = session.options;
  const roles = [await createRole(session, `conform-${mark}-a`), await createRole(session, `conform-${mark}-b`)];
  const [first, second] = roles;
  const group = await createGroup(session, `conform-${mark}`, first);
  if (group === undefined || first === undefined || second === undefined) return writeNamedRole(session);
  await writeRole(session, first);
  await writeUpdate(session, group, first, second);
  // Our own group may have the role already; this makes certain that it does not.
  await session.ask("groups.unassignRole", { path: { groupId: group, role: first }, body: {} });
  await writeAssignments(session, group, first);
  await writeDeleteAssigned(session, group, second);
  await writeMembers(session, group);
  await writeDuplicates(session, group, first);
  await writeSystemGroup(session);
}

async function writeNamedRole(session: Session): Promise<void> {
  const { groupRole } = session.targets;
  const changes = ["groups.assignRole", "groups.unassignRole"] as const;
  if (!groupRole)
    return session.notTried("pass --group-role GROUP/ROLE, a role that the group does not have", ...changes);
  const { group, role } = groupRole;
  const why = await whyNotAssign(session, group, role);
  if (why !== undefined) return session.notTried(why, ...changes);
  const step = session.cleanup.add(`role ${role} of group ${group}`, async (client) => {
    const { error } = await session.ask("groups.unassignRole", { path: { groupId: group, role }, body: {} }, client);
    return error && error.code !== "not-found"
      ? { failed: `the unassign was refused (${statusText(error)})` }
      : undefined;
  });
  const refusal = await writeAssignments(session, group, role);
  // Perhaps because the group has it: then it is not ours to take away.
  if (refusal && refusal.outcome !== "open") session.cleanup.done(step);
}

/** Where the roles of a group cannot be listed at all, the user's word has to do. */
async function whyNotAssign(session: Session, group: string, role: string): Promise<string | undefined> {
  const { findings, facts } = session;
  const answer = await session.expect("groups.roles", { path: { group } });
  if (!answer && findings.isLacking("groups.roles")) return undefined;
  const entries = answer && listIn(answer.json, "roles")?.items;
  const known = facts.roles.find(({ id, name }) => id === role || name === role);
  // A list of ids says nothing about a name, nor a list of names about an id.
  const canTell = entries?.every((entry) => known || isRecord(entry));
  if (!canTell) return `whether group ${group} has role ${role} could not be seen`;
  const shown = entries?.flatMap((entry) => (isRecord(entry) ? [entry["id"], entry["name"]] : [entry])).map(String);
  const isThere = [role, known?.id, known?.name].some((one) => one !== undefined && shown?.includes(one));
  return isThere ? `group ${group} has role ${role} already` : undefined;
}

/** The id of what was just created: some answers show it, others need a look at the list. */
async function createdId(session: Session, kind: Kind, name: string, answer: Answer): Promise<string | undefined> {
  const { json } = answer;
  const inner = isRecord(json) && isRecord(json["roles"]) ? json["roles"] : json;
  return (isRecord(inner) ? idOf(inner["id"]) : undefined) ?? findByName(session, kind, name);
}

const lastPage = 50;

async function findByName(session: Session, kind: Kind, name: string, client?: Client): Promise<string | undefined> {
  for (let page = 1; page <= lastPage; page++) {
    const { json, error } = await session.ask(`${kind}.list`, page === 1 ? {} : { query: { page } }, client);
    const entries = error ? [] : recordsIn(anyListIn(json, kind));
    const found = entries.find((entry) => entry["name"] === name);
    if (found) return idOf(found["id"]);
    const isPaged = isRecord(json) && "paging_info" in json;
    if (entries.length === 0 || !isPaged) return undefined;
  }
  return undefined;
}

async function createRole(session: Session, name: string): Promise<string | undefined> {
  session.cleanup.add(`role ${name}`, (client) => remove(session, client, "roles", name));
  const policies = JSON.stringify([{ resource: "command", action: ["read"], access: "allow" }]);
  const answer = await session.expect("roles.create", { body: { name, policies } });
  return answer && createdId(session, "roles", name, answer);
}

async function createGroup(session: Session, name: string, role: string | undefined): Promise<string | undefined> {
  const { findings } = session;
  const body = { name, ...(role !== undefined && { roles: role }) };
  session.cleanup.add(`group ${name}`, (client) => remove(session, client, "groups", name));
  const answer = await session.expect("groups.create", { body });
  if (!answer) return undefined;
  const { json } = answer;
  const form = isRecord(json) ? createdForm(Object.keys(json)) : undefined;
  session.form("groups.create", "groupCreateAnswer", form, { answer });
  const { error } = await session.ask("groups.create", { body: { name } });
  const status = error?.status === 409 || error?.status === 422 ? String(error.status) : undefined;
  findings.reading("groups.create", "nameTaken", status as Readings["nameTaken"] | undefined);
  if (!error) findings.deviates("groups.create", "a second group of the same name is created", { provider: "copes" });
  return createdId(session, "groups", name, answer);
}

function createdForm(names: readonly string[]): Readings["groupCreateAnswer"] | undefined {
  if (names.includes("name")) return "record";
  if (names.includes("id")) return "id";
  return names.join() === "status" ? "done" : undefined;
}

async function writeRole(session: Session, role: string): Promise<void> {
  await session.expect("roles.view", { path: { role } });
  const policies = JSON.stringify([{ resource: "command", action: ["read"], access: "allow" }]);
  await session.expect("roles.update", { path: { role }, body: { policies } });
}

/** The ids and names that a list of roles or users shows, whatever its form. */
async function namesIn(
  session: Session,
  name: "groups.roles" | "groups.users",
  group: string,
): Promise<Set<string> | undefined> {
  const answer = await session.expect(name, { path: { group } });
  if (!answer) return undefined;
  const entries = anyListIn(answer.json, name === "groups.roles" ? "roles" : "users");
  return new Set(entries.flatMap((entry) => (isRecord(entry) ? [idOf(entry["id"]) ?? ""] : [String(entry)])));
}

async function writeUpdate(session: Session, group: string, first: string, second: string): Promise<void> {
  const { findings } = session;
  await session.expect("groups.view", { path: { group } });
  const updated = await session.expect("groups.update", { path: { group }, body: { roles: second } });
  if (!updated) return;
  const { mark } = session.options;
  const roles = await namesIn(session, "groups.roles", group);
  if (!roles) return findings.leaveOpen("groupUpdateLists", "the roles of a group cannot be listed");
  const has = (id: string, name: string) => roles.has(id) || roles.has(name);
  if (!has(second, `conform-${mark}-b`))
    return findings.leaveOpen("groupUpdateLists", "an update does not add the role");
  findings.reading("groups.update", "groupUpdateLists", has(first, `conform-${mark}-a`) ? "added" : "replaced");
}

/** Assigns a role twice and unassigns it twice; afterwards the group does not have it. Or why it was not assigned. */
async function writeAssignments(session: Session, groupId: string, role: string): Promise<PlatformError | undefined> {
  const { findings } = session;
  const ask = { path: { groupId, role }, body: {} };
  for (const [name, repeat] of [
    ["groups.assignRole", "a role that is assigned"],
    ["groups.unassignRole", "a role that is not assigned"],
  ] as const) {
    const changed = await session.ask(name, ask);
    if (changed.error) {
      session.failed(name, changed.error);
      return name === "groups.assignRole" ? changed.error : undefined;
    }
    checkShape(findings, name, changed.json, roleChange, "4.13");
    const again = await session.ask(name, ask);
    findings.reading(name, "roleRepeated", again.error ? "refused" : "done");
    if (again.error) findings.note(name, `${repeat} is refused (${statusText(again.error)})`);
  }
  return undefined;
}

async function writeDeleteAssigned(session: Session, group: string, role: string): Promise<void> {
  const { findings } = session;
  const path = { groupId: group, role };
  const assigned = await session.ask("groups.assignRole", { path, body: {} });
  if (assigned.error && assigned.error.code !== "conflict") return;
  const { error } = await session.ask("roles.delete", { path: { role } });
  findings.reading(
    "roles.delete",
    "roleDeleteAssigned",
    error ? (error.code === "conflict" ? "refused" : undefined) : "removed",
  );
  if (!error) return;
  await session.ask("groups.unassignRole", { path, body: {} });
}

/** The group has no role by now, so membership gives nobody a right. */
async function writeMembers(session: Session, group: string): Promise<void> {
  const { findings, facts } = session;
  const user = facts.users.at(-1);
  const changes = ["groups.addUsers", "groups.removeUsers"] as const;
  if (!user) return session.notTried("no user is known", ...changes);
  const ask = { path: { group, users: user.id }, body: {} };
  for (const name of changes) {
    if (!(await session.expect(name, ask))) return;
    const again = await session.ask(name, ask);
    findings.reading(name, "memberRepeated", again.error ? "refused" : "done");
  }
}

async function writeDuplicates(session: Session, group: string, role: string): Promise<void> {
  const { mark } = session.options;
  const name = `conform-${mark}-copy`;
  session.cleanup.add(`group ${name}`, (client) => remove(session, client, "groups", name));
  await session.expect("groups.duplicate", { path: { group }, body: { name } });
  session.cleanup.add(`role ${name}`, (client) => remove(session, client, "roles", name));
  await session.expect("roles.duplicate", { path: { role }, body: { name } });
}

/** Adds a user to a system group that has the user already: nothing changes, whatever the answer. */
async function writeSystemGroup(session: Session): Promise<void> {
  const { findings, facts } = session;
  for (const group of facts.groups.filter(({ source }) => source === "system")) {
    const members = await namesIn(session, "groups.users", group.id);
    const member = facts.users.find(({ id, email }) => members?.has(id) || members?.has(email));
    if (!member) continue;
    const { error } = await session.ask("groups.addUsers", { path: { group: group.id, users: member.id }, body: {} });
    const isAccepted = !error || error.code === "conflict";
    return findings.reading("groups.addUsers", "systemGroupMembers", isAccepted ? "accepted" : "refused");
  }
  findings.leaveOpen("systemGroupMembers", "no system group with a known member");
}

async function remove(session: Session, client: Client, kind: Kind, name: string): Promise<Undone> {
  const id = await findByName(session, kind, name, client);
  if (id === undefined) return undefined;
  const path = kind === "groups" ? { group: id } : { role: id };
  const { error } = await session.ask(`${kind}.delete`, { path }, client);
  if (!error) return (await findByName(session, kind, name, client)) ? { failed: "it is still there" } : undefined;
  session.failed(`${kind}.delete`, error);
  return { failed: `the delete was refused (${statusText(error)})` };
}
