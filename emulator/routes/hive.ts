import { z } from "zod";
import { admins, anyone } from "../auth";
import { ApiError, invalid } from "../errors";
import { matching } from "../expressions";
import type { RecordOf } from "../records";
import { defineRoute } from "../router";

const column = z.object({ name: z.string(), type: z.string() });

const list = defineRoute({
  operation: "hive.list",
  summary: "List the Hive tables of the default schema",
  method: "GET",
  paths: ["/api/v1.2/hive/default"],
  access: admins("viewing Hive tables"),
  params: z.strictObject({
    filter: z.string().optional().describe("Regular expression on table names"),
    describe: z.literal(true).optional().describe("Adds the columns"),
  }),
  answer: z.array(z.union([z.string(), z.record(z.string(), z.object({ columns: z.array(column) }))])),
  handle({ store, account, readings }, { filter, describe }) {
    const all = store.list("hiveTables", account.id).filter(({ schema }) => schema === "default");
    const names = all.map(({ name }) => name);
    const expression = readings.hiveFilter === "whole" && filter !== undefined ? `^(?:${filter})$` : filter;
    const wanted = expression === undefined ? undefined : matching("filter", expression, names);
    const tables = all.filter((_table, index) => wanted?.[index] ?? true);
    return tables.map(({ name, columns }) => (describe ? { [name]: { columns } } : name));
  },
});

const scalar = z.union([z.string(), z.number()]);

const createSensor = defineRoute({
  operation: "partitionSensor.create",
  summary: "Ask whether partitions of a Hive table are there",
  method: "POST",
  paths: ["/api/v1.2/partition_sensor", "/api/v1.2/sensors/partition_sensor"],
  access: anyone("creating a sensor"),
  params: z.strictObject({
    schema: z.string().min(1),
    table: z.string().min(1),
    columns: z
      .array(
        z.strictObject({
          column: z.string().min(1),
          values: z.union([z.array(scalar), z.string().regex(/^\s*\[.*\]\s*$/s, "must be an array or [a, b]")]),
        }),
      )
      .default([]),
  }),
  answer: z.object({ status: z.enum(["true", "false"]) }),
  existsAt: (pathname, { sensorPath }) =>
    sensorPath === "both" || pathname.startsWith("/api/v1.2/sensors/") === (sensorPath === "examples"),
  handle({ store, clock, account, readings }, { schema, table, columns }) {
    const found = store.get("hiveTables", account.id, `${schema}.${table}`);
    if (!found) throw new ApiError(422, `table ${schema}.${table} is absent from the metastore`, {}, true);
    const wanted = columns.map(({ column: name, values }) => ({ column: name, values: valueList(values) }));
    const unknown = wanted.find(({ column: name }) => !found.columns.some((known) => known.name === name));
    if (unknown) throw invalid(`columns: ${schema}.${table} has no column ${unknown.column}`);
    const status = partitionsPresent(found, wanted);
    const id = store.nextId("sensors");
    store.put("sensors", account.id, { id, schema, table, columns: wanted, status, created_at: clock.timestamp() });
    return { status: readings.sensorStatus === "boolean" ? status : String(status) };
  },
});

/** The values of a column: an array, or a string such as `[2024-01-01, "2024-01-02"]`. */
function valueList(values: (string | number)[] | string): string[] {
  if (typeof values !== "string") return values.map(String);
  const inner = values.trim().slice(1, -1).trim();
  if (inner === "") return [];
  return inner.split(",").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

interface Wanted {
  column: string;
  values: string[];
}

/** Whether every combination of the wanted values has a partition; without any, the table is enough. */
function partitionsPresent(table: RecordOf<"hiveTables">, wanted: Wanted[]): boolean {
  const present = (rest: Wanted[], candidates: Record<string, string>[]): boolean => {
    const [first, ...others] = rest;
    if (!first) return candidates.length > 0;
    // Deduplicate: 1,000 repeated values in each of three columns would mean a billion lookups.
    return [...new Set(first.values)].every((value) =>
      present(
        others,
        candidates.filter((partition) => partition[first.column] === value),
      ),
    );
  };
  return wanted.length === 0 || present(wanted, table.partitions);
}

export const hiveRoutes = [list, createSensor];
