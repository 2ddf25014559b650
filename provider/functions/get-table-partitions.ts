import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { readPartitions, tableInputs, valuesIn } from "../platform/hive-tables";

const partition = z
  .object({
    name: z.string().describe("Name, as the platform writes it: `dt=2024-01-01/hour=05`."),
    location: z.string().optional().describe("Where its data is stored."),
    values: z.record(z.string(), z.string()).describe("Value of each partition column, without percent-encoding."),
  })
  .meta({ id: "TablePartition", description: "A partition of a Hive table." });

export const getTablePartitions = defineFunction({
  name: "getTablePartitions",
  doc: `Returns the partitions of a Hive table.

To wait for a partition, use \`PartitionSensor\`; to check for one without listing all of them, \`checkPartition\`.`,
  inputs: z.object(tableInputs),
  outputs: z.object({ partitions: z.array(partition).describe("Partitions, in the platform's order.") }),
  effect: "reads",
  extended: { required: true },
  async run({ api }, table) {
    const partitions = await readPartitions(api, table);
    return {
      partitions: partitions.map(({ part_name: name, location }) => ({
        name,
        location: location || undefined,
        values: valuesIn(name),
      })),
    };
  },
});
