import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";

const column = z
  .object({ name: z.string().describe("Name."), type: z.string().describe("Hive type.") })
  .meta({ id: "HiveColumn", description: "A column of a Hive table." });

const table = z
  .object({
    name: z.string().describe("Name."),
    columns: z.array(column).optional().describe("Columns, in order; only with `describe`."),
  })
  .meta({ id: "HiveTable", description: "A Hive table." });

/** Some platforms write an empty text for what is not there. */
const columns = z.union([z.array(z.looseObject(column.shape)), z.literal("").transform(() => [])]);

/** Names, or with `describe` objects with one key: the name of the table. */
const named = z.array(
  z.union([z.string(), z.record(z.string(), z.looseObject({ columns: columns.nullish() }).nullish())]),
);
/** Where there is none, a platform may show nothing instead of an empty list. */
const nothing = z.union([z.null(), z.strictObject({})]).transform(() => []);
const listing = z.union([named, nothing]);

export const getHiveTables = defineFunction({
  name: "getHiveTables",
  doc: "The Hive tables of the schema `default`, and their columns if wanted.",
  inputs: z.object({
    filter: z
      .string()
      .min(1, "must not be empty; leave it out for all tables")
      .optional()
      .describe("Regular expression on the names, in the platform's own dialect. Default: all tables."),
    describe: z.boolean().optional().describe("Also tell the columns of each table. Default: false."),
  }),
  outputs: z.object({
    names: z.array(z.string()).describe("Names of the tables."),
    tables: z.array(table).describe("The tables; with `describe`, each with its columns."),
  }),
  secrets: [],
  effect: "reads",
  async run({ api }, { filter, describe }) {
    // The API takes no other value than true.
    const query = { filter, describe: describe ? true : undefined };
    const shown = await api.call(operations.listHiveTables, { query, answer: listing });
    const tables = shown.flatMap((one) =>
      typeof one === "string"
        ? [{ name: one }]
        : Object.entries(one).map(([name, table]) => ({
            name,
            columns: (table?.columns ?? []).map(({ name: columnName, type }) => ({ name: columnName, type })),
          })),
    );
    return { names: tables.map(({ name }) => name), tables };
  },
});
