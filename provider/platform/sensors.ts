import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, type PlatformError } from "../api/errors";
import { installationOf } from "../api/installation";
import { operations } from "../api/operations";

/** Partitions of a Hive table, for `PartitionSensor` and `checkPartition`. */

/** The API's manual shows two paths for the sensor, so the provider tries which one an installation serves. */
const sensors = {
  partition_sensor: operations.createPartitionSensor,
  "sensors/partition_sensor": operations.createPartitionSensorLongPath,
} as const;
type SensorPath = keyof typeof sensors;
const sensorPaths = Object.keys(sensors) as SensorPath[];

const value = z.union([z.string(), z.number(), z.boolean()]);
const bracketed = /^\s*\[([\s\S]*)\]\s*$/;

const partitionColumn = z
  .strictObject({
    column: z.string().min(1, "must not be empty").describe("Partition column."),
    values: z
      .union([z.array(value), z.string()])
      .refine((values) => typeof values !== "string" || bracketed.test(values), {
        error: ({ input }) =>
          `is ${JSON.stringify(input)}; expected an array, or a string in brackets such as "[2026-01-01, 2026-01-02]"`,
      })
      .describe("Values that must exist: an array, or a string such as `[2026-01-01, 2026-01-02]`."),
  })
  .meta({ id: "PartitionColumn", description: "A partition column and the values that must exist." });
export type PartitionColumn = z.output<typeof partitionColumn>;

export const sensorInputs = {
  schema: z.string().min(1, "must not be empty").describe("Database that holds the Hive table."),
  table: z.string().min(1, "must not be empty").describe("Hive table."),
  columns: z
    .array(partitionColumn)
    .optional()
    .meta({ wasRequired: true })
    .describe(
      "Partitions that must exist, by column. Order does not matter. Default: none, and the platform decides what to look for.",
    ),
  apiPath: z
    .enum(sensorPaths)
    .meta({ schemaName: "SensorApiPath" })
    .optional()
    .describe(
      "API path to try first; if the platform does not serve it, the other one is tried. Default: `partition_sensor`.",
    ),
};

export type Partitions = z.output<z.ZodObject<typeof sensorInputs>>;

/** Values of either form as strings. Quotes protect a comma inside a value. */
export function valueList(values: PartitionColumn["values"]): string[] {
  if (typeof values !== "string") return values.map(String);
  const inner = (bracketed.exec(values)?.[1] ?? "").trim();
  if (inner === "") return [];
  const item = /\s*(?:"([^"]*)"|'([^']*)'|([^,]*?))\s*(,|$)/y;
  const found: string[] = [];
  for (let match = item.exec(inner); match; match = item.exec(inner)) {
    found.push(match[1] ?? match[2] ?? match[3] ?? "");
    if (match[4] === "") break;
  }
  return found;
}

/** Listing a column twice would be ambiguous. */
export function sensorRules(
  { columns = [] }: Partial<Partitions>,
  report: (property: "columns", reason: string) => void,
): void {
  const names = columns.map(({ column }) => column);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    report("columns", `lists column ${JSON.stringify(repeated)} twice; list it once, with all its values`);
}

/** The platform returns a string, and "false" is truthy. */
const Answer = z.object({
  status: z
    .union([z.boolean(), z.string().regex(/^(true|false)$/i, 'expected "true" or "false"')])
    .transform((status) => String(status).toLowerCase() === "true"),
});

/** Whether every partition exists, as the path that the installation serves tells. */
export async function partitionsAreReady(
  api: Client,
  { schema, table, columns, apiPath: first = "partition_sensor" }: Partitions,
): Promise<boolean> {
  const second = sensorPaths.find((path) => path !== first)!;
  const check = (operation: (typeof sensors)[SensorPath]) =>
    api.call(operation, { body: { schema, table, columns }, answer: Answer });
  try {
    return (await installationOf(api).newest(sensors[first], sensors[second], check, isNotServed)).status;
  } catch (error) {
    throw withAdvice(error, schema, table);
  }
}

/** Also a 404 in the platform's own form, which names no thing here; and some servers answer with 405 or a page. */
function isNotServed(error: unknown): boolean {
  if (isPlatformError(error, "bad-answer")) return error.cause instanceof SyntaxError;
  return isPlatformError(error, "not-found") || (isPlatformError(error, "rejected") && error.status === 405);
}

function withAdvice(error: unknown, schema: string, table: string): unknown {
  if (isTableAbsent(error)) {
    const said = error.platformMessage ?? "it gave no reason";
    const message = `the platform cannot check partitions of ${schema}.${table} (422): ${said}; check the schema, table and column names`;
    return error.with(message, { cause: error });
  }
  if (!isPlatformError(error, "not-found") || error.fromPlatform) return error;
  return error.with(`${error.message}. The platform serves neither ${sensorPaths.join(" nor ")}`, { cause: error });
}

/** The platform answers 422 for a table that is not in its metastore. */
export function isTableAbsent(error: unknown): error is PlatformError {
  return isPlatformError(error, "rejected") && error.status === 422;
}
