import { z } from "zod";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { parsePartitionId, partitionId, sameColumns } from "./partition-id";
import { isTableAbsent, type Partitions, repeatedColumn, sensorInputs, sensorsOf } from "./sensor-api";

const defaults = { timeoutSeconds: 1800, intervalSeconds: 5 };

const Waiting = z
  .strictObject({
    timeoutSeconds: z
      .number()
      .positive("must be more than 0")
      .max(86_400, "must be at most 86400, a day")
      .optional()
      .describe(`How long to wait. Default: ${defaults.timeoutSeconds}.`),
    intervalSeconds: z
      .number()
      .min(1, "must be at least 1: asking more often would burden the platform")
      .max(3600, "must be at most 3600, an hour")
      .optional()
      .describe(`How long to wait between two questions. Default: ${defaults.intervalSeconds}.`),
  })
  .meta({ id: "SensorWait", description: "How to wait for partitions." });
type Wait = boolean | z.output<typeof Waiting> | undefined;

export const partitionSensor = defineResource({
  type: "PartitionSensor",
  doc: `A question to the platform whether partitions of a Hive table are there, and the wish to wait for them.

Resources that depend on a sensor with \`wait\` are made only once the partitions are there. Without \`wait\`, \`ready\` tells how it was at the last \`up\` or \`refresh\`.`,
  inputs: z.object({
    ...sensorInputs,
    wait: z
      .union([z.boolean(), Waiting])
      .optional()
      .describe("Whether to wait until the partitions are there, and how. Default: false."),
  }),
  outputs: z.object({ ready: z.boolean().describe("Whether every partition is there.") }),
  importId: {
    format: "`schema.table/column=value,value;column=value`, URL-encoded where a part contains one of these separators",
    example: "sales.orders/region=emea",
  },
  replaceOn: ["schema", "table", "columns"],
  secrets: [],
  limits: {
    refresh:
      "Whether the partitions are there: it asks again, and `ready` follows. If the table itself is gone, the sensor stays, not ready, and a warning says so.",
    update: "A change of `wait` or `apiPath` asks again. So does every `up` while `wait` is set and `ready` is false.",
    destroy: "Nothing: the API knows no way to remove a sensor, and an answered one does nothing any more.",
  },
  same: { columns: sameColumns },
  unfinished: ({ ready }, { wait }) => (wait && !ready ? ["wait"] : []),
  rules({ columns }, report) {
    const problem = columns && repeatedColumn(columns);
    if (problem) report("columns", problem);
  },

  async create(context, inputs) {
    const id = partitionId(inputs);
    const ready = await sensorsOf(context.api).ready(inputs, context.signal);
    return { id, ready: ready || (await waitUntilReady(context, id, inputs, inputs.wait)) };
  },

  async read({ api, log, signal }, id, state) {
    const wanted = { ...parsePartitionId(id), ...state };
    try {
      return { ready: await sensorsOf(api).ready(wanted, signal) };
    } catch (error) {
      const importing = state.ready === undefined;
      if (!isTableAbsent(error) || importing) throw error;
      log.warn(`${id} is kept, not ready: ${error.message}`);
      return { ready: false };
    }
  },

  fromId: parsePartitionId,

  async update(context, id, _old, inputs) {
    const ready = await sensorsOf(context.api).ready(inputs, context.signal);
    return { ready: ready || (await waitUntilReady(context, id, inputs, inputs.wait)) };
  },
});

/** False when nobody wants to wait. A wait without success keeps the sensor, so that the next `up` waits again. */
async function waitUntilReady(context: Context, id: string, wanted: Partitions, wait: Wait): Promise<boolean> {
  if (!wait) return false;
  const { timeoutSeconds = defaults.timeoutSeconds, intervalSeconds = defaults.intervalSeconds } =
    wait === true ? {} : wait;
  const started = performance.now();
  const waited = (): number => (performance.now() - started) / 1000;
  try {
    while (waited() < timeoutSeconds) {
      context.log.info(`${id} is not ready after ${Math.round(waited())} s; waiting up to ${timeoutSeconds} s`);
      const pause = Math.min(intervalSeconds, timeoutSeconds - waited());
      await context.api.pause(Math.max(0, pause) * 1000, context.signal);
      if (await sensorsOf(context.api).ready(wanted, context.signal)) return true;
    }
  } catch (error) {
    throw new PartialSuccess(id, { ready: false }, error as Error);
  }
  const message = `the partitions of ${id} were not there after ${timeoutSeconds} s (wait.timeoutSeconds); the sensor is kept, not ready, and the next \`pulumi up\` waits again`;
  throw new PartialSuccess(id, { ready: false }, new Error(message));
}
