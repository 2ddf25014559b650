import { z } from "zod";
import type { Readings } from "../../emulator/readings";
import { isFields } from "../../provider/values/json";
import type { OperationName } from "./catalogue";
import type { Answer } from "./forms";
import type { Session } from "./session";
import { describedTable, sensorError, sensorStatus, tableNames } from "./specified";

/** At most this many tables are looked at to find one that tells something. */
const looks = 10;

export async function readHive(session: Session): Promise<void> {
  const { facts, targets } = session;
  if (targets.table) facts.tables.push(targets.table);
  const answer = await session.expectReadable("hive.list", "getHiveTables", { inputs: { describe: true } });
  if (!answer) return;
  session.check("hive.list", answer.json, tableNames, "2.7");
  const names = Array.isArray(answer.json) ? answer.json.filter((one) => typeof one === "string") : [];
  facts.tables.push(...names.slice(0, looks).map((table) => ({ schema: "default", table })));
  const described = await session.expect("hive.list", { query: { describe: true } });
  if (described) checkDescribed(session, described.json);
  await readFilter(session, names);
  const none = await session.ask("hive.list", { query: { filter: "conform_no_such_table" } });
  if (none.error) session.deviates("hive.list", "a filter that matches nothing is refused");
  else session.check("hive.list", none.json, tableNames, "2.7");
}

/** Objects with one key, which is the name of a table. */
function checkDescribed(session: Session, json: unknown): void {
  const entries = Array.isArray(json) ? json : [];
  const isNamed = entries.every((entry) => isFields(entry) && Object.keys(entry).length === 1);
  if (!Array.isArray(json) || !isNamed)
    session.deviates("hive.list", "describe=true does not list objects with one key each", undefined, "2.7");
  const tables = entries.filter(isFields).flatMap((entry) => Object.values(entry));
  session.check("hive.list", tables, z.array(describedTable), "2.7");
}

async function readFilter(session: Session, names: readonly string[]): Promise<void> {
  const name = names.find((one) => /^\w{3,}$/.test(one));
  if (name === undefined) return session.leaveOpen("hiveFilter", "there is no table to filter for");
  const finds = async (filter: string) => {
    const { json } = await session.ask("hive.list", { query: { filter } });
    return Array.isArray(json) && json.includes(name);
  };
  const part = name.slice(1, -1);
  if (await finds(part)) session.reading("hive.list", "hiveFilter", "search");
  else if (await finds(`.${part}.`)) session.reading("hive.list", "hiveFilter", "whole");
  else session.deviates("hive.list", "filter does not work as a regular expression on table names");
  if (await finds(part.toUpperCase() === part ? part.toLowerCase() : part.toUpperCase()))
    session.note("hive.list", "filter ignores letter case");
}

export async function readHiveTables(session: Session): Promise<void> {
  const { facts } = session;
  await session.expect("hive.tablesWithViews", { path: { schema: "default" } });
  const [first] = facts.tables;
  if (!first)
    return session.notTried("pass --table SCHEMA.TABLE", "hive.table", "hive.partitions", "hive.tableProperties");
  await session.expect("hive.table", { path: first });
  await session.expect("hive.tableProperties", { path: first });
  for (const path of facts.tables) {
    const answer = await session.expect("hive.partitions", { path });
    if (!answer) return;
    const form = namesForm(answer.json);
    if (form) return session.reading("hive.partitions", "partitionNames", form);
  }
  session.leaveOpen("partitionNames", "no partition has a special character; name a table that has one with --table");
}

function namesForm(json: unknown): Readings["partitionNames"] | undefined {
  const partitions = Array.isArray(json) ? json.filter(isFields) : [];
  const names = partitions.map(({ PART_NAME }) => String(PART_NAME));
  const values = names.flatMap((name) => name.split("/").map((part) => part.slice(part.indexOf("=") + 1)));
  if (values.some((value) => /%[0-9A-F]{2}/.test(value))) return "escaped";
  return values.some((value) => /["#'*:=?\\{}[\]^]/.test(value)) ? "as-is" : undefined;
}

export async function writeSensors(session: Session): Promise<void> {
  const { facts } = session;
  const [table] = facts.tables;
  const paths = ["partitionSensor.create", "partitionSensor.createLongPath"] as const;
  if (!table) return session.notTried("there is no table; pass --table SCHEMA.TABLE", ...paths);
  session.cleanup.stays(`sensors of table ${table.schema}.${table.table}, if the platform keeps them`);
  const heading = await writeSensor(session, paths[0], table);
  const examples = await writeSensor(session, paths[1], table);
  if (heading || examples)
    session.reading(paths[0], "sensorPath", heading ? (examples ? "both" : "heading") : "examples");
  else session.deviates(paths[0], "neither of the two paths exists", "needs this");
  const absent = { schema: table.schema, table: `conform_${session.options.mark}`, columns: [] };
  const { json, status, error } = await session.ask(heading ? paths[0] : paths[1], { body: absent });
  if (status === 422 && error) return session.check(paths[0], json, sensorError);
  const what = `a table that is absent from the metastore is answered with HTTP ${status}, not 422`;
  session.deviates(paths[0], what, undefined, "7");
}

/** Whether the path exists. */
async function writeSensor(session: Session, name: OperationName, table: object): Promise<boolean> {
  const answer = await session.ask(name, { body: { ...table, columns: [] } });
  const isThere = answer.error?.code !== "not-found";
  if (!isThere) session.note(name, "this path does not exist; the other one does");
  else if (answer.status === 422) {
    // As specified. Some platforms want columns, and nothing lists those of a table.
    session.check(name, answer.json, sensorError);
    session.leaveOpen("sensorStatus", "a sensor without columns is refused (HTTP 422)");
  } else if (answer.error) session.failed(name, answer.error);
  else {
    session.check(name, answer.json, sensorStatus);
    session.reading(name, "sensorStatus", statusForm(answer), "status has another form");
  }
  return isThere;
}

function statusForm({ fields: { status } }: Answer): Readings["sensorStatus"] | undefined {
  if (typeof status === "boolean") return "boolean";
  return status === "true" || status === "false" ? "text" : undefined;
}
