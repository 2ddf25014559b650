import type { Client } from "../../provider/api/client";
import type { OperationName } from "./catalogue";
import type { Undone } from "./cleanup";
import { answerShape, isRecord, notShownForm, policyIn } from "./forms";
import { readPackageList } from "./read-extended-work";
import { noteMissing, readElements } from "./read-policy";
import { type Answer, type Session, statusText } from "./session";
import { checkShape, sensorError, sensorStatus } from "./specified";
import type { ObjectTarget } from "./targets";

/** The form of an answer that the specification does not show. */
function readNotShown({ findings }: Session, name: OperationName, answer: Answer): void {
  const form = notShownForm(answer);
  findings.reading(name, "notShownAnswer", form);
  if (form) return;
  findings.note(name, `the answer is ${answerShape(answer)}`);
  findings.leaveOpen("notShownAnswer", `another form: ${answerShape(answer)}`);
}

export async function writeSensors(session: Session): Promise<void> {
  const { findings, facts, targets } = session;
  const [table] = [
    ...(targets.table ? [targets.table] : []),
    ...facts.tables.map((name) => ({ schema: "default", table: name })),
  ];
  const paths = ["partitionSensor.create", "partitionSensor.createLongPath"] as const;
  if (!table) return session.notTried("there is no table; pass --table SCHEMA.TABLE", ...paths);
  session.cleanup.stays(`sensors of table ${table.schema}.${table.table}, if the platform keeps them`);
  const exists: boolean[] = [];
  for (const name of paths) {
    const answer = await session.ask(name, { body: { ...table, columns: [] } });
    exists.push(answer.error?.code !== "not-found");
    if (answer.error?.code === "not-found") findings.note(name, "this path does not exist; the other one does");
    else if (answer.error) session.failed(name, answer.error);
    else readSensor(session, name, answer);
  }
  const [heading, examples] = exists;
  if (heading || examples)
    findings.reading(paths[0], "sensorPath", heading ? (examples ? "both" : "heading") : "examples");
  else findings.deviates(paths[0], "neither of the two paths exists", { provider: "needs this" });
  const absent = { schema: table.schema, table: `conform_${session.options.mark}`, columns: [] };
  const { json, status, error } = await session.ask(heading ? paths[0] : paths[1], { body: absent });
  if (status !== 422 || !error)
    findings.deviates(paths[0], `a table that is absent from the metastore is answered with HTTP ${status}, not 422`, {
      section: "7",
    });
  else checkShape(findings, paths[0], json, sensorError, "4.9");
}

function readSensor({ findings }: Session, name: OperationName, { json }: Answer): void {
  checkShape(findings, name, json, sensorStatus, "4.9");
  const status = isRecord(json) ? json["status"] : undefined;
  if (typeof status === "boolean") findings.reading(name, "sensorStatus", "boolean");
  else if (status === "true" || status === "false") findings.reading(name, "sensorStatus", "text");
  else findings.leaveOpen("sensorStatus", "status has another form");
}

export async function writePolicies(session: Session): Promise<void> {
  const { overwritable } = session.targets;
  if (overwritable.length === 0) return session.notTried("pass --overwrite-policy TYPE/ID", "objectPolicy.set");
  for (const target of overwritable) await writePolicy(session, target);
}

async function writePolicy(session: Session, target: ObjectTarget): Promise<void> {
  const { findings, facts } = session;
  const object = `${target.source_type}/${target.source_id}`;
  const before = await session.ask("objectPolicy.view", { body: target });
  const found = before.error ? [] : (policyIn(before.json) ?? []);
  const user = Number(facts.users[0]?.id);
  if (!Number.isInteger(user)) return session.notTried("no user with a numeric id is known", "objectPolicy.set");
  session.cleanup.add(`policy of ${object}`, (client) => restore(session, client, target, found));
  const plain = [{ access: "allow", action: ["read"], condition: { svc_users: [user] } }];
  const set = (policy: readonly unknown[]) =>
    session.ask("objectPolicy.set", { body: { ...target, policy: JSON.stringify(policy) } });
  const answer = await set(plain);
  if (answer.error) {
    if (target.source_type !== "environment") return session.failed("objectPolicy.set", answer.error);
    session.environmentPolicies = false;
    return findings.note("objectPolicy.set", `refused for an environment (${statusText(answer.error)}), as specified`);
  }
  if (target.source_type === "environment") session.environmentPolicies = true;
  readNotShown(session, "objectPolicy.set", answer);
  const added = await viewSet(session, target);
  await writeOtherField(session, target, plain, added);
  if ((await set([])).error) return;
  const missing = await session.ask("objectPolicy.view", { body: target });
  if (missing.error || (policyIn(missing.json) ?? []).length === 0) noteMissing(session, target, missing);
}

