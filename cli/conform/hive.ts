import { z } from "zod";
import { isFields } from "../../provider/values/json";
import type { OperationName } from "./catalogue";
import type { Session } from "./session";
import { describedTable, sensorError, sensorStatus, tableNames } from "./specified";

/** At most this many tables are looked at to find one that tells something. */
const looks = 10;

export async function readHive(session: Session): Promise<void> {
  const { facts, targets } = session;
  if (targets.table) facts.tables.push(targets.table);
  const answer = await session.expectReadable("hive.list", "getHiveTables", { inputs: { describe: true } });
  if (!answer) return;
  answer.check(tableNames, "2.7");
  const names = Array.isArray(answer.json) ? answer.json.filter((one) => typeof one === "string") : [];
  facts.tables.push(...names.slice(0, looks).map((table) => ({ schema: "default", table })));
  await readDescribed(session);
  await readFilter(session, names);
  const none = await session.ask("hive.list", { query: { filter: "conform_no_such_table" } });
  if (none.error) none.op.deviates("a filter that matches nothing is refused");
  else none.check(tableNames, "2.7");
}

/** Objects with one key, which is the name of a table. */
async function readDescribed(session: Session): Promise<void> {
  const answer = await session.expect("hive.list", { query: { describe: true } });
  if (!answer) return;
  const { json, op } = answer;
  const entries = Array.isArray(json) ? json : [];
  const isNamed = entries.every((entry) => isFields(entry) && Object.keys(entry).length === 1);
  if (!Array.isArray(json) || !isNamed)
    op.deviates("describe=true does not list objects with one key each", undefined, "2.7");
  const tables = entries.filter(isFields).flatMap((entry) => Object.values(entry));
  op.check(tables, z.array(describedTable), "2.7");
}

async function readFilter(session: Session, names: readonly string[]): Promise<void> {
  const name = names.find((one) => /^\w{3,}$/.test(one));
  if (name === undefined) return session.leaveOpen("hiveFilter", "there is no table to filter for");
  const op = session.op("hive.list");
  const finds = async (filter: string) => {
    const { json } = await session.ask("hive.list", { query: { filter } });
    return Array.isArray(json) && json.includes(name);
  };
  const part = name.slice(1, -1);
  if (await finds(part)) op.reading("hiveFilter", "search");
  else if (await finds(`.${part}.`)) op.reading("hiveFilter", "whole");
  else op.deviates("filter does not work as a regular expression on table names");
  if (await finds(part.toUpperCase() === part ? part.toLowerCase() : part.toUpperCase()))
    op.note("filter ignores letter case");
}

export async function readHiveTables(session: Session): Promise<void> {
  const { tables } = session.facts;
  await session.expect("hive.tablesWithViews", { path: { schema: "default" } });
  const [first] = tables;
  if (!first)
    return session.notTried("pass --table SCHEMA.TABLE", "hive.table", "hive.partitions", "hive.tableProperties");
  await session.expect("hive.table", { path: first });
  await session.expect("hive.tableProperties", { path: first });
  for (const path of tables) {
    const answer = await session.expect("hive.partitions", { path });
    if (!answer) return;
    const partitions = Array.isArray(answer.json) ? answer.json.filter(isFields) : [];
    const names = partitions.map(({ PART_NAME }) => String(PART_NAME));
    const values = names.flatMap((name) => name.split("/").map((part) => part.slice(part.indexOf("=") + 1)));
    answer.op.reading("partitionNames", {
      escaped: values.some((value) => /%[0-9A-F]{2}/.test(value)),
      "as-is": values.some((value) => /["#'*:=?\\{}[\]^]/.test(value)),
    });
    if (session.valueOf("partitionNames")) return;
  }
  session.leaveOpen("partitionNames", "no partition has a special character; name a table that has one with --table");
}

export async function writeSensors(session: Session): Promise<void> {
  const [table] = session.facts.tables;
  const paths = ["partitionSensor.create", "partitionSensor.createLongPath"] as const;
  if (!table) return session.notTried("there is no table; pass --table SCHEMA.TABLE", ...paths);
  session.cleanup.stays(`sensors of table ${table.schema}.${table.table}, if the platform keeps them`);
  const op = session.op(paths[0]);
  const heading = await writeSensor(session, paths[0], table);
  const examples = await writeSensor(session, paths[1], table);
  if (!heading && !examples) {
    for (const name of paths) session.op(name).deviates("neither of the two paths exists", "needs this");
    for (const reading of ["sensorPath", "sensorStatus"] as const)
      session.leaveOpen(reading, "neither of the two paths of sensors exists");
    return;
  }
  if (!heading || !examples)
    session.op(heading ? paths[1] : paths[0]).note("this path does not exist; the other one does");
  op.reading("sensorPath", { both: heading && examples, heading, examples });
  const body = { schema: table.schema, table: `conform_${session.options.mark}`, columns: [] };
  const { json, status, error } = await session.ask(heading ? paths[0] : paths[1], { body });
  if (status === 422 && error) op.check(json, sensorError);
  else
    op.deviates(`a table that is absent from the metastore is answered with HTTP ${status}, not 422`, undefined, "7");
}

/** Whether the path exists. */
async function writeSensor(session: Session, name: OperationName, table: object): Promise<boolean> {
  const answer = await session.ask(name, { body: { ...table, columns: [] } });
  const { op, error, fields } = answer;
  if (error?.code === "not-found") return false;
  if (answer.status === 422) {
    // As specified. Some platforms want columns, and nothing lists those of a table.
    answer.check(sensorError);
    session.leaveOpen("sensorStatus", "a sensor without columns is refused (HTTP 422)");
  } else if (error) op.failed(error);
  else {
    answer.check(sensorStatus);
    const { status } = fields;
    const forms = { boolean: typeof status === "boolean", text: status === "true" || status === "false" };
    op.reading("sensorStatus", forms, "status has another form");
  }
  return true;
}
