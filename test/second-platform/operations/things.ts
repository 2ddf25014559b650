import { type Answer, invalid, missing, ok, Refusal } from "../answers";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import type { HiveTable } from "../state";
import type { World } from "../world";

/* Data stores, Hive tables, and sensors of their partitions. */

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift"];
const locations = ["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"];
const names = [
  ...["catalog_name", "name", "db_name", "db_host", "db_user", "db_passwd", "port", "db_type", "db_location"],
  "skip_validation",
];

function createDataStore({ world, user: { accountId, userId }, parameters }: Call): Answer {
  const { switches } = world;
  parameters.only(...names).mayNeed(["db_name", "db_host", "db_user", "db_passwd"], ["db_location"]);
  const text = (name: string) => parameters.text(name) ?? null;
  const skip = parameters.flag("skip_validation") ?? false;
  if (!skip && switches.dataStoreValidation === "fails") throw invalid("the data store cannot be reached");
  const given = text("db_passwd");
  const password = { "as sent": given, masked: "********", null: null, absent: undefined };
  const name = text("name") ?? `${text("db_host") ?? ""}-${text("db_name") ?? ""}`;
  const id = world.nextId("data store");
  const fields = {
    id,
    account_id: accountId,
    user_id: userId,
    active: skip || switches.dataStoreValidation !== "inactive, created",
    name,
    db_name: text("db_name"),
    db_host: text("db_host"),
    db_user: text("db_user"),
    db_passwd: password[switches.dataStorePassword],
    db_type: parameters.oneOf("db_type", types) ?? "mysql",
    db_location: parameters.oneOf("db_location", locations) ?? null,
    port: parameters.within("port", 1, 65535) ?? null,
    created_at: world.stamp(world.now()),
  };
  world.data.dataStores.push({ id, accountId, name });
  return ok({ "all fields": fields, "id only": { id }, "id and name": { id, name } }[switches.dataStoreAnswer]);
}

function matcher(world: World, filter: string): (name: string) => boolean {
  const { hiveFilter } = world.switches;
  const glob = filter
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const source = { glob: `^${glob}$`, "whole name": `^(?:${filter})$` }[hiveFilter as string] ?? filter;
  const expression = new RegExp(source, hiveFilter === "anywhere, case ignored" ? "i" : "");
  return (name) => expression.test(name);
}

function columnsOf({ switches: { hiveColumns } }: World, table: HiveTable): unknown {
  if (hiveColumns === "null") return null;
  if (hiveColumns === "[]") return [];
  const keys = hiveColumns === "table columns" ? [] : Object.keys(table.partitions[0] ?? {});
  return [...structuredClone(table.columns), ...keys.map((name) => ({ name, type: "string" }))];
}

function listTables({ world, user, query }: Call): Answer {
  const { switches } = world;
  new Parameters(switches, query).only("filter", "describe");
  const { filter, describe } = query;
  if (describe !== undefined && describe !== "true") throw invalid("describe must be true when given");
  const fits = filter === undefined ? () => true : matcher(world, filter);
  // The path names the database: default.
  const tables = world.data.hiveTables.filter(
    (table) => table.accountId === user.accountId && table.schema === "default" && fits(table.name),
  );
  if (switches.hiveOrder === "by name") tables.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (tables.length === 0) {
    if (switches.hiveEmpty === "missing") throw missing("no tables");
    return ok({ "[]": [], null: null, "{}": {} }[switches.hiveEmpty]);
  }
  if (describe !== "true") return ok(tables.map((table) => table.name));
  return ok(tables.map((table) => ({ [table.name]: { columns: columnsOf(world, table) } })));
}

interface Wanted {
  column: string;
  values: string[];
}

/** Values come as a list or as a bracketed text such as `[2024-01-01, "b"]`. */
function readValues(values: unknown): string[] {
  if (Array.isArray(values)) return values.map(String);
  const inner = typeof values === "string" ? /^\s*\[(.*)\]\s*$/s.exec(values)?.[1] : undefined;
  if (inner === undefined) throw invalid("values must be an array or a bracketed string");
  return inner
    .split(",")
    .map((value) => value.trim().replace(/^(['"])(.*)\1$/, "$2"))
    .filter((value) => value !== "");
}

function readColumns(columns: unknown[]): Wanted[] {
  return columns.map((entry) => {
    const { column, values } = (entry ?? {}) as Record<string, unknown>;
    if (typeof column !== "string") throw invalid("each entry of columns names its column");
    return { column, values: readValues(values) };
  });
}

function exists(table: HiveTable, wanted: Wanted[]): boolean {
  // Every combination of the asked values is one partition.
  const combinations = wanted.reduce<Record<string, string>[]>(
    (sofar, { column, values }) => sofar.flatMap((one) => values.map((value) => ({ ...one, [column]: value }))),
    [{}],
  );
  const there = (one: Record<string, string>) =>
    table.partitions.some((partition) => Object.entries(one).every(([column, value]) => partition[column] === value));
  return combinations.length > 0 && combinations.every(there);
}

function createSensor({ world, user, parameters }: Call): Answer {
  const { data, switches } = world;
  parameters.only("schema", "table", "columns").needs("schema", "table").mayNeed(["columns"]);
  const [schema, name] = [parameters.text("schema"), parameters.text("table")];
  const wanted = readColumns(parameters.list("columns") ?? []);
  const own = data.hiveTables.filter((table) => table.accountId === user.accountId);
  const table = own.find((candidate) => candidate.schema === schema && candidate.name === name);
  if (!table) {
    const message = `table ${schema}.${name} is not in the metastore`;
    // The one failure whose answer the specification shows.
    const json = { error: { error_code: 422, error_message: message } };
    throw new Refusal("invalid", message, { status: 422, json });
  }
  const asked = world.count(`sensor ${schema}.${name} ${JSON.stringify(wanted)}`);
  const status = {
    "partition there": exists(table, wanted),
    "always true": true,
    "always false": false,
    "true from the third ask": asked >= 3,
  }[switches.sensorMeaning];
  data.sensors.push({ status });
  const capital = status ? "True" : "False";
  return ok({ status: { boolean: status, text: String(status), "capital text": capital }[switches.sensorStatus] });
}

const heading = "/api/v1.2/partition_sensor";
const examples = "/api/v1.2/sensors/partition_sensor";

export function thingOperations({ switches }: World): readonly Operation[] {
  const sensorPaths = { both: `${heading} ${examples}`, "heading only": heading, "examples only": examples };
  return [
    operation("dataStores.create", "POST /api/v1.2/db_taps/", needs.createDataStore, createDataStore),
    operation("hive.tables", "GET /api/v1.2/hive/default/", needs.viewHive, listTables),
    operation("sensors.create", `POST ${sensorPaths[switches.sensorPath] as "/"}`, needs.createSensor, createSensor),
  ];
}
