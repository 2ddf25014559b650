import type { Client } from "../../provider/api/client";
import type { OperationName } from "./catalogue";
import type { Undone } from "./cleanup";
import { type Answer, isRecord } from "./forms";
import { readPackageList } from "./read-extended-work";
import { type Session, statusText } from "./session";
import { checkShape, readNotShown, sensorError, sensorStatus } from "./specified";
import { writeFolderPolicy } from "./write-policies";

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
    else if (answer.status === 422) {
      // As specified. Some platforms want columns, and nothing lists those of a table.
      checkShape(findings, name, answer.json, sensorError, "4.9");
      findings.leaveOpen("sensorStatus", "a sensor without columns is refused (HTTP 422)");
    } else if (answer.error) session.failed(name, answer.error);
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

export async function writePackages(session: Session): Promise<void> {
  const { environment, package: name } = session.targets;
  const both = ["package.add", "package.remove"] as const;
  if (environment === undefined || name === undefined)
    return session.notTried("pass --environment ID and --package NAME, one that it does not have", ...both);
  const bare = name.split("==")[0]!;
  const path = { envId: environment };
  const list = await session.expect("package.listPackages", { path });
  // Where packages cannot be listed at all, the user's word has to do.
  if (!list && !session.findings.isLacking("package.listPackages"))
    return session.notTried(`the packages of environment ${environment} could not be listed`, ...both);
  if (list?.text.toLowerCase().includes(bare.toLowerCase()))
    return session.notTried(`environment ${environment} may have ${bare} already`, ...both);
  const body = (names: string) => ({ source_type: "python_package", package_names: names });
  const step = session.cleanup.add(`package ${bare} in environment ${environment}`, (client) =>
    removePackage(session, client, environment, body(bare)),
  );
  const added = await session.ask("package.add", { path, body: body(name) });
  if (added.error) {
    // Refused, perhaps because it is there: then it is not ours to remove.
    if (added.error.outcome !== "open") session.cleanup.done(step);
    return session.failed("package.add", added.error);
  }
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
