import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { readColumns, tableInputs } from "../platform/hive-tables";

const column = z
  .object({
    name: z.string().describe("Name."),
    type: z.string().describe("Hive type."),
    comment: z.string().optional().describe("Comment, if there is one."),
  })
  .meta({ id: "TableColumn", description: "A column of a Hive table, with its comment." });

export const getTableDefinition = defineFunction({
  name: "getTableDefinition",
  doc: "Returns the columns of a Hive table in any schema.",
  inputs: z.object(tableInputs),
  outputs: z.object({ columns: z.array(column).describe("Columns, in the table's order.") }),
  effect: "reads",
  extended: { required: true },
  async run({ api }, table) {
    const columns = await readColumns(api, table);
    return { columns: columns.map(({ name, type, comment }) => ({ name, type, comment: comment || undefined })) };
  },
});
