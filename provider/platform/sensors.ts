import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, type PlatformError } from "../api/errors";
import { operations } from "../api/operations";

/** Partitions of a Hive table: what `PartitionSensor` and `checkPartition` ask for. */

/** The API's document shows two paths for the sensor; which one an installation serves is found out. */
export const sensorPaths = ["partition_sensor", "sensors/partition_sensor"] as const;
export type SensorPath = (typeof sensorPaths)[number];

const operationOf = {
  partition_sensor: operations.createPartitionSensor,
  "sensors/partition_sensor": operations.createPartitionSensorLongPath,
} as const;

const value = z.union([z.string(), z.number()]);
const bracketed = /^\s*\[([\s\S]*)\]\s*$/;

export const partitionColumn = z
  .strictObject({
    column: z.string().min(1, "must not be empty").describe("Partition column."),
    values: z
      .union([z.array(value), z.string()])
      .superRefine((values, context) => {
        const problem = problemOf(values);
        if (problem) context.addIssue({ code: "custom", message: problem });
      })
      .describe("Values to wait for: an array, or a string such as `[2026-01-01, 2026-01-02]`."),
  })
  .meta({ id: "PartitionColumn", description: "A partition column and the values that must be there." });
export type PartitionColumn = z.output<typeof partitionColumn>;

export const sensorInputs = {
  schema: z.string().min(1, "must not be empty").describe("Database that holds the Hive table."),
  table: z.string().min(1, "must not be empty").describe("Hive table."),
  columns: z
    .array(partitionColumn)
    .optional()
    .meta({ wasRequired: true })
    .describe(
      "The partitions that must be there, by column. Order means nothing. Without any, the platform decides what to look for.",
    ),
  apiPath: z
    .enum(sensorPaths)
    .optional()
    .describe(
      "Path of the operation that is tried first; the other one is tried when the platform answers 404. Default: `partition_sensor`.",
    ),
};

export interface Partitions {
  readonly schema: string;
  readonly table: string;
  readonly columns?: readonly PartitionColumn[] | undefined;
  readonly apiPath?: SensorPath | undefined;
}

function problemOf(values: PartitionColumn["values"]): string | undefined {
  if (typeof values === "string" && !bracketed.test(values)) {
    return `is ${JSON.stringify(values)}; allowed is an array, or a string in brackets such as "[2026-01-01, 2026-01-02]"`;
  }
  const list = valueList(values);
  if (list.length === 0) return "is empty; give at least one value";
  if (list.includes("")) return "contains an empty value";
  return undefined;
}

/** The values as text, whichever way they are written. Quotes keep a comma inside a value. */
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

/** Two columns of the same name would ask for two things at once. */
export function repeatedColumn(columns: readonly PartitionColumn[]): string | undefined {
  const names = columns.map(({ column }) => column);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `names column ${JSON.stringify(twice)} twice; put all its values together`;
}

/** The platform says it as a string, and "false" is truthy. */
const Answer = z.object({
  status: z
    .union([z.boolean(), z.string().regex(/^(true|false)$/i, 'neither "true" nor "false"')])
    .transform((status) => String(status).toLowerCase() === "true"),
});

/** Asks the platform, and remembers which of the two paths it does not serve. */
class Sensors {
  readonly #missing = new Set<SensorPath>();

  /** Whether every partition is there. */
  async ready({ schema, table, columns, apiPath }: Partitions, api: Client): Promise<boolean> {
    const body = { schema, table, columns };
    const [first, second] = this.#paths(apiPath);
    try {
      return await ask(api, first, body);
    } catch (error) {
      if (!isPlatformError(error, "not-found") && !isNotServed(error)) throw explained(error, schema, table);
      this.#missing.add(first);
    }
    try {
      return await ask(api, second, body);
    } catch (error) {
      this.#missing.clear();
      throw explained(error, schema, table);
    }
  }

  #paths(preferred: SensorPath = sensorPaths[0]): [SensorPath, SensorPath] {
    const other = sensorPaths.find((path) => path !== preferred)!;
    return this.#missing.has(preferred) ? [other, preferred] : [preferred, other];
  }
}

async function ask(api: Client, path: SensorPath, body: object): Promise<boolean> {
  const { status } = await api.call(operationOf[path], { body, answer: Answer });
  return status;
}

/** Method not allowed, or a page instead of an answer: other ways to say that nothing is served at a path. */
function isNotServed(error: unknown): boolean {
  if (isPlatformError(error, "bad-answer")) return error.cause instanceof SyntaxError;
  return isPlatformError(error, "rejected") && error.status === 405;
}

function explained(error: unknown, schema: string, table: string): unknown {
  if (!isPlatformError(error)) return error;
  const { code, platformMessage, message } = error;
  if (isTableAbsent(error)) {
    return error.with(
      `the platform cannot look for partitions of ${schema}.${table} (422): ${platformMessage ?? "it gave no reason"}; check schema, table and column names`,
      { cause: error },
    );
  }
  if (code === "not-found")
    return (error as PlatformError).with(`${message}; neither ${sensorPaths.join(" nor ")} is served`, {
      cause: error,
    });
  return error;
}

/** How the platform answers for a table that its metastore does not know. */
export function isTableAbsent(error: unknown): error is PlatformError {
  return isPlatformError(error, "rejected") && error.status === 422;
}

const sensorsOf = (api: Client): Sensors => api.shared(makeSensors);
const makeSensors = (): Sensors => new Sensors();

/** Whether every partition is there. */
export function partitionsAreReady(api: Client, wanted: Partitions): Promise<boolean> {
  return sensorsOf(api).ready(wanted, api);
}
