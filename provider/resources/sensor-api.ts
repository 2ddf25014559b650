import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
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
    .min(1, "names no column; a partition is told by at least one column and its values")
    .describe("The partitions that must be there, by column. Order means nothing."),
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
  readonly columns: readonly PartitionColumn[];
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

const Answer = z.object({ status: z.union([z.boolean(), z.enum(["true", "false"])]) });

/** Asks the platform, and remembers which of the two paths it does not serve. */
class Sensors {
  readonly #api: Client;
  readonly #missing = new Set<SensorPath>();

  constructor(api: Client) {
    this.#api = api;
  }

  /** Whether every partition is there. */
  async ready({ schema, table, columns, apiPath }: Partitions, signal?: AbortSignal): Promise<boolean> {
    const body = { schema, table, columns };
    const [first, second] = this.#paths(apiPath);
    try {
      return await this.#ask(first, body, signal);
    } catch (error) {
      if (!isPlatformError(error, "not-found")) throw explained(error, schema, table);
      this.#missing.add(first);
    }
    try {
      return await this.#ask(second, body, signal);
    } catch (error) {
      this.#missing.clear();
      throw explained(error, schema, table);
    }
  }

  #paths(preferred: SensorPath = sensorPaths[0]): [SensorPath, SensorPath] {
    const other = sensorPaths.find((path) => path !== preferred)!;
    return this.#missing.has(preferred) ? [other, preferred] : [preferred, other];
  }

  async #ask(path: SensorPath, body: object, signal: AbortSignal | undefined): Promise<boolean> {
    const { status } = await this.#api.callOnce(operationOf[path], {
      body,
      answer: Answer,
      signal,
      // A question changes nothing: when its answer is lost, the way to look it up is to ask again.
      lookUp: async () => undefined as { status: boolean } | undefined,
    });
    // The platform says it as a string, and "false" is truthy.
    return status === true || status === "true";
  }
}

function explained(error: unknown, schema: string, table: string): unknown {
  if (!isPlatformError(error)) return error;
  const { code, status, operation, platformMessage, message } = error;
  const details = { code, status, operation, platformMessage, cause: error };
  if (isTableAbsent(error)) {
    return new PlatformError(
      `the platform cannot look for partitions of ${schema}.${table} (422): ${platformMessage ?? "it gave no reason"}; check schema, table and column names`,
      details,
    );
  }
  if (code === "not-found")
    return new PlatformError(`${message}; neither ${sensorPaths.join(" nor ")} is served`, details);
  return error;
}

/** How the platform answers for a table that its metastore does not know. */
export function isTableAbsent(error: unknown): error is PlatformError {
  return isPlatformError(error, "rejected") && error.status === 422;
}

export const sensorsOf = (api: Client): Sensors => api.shared(makeSensors);
const makeSensors = (api: Client): Sensors => new Sensors(api);