/** Whether the view adds fields that were not set. A policy may be shown late. */
async function viewSet(session: Session, target: ObjectTarget): Promise<boolean> {
  const { findings } = session;
  for (let look = 0; look < 5; look++) {
    if (look > 0) await session.pause();
    const view = await session.expect("objectPolicy.view", { body: target });
    const elements = view && policyIn(view.json);
    if (!view || !elements || elements.length === 0) continue;
    if (look > 0) findings.deviates("objectPolicy.view", "a policy that was set is shown late", { provider: "copes" });
    readElements(session, view, elements);
    const known = ["access", "action", "condition"];
    return elements.some((element) => isRecord(element) && Object.keys(element).some((name) => !known.includes(name)));
  }
  findings.deviates("objectPolicy.view", "a policy that was set is not shown", { provider: "needs this" });
  return false;
}

async function writeOtherField(
  session: Session,
  target: ObjectTarget,
  plain: readonly object[],
  added: boolean,
): Promise<void> {
  const { findings } = session;
  const policy = JSON.stringify(plain.map((element) => ({ ...element, conform: session.options.mark })));
  const { error } = await session.ask("objectPolicy.set", { body: { ...target, policy } });
  if (error) return findings.reading("objectPolicy.set", "policyFields", "refused");
  const { text } = await session.ask("objectPolicy.view", { body: target });
  const isKept = text.includes(session.options.mark);
  findings.reading("objectPolicy.set", "policyFields", isKept ? (added ? "added" : "kept") : undefined);
  if (isKept) return;
  findings.note("objectPolicy.set", "other fields of an element are dropped");
  findings.leaveOpen("policyFields", "other fields are dropped");
}

/** Puts back what was shown before, as far as it can be sent: fields that only the view has are left out. */
async function restore(
  session: Session,
  client: Client,
  target: ObjectTarget,
  found: readonly unknown[],
): Promise<Undone> {
  const object = `${target.source_type}/${target.source_id}`;
  const elements = found.filter(isRecord).map(({ access, action, condition }) => ({
    access,
    ...(action !== undefined && { action }),
    ...(isRecord(condition) && { condition: conditionOf(condition) }),
  }));
  const { error } = await session.ask(
    "objectPolicy.set",
    { body: { ...target, policy: JSON.stringify(elements) } },
    client,
  );
  if (error && session.findings.has("objectPolicy.set") && target.source_type !== "environment")
    return { failed: `setting the policy that ${object} had was refused (${statusText(error)})` };
  return { stays: `policy of ${object}: ${found.length === 0 ? "an empty one" : "put back as it was shown"}` };
}

function conditionOf(condition: Readonly<Record<string, unknown>>): object {
  const lists = ["svc_users", "svc_groups"].map((name) => [name, condition[name]] as const);
  const given = lists.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0);
  return Object.fromEntries(given.map(([name, ids]) => [name, ids.map(Number)]));
}

export async function writePackages(session: Session): Promise<void> {
  const { environment, package: name } = session.targets;
  const both = ["package.add", "package.remove"] as const;
  if (environment === undefined || name === undefined)
    return session.notTried("pass --environment ID and --package NAME, one that it does not have", ...both);
  const bare = name.split("==")[0]!;
  const path = { envId: environment };
  const list = await session.ask("package.listPackages", { path });
  if (!list.error && list.text.includes(`"${bare}`))
    return session.notTried(`environment ${environment} has ${bare} already`, ...both);
  const body = (names: string) => ({ source_type: "python_package", package_names: names });
  const step = session.cleanup.add(`package ${bare} in environment ${environment}`, (client) =>
    removePackage(session, client, environment, body(bare)),
  );
  const added = await session.expect("package.add", { path, body: body(name) });
  if (!added) return;
  session.cleanup.stays(`the request for ${bare}, if environment ${environment} keeps a history`);
  readNotShown(session, "package.add", added);
  const after = await session.ask("package.listPackages", { path });
  if (!after.error && isRecord(after.json)) readPackageList(session, after.json);
  const removed = await session.expect("package.remove", { path, body: body(bare) });
  if (!removed) return;
  session.cleanup.done(step);
  readNotShown(session, "package.remove", removed);
}

