import type { Readings } from "../../emulator/readings";
import { type Fields, isFields } from "../../provider/values/json";
import type { OperationName } from "./catalogue";
import { type Answer, answerShape, idOf, listForm, recordsIn } from "./forms";
import type { Session } from "./session";

/**
 * The records of a list that has pages according to its manual; undefined where the installation does not have it, or
 * answers with anything else than a list.
 */
export async function readExtendedList(
  session: Session,
  kind: "dbTaps" | "groups" | "roles",
  list: string,
  readForm: (form: NonNullable<ReturnType<typeof listForm>>) => void,
): Promise<readonly Fields[] | undefined> {
  const name = `${kind}.list` as const;
  const answer = await session.expect(name);
  if (!answer) return undefined;
  const form = listForm(answer, list);
  if (!form) {
    session.notThere(name, `answers, but not with a list: ${answerShape(answer)}`);
    return undefined;
  }
  readForm(form);
  // The status of a page after the last one; a list without pages does not tell.
  const { error } = await session.ask(name, { query: { page: 10_000 } });
  if (error?.status === 422 || error?.status === 404)
    session.reading(name, "pageOutOfBounds", String(error.status) as Readings["pageOutOfBounds"]);
  return recordsIn(answer.json, list);
}

async function readNamed(session: Session, kind: "groups" | "roles"): Promise<string[]> {
  const { facts } = session;
  const records = await readExtendedList(session, kind, kind, (form) =>
    session.reading(`${kind}.list`, kind === "groups" ? "groupList" : "roleList", form),
  );
  for (const { id, name, source } of records ?? [])
    if (idOf(id) !== undefined && typeof name === "string") facts[kind].push({ id: idOf(id)!, name, source });
  return facts[kind].map(({ id }) => id);
}

export async function readGroups(session: Session): Promise<void> {
  const paths = (await readNamed(session, "groups")).map((group) => ({ group }));
  const ofOne = ["groups.view", "groups.users", "groups.roles"] as const;
  if (paths.length === 0) return session.notTried("no group is known", ...ofOne);
  await untilKnown(session, "groupRecord", "groups.view", paths, groupForm);
  await untilKnown(session, "groupUsers", "groups.users", paths, usersForm, "every list is empty");
  await untilKnown(session, "groupRoles", "groups.roles", paths, listedForm("roles"), "every list is empty");
}

function groupForm({ json, fields }: Answer): Readings["groupRecord"] | undefined {
  if (!isFields(json)) return undefined;
  const { members, roles } = fields;
  if (members === undefined && roles === undefined) return "plain";
  const [first] = [members, roles].filter(Array.isArray).flat();
  if (first === undefined) return undefined;
  return isFields(first) ? "records" : "ids";
}

export async function readRoles(session: Session): Promise<void> {
  const paths = (await readNamed(session, "roles")).map((role) => ({ role }));
  const [first] = paths;
  if (!first) return session.notTried("no role is known", "roles.view", "roles.groups");
  const view = await session.expect("roles.view", { path: first });
  if (view) session.reading("roles.view", "roleRecord", roleForm(view));
  await untilKnown(session, "roleGroups", "roles.groups", paths, listedForm("groups"), "every list is empty");
}

function roleForm({ json, fields }: Answer): Readings["roleRecord"] | undefined {
  if (!isFields(json)) return undefined;
  const { policy, policies } = fields;
  if (typeof policy === "string") return "text";
  if (Array.isArray(policy)) return "array";
  return typeof policies === "string" ? "policies" : "policy" in fields ? undefined : "plain";
}

/** At most this many things are looked at to find one that tells something. */
const looks = 20;

/** An empty list tells nothing, so ask for one thing after the other until one has entries; `ifEmpty`: if none has. */
async function untilKnown<N extends "groupRecord" | "groupUsers" | "groupRoles" | "roleGroups">(
  session: Session,
  reading: N,
  name: OperationName,
  paths: readonly Record<string, string>[],
  form: (answer: Answer) => Readings[N] | undefined,
  ifEmpty?: string,
): Promise<void> {
  for (const path of paths.slice(0, looks)) {
    const answer = await session.expect(name, { path });
    if (!answer) return;
    const found = form(answer);
    if (found) return session.reading(name, reading, found);
    if (ifEmpty !== undefined && answer.text.length > 20)
      session.leaveOpen(reading, `another form: ${answerShape(answer)}`);
  }
  if (ifEmpty !== undefined) session.leaveOpen(reading, ifEmpty);
}

const firstOf = (json: unknown): unknown => (Array.isArray(json) ? json[0] : undefined);

function usersForm(answer: Answer): Readings["groupUsers"] | undefined {
  const form = listedForm("users")(answer);
  // A user has no name other than the address.
  if (form === "names") return String(firstOf(answer.json)).includes("@") ? "emails" : "ids";
  return form ?? (isFields(firstOf(answer.fields["svc_users"])) ? "svc_users" : undefined);
}

/** Records under the expected name; or a bare list of records, names or ids. */
const listedForm =
  <Name extends string>(name: Name) =>
  ({ json, fields }: Answer): Name | "array" | "names" | "ids" | undefined => {
    if (isFields(firstOf(fields[name]))) return name;
    const first = firstOf(json);
    if (isFields(first)) return "array";
    if (typeof first === "number") return "ids";
    return typeof first === "string" ? (/^\d+$/.test(first) ? "ids" : "names") : undefined;
  };
