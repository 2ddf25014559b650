import { type Answer, invalid, ok, Refusal } from "../answers";
import type { HiveTable } from "../model";
import { type Call, needs, type Operation } from "../operation";
import type { World } from "../world";

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

/** The one failure whose answer the specification shows. */
function unprocessable(message: string): Refusal {
  return new Refusal("invalid", message, {
    status: 422,
    json: { error: { error_code: 422, error_message: message } },
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

function decide(world: World, table: HiveTable, wanted: Wanted[]): boolean {
  const asked = `sensor ${table.schema}.${table.name} ${JSON.stringify(wanted)}`;
  const times = (world.data.counters[asked] ?? 0) + 1;
  world.data.counters[asked] = times;
  return {
    "partition there": exists(table, wanted),
    "always true": true,
    "always false": false,
    "true from the third ask": times >= 3,
  }[world.switches.sensorMeaning];
}

function form(world: World, status: boolean): unknown {
  const text = String(status);
  if (world.switches.sensorStatus === "boolean") return status;
  return world.switches.sensorStatus === "text" ? text : text[0]?.toUpperCase() + text.slice(1);
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  parameters.only("schema", "table", "columns").needs("schema", "table").mayNeed(["columns"]);
  const schema = parameters.text("schema") ?? "";
  const name = parameters.text("table") ?? "";
  const wanted = readColumns(parameters.list("columns") ?? []);
  const own = world.data.hiveTables.filter((table) => table.accountId === user.accountId);
  const table = own.find((candidate) => candidate.schema === schema && candidate.name === name);
  if (!table) throw unprocessable(`table ${schema}.${name} is not in the metastore`);
  const status = decide(world, table, wanted);
  world.data.sensors.push({ accountId: user.accountId, schema, table: name, columns: wanted, status });
  return ok({ status: form(world, status) });
}

const heading = "/api/v1.2/partition_sensor";
const examples = "/api/v1.2/sensors/partition_sensor";

export function sensorOperations(world: World): readonly Operation[] {
  const paths = { both: [heading, examples], "heading only": [heading], "examples only": [examples] };
  return [
    {
      name: "sensors.create",
      method: "POST",
      paths: paths[world.switches.sensorPath],
      need: needs.createSensor,
      run: create,
    },
  ];
}
