import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { partitionsAreReady, sensorInputs, sensorRules } from "../platform/sensors";

export const checkPartition = defineFunction({
  name: "checkPartition",
  doc: `Checks whether partitions of a Hive table exist.

The API has no operation that only looks: the check creates a sensor on the platform (\`POST partition_sensor\`), which answers at once. It is sent once at every \`pulumi up\`, and never at preview.

It checks once. To wait for partitions, or to make resources depend on them, use \`PartitionSensor\`.`,
  inputs: z.object(sensorInputs),
  outputs: z.object({ ready: z.boolean().describe("Whether every partition exists.") }),
  effect: "submits",
  rules: sensorRules,
  run: async ({ api }, inputs) => ({ ready: await partitionsAreReady(api, inputs) }),
});
