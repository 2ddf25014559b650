import { type Answer, invalid, missing, ok, Refusal } from "../../answers";
import type { HiveTable } from "../../model";
import { type Call, type Operation, operation } from "../../operation";
import { needs } from "./needs";

function unknown(call: Call, what: string): Refusal {
  const message = `${what} not found`;
  return {
    missing: missing(message),
    "[]": new Refusal("missing", message, ok([])),
    null: new Refusal("missing", message, ok(null)),
    invalid: invalid(message),
  }[call.world.switches.hiveUnknownTable];
}

function same(call: Call, a: string, b: string | undefined): boolean {
  const ignored = call.world.switches.hiveNameCase === "ignored";
  return ignored ? a.toLowerCase() === b?.toLowerCase() : a === b;
}

function tablesOf(call: Call): HiveTable[] {
  const { world, user, path } = call;
  const found = world.data.hiveTables.filter(
    (table) => table.accountId === user.accountId && same(call, table.schema, path["schema"]),
  );
  if (found.length === 0) throw unknown(call, `schema ${path["schema"]}`);
  return found;
}

function tableOf(call: Call): HiveTable {
  const found = tablesOf(call).find((table) => same(call, table.name, call.path["table"]));
  if (!found) throw unknown(call, `table ${call.path["table"]}`);
  return found;
}

const keysOf = (table: HiveTable) => Object.keys(table.partitions[0] ?? {});

function definition(call: Call): Answer {
  const { switches } = call.world;
  const table = tableOf(call);
  const keys = switches.definitionColumns === "table columns" ? [] : keysOf(table);
  const columns = [...table.columns, ...keys.map((name) => ({ name, type: "string" }))];
  const comment = { null: { comment: null }, absent: {}, "empty text": { comment: "" }, text: { comment: "a column" } };
  const records = columns.map(({ name, type }) => ({
    name,
    type: switches.definitionType === "upper case" ? type.toUpperCase() : type,
    ...comment[switches.definitionComment],
  }));
  return ok(switches.definitionEnvelope === "list" ? records : { columns: records });
}

function partitionName(call: Call, partition: Record<string, string>): string {
  const way = call.world.switches.partitionNames;
  return Object.entries(partition)
    .map(([column, value]) => {
      const shown = way === "percent-encoded" ? encodeURIComponent(value).replaceAll("-", "%2D") : value;
      return `${way === "upper-case columns" ? column.toUpperCase() : column}=${shown}`;
    })
    .join("/");
}

function partitions(call: Call): Answer {
  const { switches } = call.world;
  const table = tableOf(call);
  if (table.partitions.length === 0) {
    if (switches.partitionsNone === "missing") throw missing(`${table.name} is not partitioned`);
    return ok({ "[]": [], null: null, "{}": {} }[switches.partitionsNone]);
  }
  return ok(
    table.partitions.map((partition) => {
      const name = partitionName(call, partition);
      const location = `s3://acme-bucket/warehouse/${table.schema}/${table.name}/${name}`;
      if (switches.partitionFields === "lower case") return { part_name: name, location };
      return switches.partitionFields === "PART_NAME only"
        ? { PART_NAME: name }
        : { PART_NAME: name, LOCATION: location };
    }),
  );
}

const schema = "/api/v1.2/hive/:schema";
const need = needs.viewDefinition;

export const hiveOperations: readonly Operation[] = [
  operation("hive.definition", `GET ${schema}/:table`, need, definition),
  operation("hive.partitions", `GET ${schema}/:table/partitions`, need, partitions),
];