/** Some platforms want the parameters in the query, or a moment between two changes. */
async function removePackage(
  session: Session,
  client: Client,
  envId: string,
  body: Record<string, string>,
): Promise<Undone> {
  const path = { envId };
  let last: Answer | undefined;
  for (let attempt = 0; attempt < 5; attempt++) {
    if (attempt > 0) await client.pause(Math.max(500, session.options.pauseMs));
    last = await session.ask("package.remove", { path, body }, client);
    if (last.error && last.error.code !== "conflict")
      last = await session.ask("package.remove", { path, query: body }, client);
    if (last.error?.code !== "conflict") break;
  }
  return last?.error && { failed: `the removal was refused (${statusText(last.error)})` };
}

/** Renames the folder and back; its policy is set only where it can be seen before. */
export async function writeFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder) return;
  const { location, type, id } = folder;
  const name = location.slice(location.lastIndexOf("/") + 1);
  const other = `${name}-conform-${session.options.mark}`;
  const renamed = location.slice(0, location.length - name.length) + other;
  const rename = (to: string, from: string, client?: Client) =>
    session.ask("folders.rename", { body: { folder_id: id, type, name: to, location: from } }, client);
  const back = async (client?: Client): Promise<Answer> => {
    const answer = await rename(name, renamed, client);
    return answer.error ? rename(name, location, client) : answer;
  };
  const step = session.cleanup.add(`name of folder ${location}`, async (client) => {
    const { error } = await back(client);
    return error && { failed: `renaming it back from ${renamed} was refused (${statusText(error)})` };
  });
  const answer = await session.expect("folders.rename", {
    body: { folder_id: id, type, name: other, location },
  });
  if (!answer) return session.cleanup.done(step);
  readNotShown(session, "folders.rename", answer);
  const { error } = await rename(name, renamed);
  if (error && (await back()).error) return session.failed("folders.rename", error);
  if (error)
    session.findings.deviates("folders.rename", "a rename does not change the location", { provider: "copes" });
  session.cleanup.done(step);
  await writeFolderPolicy(session, { location, type, source_type: "Folder" });
}

async function writeFolderPolicy(session: Session, target: object): Promise<void> {
  const view = await session.ask("folders.viewPolicy", { query: { ...target } });
  const found = view.error ? undefined : policyIn(view.json);
  const known = ["access", "action", "condition"];
  const isPlain = found?.every(
    (element) => isRecord(element) && Object.keys(element).every((name) => known.includes(name)),
  );
  if (!found || !isPlain) return session.notTried("the folder's policy could not be put back", "folders.policy");
  // The same policy again: what the folder allows does not change.
  const policy = JSON.stringify(
    found.filter(isRecord).map((element) => ({
      ...element,
      ...(isRecord(element["condition"]) && { condition: conditionOf(element["condition"]) }),
    })),
  );
  const answer = await session.expect("folders.policy", { body: { ...target, policy } });
  if (answer) readNotShown(session, "folders.policy", answer);
}

export async function writeUser(session: Session): Promise<void> {
  const { user } = session.targets;
  if (user === undefined)
    return session.notTried(
      "pass --user, a user who may be disabled for a moment",
      "accounts.enableUser",
      "accounts.disableUser",
    );
  const body = { svc_user_id: user };
  const step = session.cleanup.add(`user ${user}`, async (client) => {
    const { error } = await session.ask("accounts.enableUser", { body }, client);
    return error && { failed: `enabling the user again was refused (${statusText(error)})` };
  });
  const disabled = await session.expect("accounts.disableUser", { body });
  if (disabled) readNotShown(session, "accounts.disableUser", disabled);
  const enabled = await session.expect("accounts.enableUser", { body });
  if (!enabled) return;
  session.cleanup.done(step);
  session.cleanup.stays(`user ${user} is enabled`);
  readNotShown(session, "accounts.enableUser", enabled);
}
