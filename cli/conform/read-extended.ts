import type { Readings } from "../../emulator/readings";
import type { OperationName } from "./catalogue";
import { type Answer, answerShape, anyListIn, idOf, isRecord, type Json, listIn, recordsIn } from "./forms";
import type { Session } from "./session";

export async function readDataStores(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await session.expect("dbTaps.list");
  const form = answer && listIn(answer.json, "db_taps")?.form;
  if (answer && !form) findings.notThere("dbTaps.list", `answers, but not with a list: ${answerShape(answer)}`);
  if (!answer || !form)
    return session.notTried("no data store is known: they cannot be listed", "dbTaps.view", "dbTaps.tables");
  findings.reading(
    "dbTaps.list",
    "dataStoreList",
    form === "paged" ? "paged" : form === "named" ? "unpaged" : undefined,
  );
  const [first] = recordsIn(anyListIn(answer.json, "db_taps"));
  facts.dataStore = idOf(first?.["id"]);
  await readBeyondEnd(session, "dbTaps.list");
  if (facts.dataStore === undefined) return session.notTried("there is no data store", "dbTaps.view", "dbTaps.tables");
  const view = await session.expect("dbTaps.view", { path: { id: facts.dataStore } });
  if (view && isRecord(view.json)) readDataStore(session, view.json);
  await session.expect("dbTaps.tables", { path: { id: facts.dataStore } });
}

/** What a view of a data store tells, whoever created it. */
export function readDataStore({ findings }: Session, view: Json): void {
  findings.reading("dbTaps.view", "dataStoreViewName", "name" in view ? "shown" : "absent");
  const hasGateway = "catalog_name" in view || "gateway_ip" in view;
  findings.reading("dbTaps.view", "dataStoreViewGateway", hasGateway ? "shown" : "absent");
  if (view["port"] === null) findings.reading("dbTaps.view", "dataStoreViewPort", "null");
  if (!("db_passwd" in view)) findings.reading("dbTaps.view", "dataStoreViewPassword", "absent");
  else if (view["db_passwd"] === "********") findings.reading("dbTaps.view", "dataStoreViewPassword", "masked");
}

/** The status of a page after the last one; a list without pages does not tell. */
async function readBeyondEnd(session: Session, name: OperationName): Promise<void> {
  const { error } = await session.ask(name, { query: { page: 10_000 } });
  if (error?.status === 422 || error?.status === 404)
    session.findings.reading(name, "pageOutOfBounds", String(error.status) as Readings["pageOutOfBounds"]);
}

async function readNamed(session: Session, kind: "groups" | "roles"): Promise<Answer | undefined> {
  const { findings, facts } = session;
  const answer = await session.expect(`${kind}.list`);
  if (!answer) return undefined;
  const form = listIn(answer.json, kind)?.form;
  findings.reading(`${kind}.list`, kind === "groups" ? "groupList" : "roleList", form);
  if (!form) {
    findings.notThere(`${kind}.list`, `answers, but not with a list: ${answerShape(answer)}`);
    return undefined;
  }
  for (const { id, name, source } of recordsIn(anyListIn(answer.json, kind)))
    if (idOf(id) !== undefined && typeof name === "string")
      facts[kind].push({ id: idOf(id)!, name, source: typeof source === "string" ? source : undefined });
  await readBeyondEnd(session, `${kind}.list`);
  return answer;
}

/** At most this many things are looked at to find one that tells something. */
const looks = 20;

export async function readGroups(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await readNamed(session, "groups");
  const ofOne = ["groups.view", "groups.users", "groups.roles"] as const;
  if (!answer || facts.groups.length === 0) return session.notTried("no group is known", ...ofOne);
  for (const { id } of facts.groups.slice(0, looks)) {
    if (findings.valueOf("groupRecord") !== undefined) break;
    const view = await session.expect("groups.view", { path: { group: id } });
    if (!view) break;
    findings.reading("groups.view", "groupRecord", groupForm(view.json));
  }
  await untilKnown(session, "groupUsers", "groups.users", (group) => ({ group }), usersForm, facts.groups);
  await untilKnown(session, "groupRoles", "groups.roles", (group) => ({ group }), rolesForm, facts.groups);
}

function groupForm(json: unknown): Readings["groupRecord"] | undefined {
  if (!isRecord(json)) return undefined;
  const { members, roles } = json;
  if (members === undefined && roles === undefined) return "plain";
  const [first] = [members, roles].filter(Array.isArray).flat();
  if (first === undefined) return undefined;
  return isRecord(first) ? "records" : "ids";
}

export async function readRoles(session: Session): Promise<void> {
  const { findings, facts } = session;
  const answer = await readNamed(session, "roles");
  if (!answer || facts.roles.length === 0) return session.notTried("no role is known", "roles.view", "roles.groups");
  const view = await session.expect("roles.view", { path: { role: facts.roles[0]!.id } });
  if (view) findings.reading("roles.view", "roleRecord", roleForm(view.json));
  await untilKnown(session, "roleGroups", "roles.groups", (role) => ({ role }), groupsForm, facts.roles);
}

function roleForm(json: unknown): Readings["roleRecord"] | undefined {
  if (!isRecord(json)) return undefined;
  if (typeof json["policy"] === "string") return "text";
  if (Array.isArray(json["policy"])) return "array";
  return typeof json["policies"] === "string" ? "policies" : "policy" in json ? undefined : "plain";
}

/** An empty list tells nothing, so ask for one thing after the other until one has entries. */
async function untilKnown<N extends "groupUsers" | "groupRoles" | "roleGroups">(
  session: Session,
  reading: N,
  name: OperationName,
  path: (id: string) => Record<string, string>,
  form: (json: unknown) => Readings[N] | undefined,
  things: readonly { readonly id: string }[],
): Promise<void> {
  const { findings } = session;
  for (const { id } of things.slice(0, looks)) {
    const answer = await session.expect(name, { path: path(id) });
    if (!answer) return;
    const found = form(answer.json);
    if (found) return findings.reading(name, reading, found);
    if (answer.text.length > 20) findings.leaveOpen(reading, `another form: ${answerShape(answer)}`);
  }
  findings.leaveOpen(reading, "every list is empty");
}

const firstOf = (json: unknown): unknown => (Array.isArray(json) ? json[0] : undefined);

function usersForm(json: unknown): Readings["groupUsers"] | undefined {
  if (isRecord(json)) {
    if (isRecord(firstOf(json["users"]))) return "users";
    return isRecord(firstOf(json["svc_users"])) ? "svc_users" : undefined;
  }
  const first = firstOf(json);
  if (isRecord(first)) return "array";
  if (typeof first === "number") return "ids";
  return typeof first === "string" ? (first.includes("@") ? "emails" : "ids") : undefined;
}

function rolesForm(json: unknown): Readings["groupRoles"] | undefined {
  if (isRecord(json)) return isRecord(firstOf(json["roles"])) ? "roles" : undefined;
  return bareForm(json);
}

function groupsForm(json: unknown): Readings["roleGroups"] | undefined {
  if (isRecord(json)) return isRecord(firstOf(json["groups"])) ? "groups" : undefined;
  return bareForm(json);
}

function bareForm(json: unknown): "array" | "names" | "ids" | undefined {
  const first = firstOf(json);
  if (isRecord(first)) return "array";
  if (typeof first === "number") return "ids";
  return typeof first === "string" ? (/^\d+$/.test(first) ? "ids" : "names") : undefined;
}
