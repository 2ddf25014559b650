import { z } from "zod";
import { accountIdOutput, type Context, defineResource, PartialSuccess } from "../core/define";
import { ProgressLog, slowing } from "../core/progress";
import { parsePartitionId, partitionId, sameColumns } from "../platform/partition-id";
import { isTableAbsent, type Partitions, partitionsAreReady, repeatedColumn, sensorInputs } from "../platform/sensors";
import { waitSchema } from "../values/wait";

const defaults = { timeoutSeconds: 1800, intervalSeconds: 5 };

const Waiting = waitSchema({
  timeout: `How many seconds to wait. Default: ${defaults.timeoutSeconds}.`,
  longestTimeout: 86_400,
  interval: `Seconds between two questions. Default: ${defaults.intervalSeconds}.`,
}).meta({ id: "SensorWait", description: "How to wait for partitions." });
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
  outputs: z.object({
    ready: z.boolean().describe("Whether every partition is there."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`schema.table/column=value,value;column=value`, URL-encoded where a part contains one of these separators",
    example: "sales.orders/region=emea",
  },
  replaceOn: ["schema", "table", "columns"],
  settledOutputs: ["accountId"],
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
    const ready = await partitionsAreReady(context.api, inputs);
    return { id, ready: ready || (await waitUntilReady(context, id, inputs, inputs.wait)) };
  },

  async read({ api, log }, id, state) {
    const wanted = { ...parsePartitionId(id), ...state };
    try {
      return { ready: await partitionsAreReady(api, wanted) };
    } catch (error) {
      const importing = state.ready === undefined;
      if (!isTableAbsent(error) || importing) throw error;
      log.warn(`${id} is kept, not ready: ${error.message}`);
      return { ready: false };
    }
  },

  fromId: parsePartitionId,

  async update(context, id, _old, inputs) {
    const ready = await partitionsAreReady(context.api, inputs);
    return { ready: ready || (await waitUntilReady(context, id, inputs, inputs.wait)) };
  },
});

/** False when nobody wants to wait. A wait without success keeps the sensor, so that the next `up` waits again. */
async function waitUntilReady({ api, log }: Context, id: string, wanted: Partitions, wait: Wait): Promise<boolean> {
  if (!wait) return false;
  const { timeoutSeconds = defaults.timeoutSeconds, intervalSeconds = defaults.intervalSeconds } =
    wait === true ? {} : wait;
  const progress = new ProgressLog(log, slowing);
  try {
    while (progress.elapsedSeconds < timeoutSeconds) {
      progress.report((seconds) => `${id} is not ready after ${seconds} s; waiting up to ${timeoutSeconds} s`);
      await api.pause(Math.max(0, Math.min(intervalSeconds, timeoutSeconds - progress.elapsedSeconds)) * 1000);
      if (await partitionsAreReady(api, wanted)) return true;
    }
  } catch (error) {
    throw new PartialSuccess(id, { ready: false }, error as Error);
  }
  const message = `the partitions of ${id} were not there after ${timeoutSeconds} s (wait.timeoutSeconds); the sensor is kept, not ready, and the next \`pulumi up\` waits again`;
  throw new PartialSuccess(id, { ready: false }, new Error(message));
}
