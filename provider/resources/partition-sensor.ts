import { z } from "zod";
import { type PlatformError, withNote } from "../api/errors";
import { accountIdOutput, type Context, defineResource, PartialSuccess, wrongId } from "../core/define";
import { ProgressLog, slowing } from "../core/progress";
import {
  isTableAbsent,
  type PartitionColumn,
  type Partitions,
  partitionsAreReady,
  sensorInputs,
  sensorRules,
  valueList,
} from "../platform/sensors";
import { waitSchema } from "../values/wait";

const defaults = { timeoutSeconds: 1800, intervalSeconds: 5 };

const Waiting = waitSchema({
  timeout: `Maximum time to wait, in seconds: at most 86400, a day. Default: ${defaults.timeoutSeconds}.`,
  longestTimeout: 86_400,
  interval: `Seconds between checks: 1 to 3600. Default: ${defaults.intervalSeconds}.`,
}).meta({ id: "SensorWait", description: "How to wait for partitions." });
type Wanted = Partitions & { readonly wait?: boolean | z.output<typeof Waiting> | undefined };

export const partitionSensor = defineResource({
  type: "PartitionSensor",
  doc: `A check for partitions of a Hive table, which can wait until they exist.

The API has no operation that only looks: every check creates a sensor on the platform (\`POST partition_sensor\`), which answers at once. One is sent when the resource is created or changed, one at each \`pulumi refresh\`, and one every \`wait.intervalSeconds\` of a wait. A preview sends none.

Resources that depend on a sensor with \`wait\` are created only once the partitions exist. Without \`wait\`, \`ready\` is the result of the check at the last \`up\` or \`refresh\`.`,
  inputs: z.object({
    ...sensorInputs,
    wait: z
      .union([z.boolean(), Waiting])
      .optional()
      .describe("Whether to wait until the partitions exist, and how long. Default: false."),
  }),
  outputs: z.object({
    ready: z.boolean().describe("Whether every partition exists."),
    accountId: accountIdOutput,
  }),
  importId: {
    format:
      "`schema.table/column=value,value;column=value`, with each part URL-encoded if it contains one of these separators",
    example: "sales.orders/region=emea",
    tells: parsePartitionId,
  },
  replaceOn: ["schema", "table", "columns"],
  settledOutputs: ["accountId"],
  limits: {
    refresh:
      "Whether the partitions exist: refresh checks again and updates `ready`. If the table itself is gone, the sensor is kept with `ready` false, and a warning says so.",
    update: "Changing `wait` or `apiPath` checks again. So does every `up` while `wait` is set and `ready` is false.",
    destroy: "Nothing is removed: the API cannot remove a sensor, and a sensor does nothing after it has answered.",
  },
  same: { columns: (a, b) => canonical(a) === canonical(b) },
  job: { isDone: ({ ready }) => ready },
  rules: sensorRules,

  async create(context, inputs) {
    const id = partitionId(inputs);
    return { id, ready: await checkAndWait(context, id, inputs) };
  },

  async read({ api, log }, id, state) {
    const wanted = { ...parsePartitionId(id), ...state };
    try {
      return { ready: await partitionsAreReady(api, wanted) };
    } catch (error) {
      const importing = state.ready === undefined;
      if (!isTableAbsent(error) || importing) throw error;
      log.warn(`${id} is not ready; the sensor is kept in the state: ${error.message}`);
      return { ready: false };
    }
  },

  update: async (context, id, _old, inputs) => ({ ready: await checkAndWait(context, id, inputs) }),
});

/** Checks once without `wait`. A wait that fails keeps the sensor in the state, so that the next `up` waits again. */
async function checkAndWait({ api, log }: Context, id: string, wanted: Wanted): Promise<boolean> {
  const { wait } = wanted;
  if (await partitionsAreReady(api, wanted)) return true;
  if (!wait) return false;
  const { timeoutSeconds = defaults.timeoutSeconds, intervalSeconds = defaults.intervalSeconds } =
    wait === true ? {} : wait;
  const progress = new ProgressLog(log, slowing);
  try {
    while (progress.elapsedSeconds < timeoutSeconds) {
      progress.report((seconds) => `${id} is not ready after ${seconds} s; waiting for up to ${timeoutSeconds} s`);
      await api.pause(Math.max(0, Math.min(intervalSeconds, timeoutSeconds - progress.elapsedSeconds)) * 1000);
      if (await partitionsAreReady(api, wanted)) return true;
    }
  } catch (error) {
    const note = `That ended the wait for the partitions of ${id}. The sensor is kept in the state, not ready; the next "pulumi up" checks again`;
    throw new PartialSuccess(id, { ready: false }, withNote(error as Error, note));
  }
  const message = `timed out after ${timeoutSeconds} s (wait.timeoutSeconds) waiting for the partitions of ${id}; run "pulumi up" to wait again, or raise wait.timeoutSeconds. The sensor is kept in the state, not ready`;
  throw new PartialSuccess(id, { ready: false }, new Error(message));
}

/** `sales.orders/dt=2026-01-01,2026-01-02;region=eu`: the same id for equivalent inputs. */
export function partitionId({ schema, table, columns }: Partitions): string {
  return `${encoded(schema)}.${encoded(table)}/${canonical(columns)}`;
}

function canonical(columns: readonly PartitionColumn[] = []): string {
  return columns
    .map(({ column, values }) => `${encoded(column)}=${listed([...new Set(valueList(values))].sort())}`)
    .sort()
    .join(";");
}

/** A comma alone is one empty value; nothing is no value. */
function listed(values: readonly string[]): string {
  return values.length === 1 && values[0] === "" ? "," : values.map(encoded).join(",");
}

/** Encodes the separators of an id, and keeps the rest readable. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E").replaceAll("%3A", ":").replaceAll("%20", "+");
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", "%20"));
}

export function parsePartitionId(id: string) {
  try {
    const [, schema, table, columns] = /^([^./]+)\.([^./]+)\/(.*)$/.exec(id) ?? [];
    if (!schema || !table || columns === undefined) throw malformed(id);
    return {
      schema: decoded(schema),
      table: decoded(table),
      ...(columns !== "" && { columns: columns.split(";").map((part) => column(part, id)) }),
    };
  } catch {
    // A stray "%" makes the id malformed too.
    throw malformed(id);
  }
}

function column(part: string, id: string): PartitionColumn {
  const [, name, values] = /^([^=]+)=(.*)$/.exec(part) ?? [];
  if (!name || values === undefined) throw malformed(id);
  return { column: decoded(name), values: values === "" ? [] : [...new Set(values.split(",").map(decoded))] };
}

function malformed(id: string): PlatformError {
  const expected = "<schema>.<table>/<column>=<value>,<value>;<column>=<value>";
  return wrongId(id, "a partition sensor id", `${expected}, URL-encoded where a part contains one of ". / = , ;"`);
}
