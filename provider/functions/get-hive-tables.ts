import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { flag } from "../values/simple";

const column = z
  .object({ name: z.string().describe("Name."), type: z.string().describe("Hive type.") })
  .meta({ id: "HiveColumn", description: "A column of a Hive table." });

const table = z
  .object({
    name: z.string().describe("Name."),
    columns: z.array(column).optional().describe("Columns in order, with `describe`."),
  })
  .meta({ id: "HiveTable", description: "A Hive table." });

/** Some platforms return an empty string for a missing value. */
const columns = z.union([z.array(column), z.literal("").transform(() => [])]);

/** Names; with `describe`, objects with the table name as the only key. */
const named = z.array(
  z.union([z.string(), z.record(z.string(), z.looseObject({ columns: columns.nullish() }).nullish())]),
);
/** A platform may return null or {} instead of an empty list. */
const nothing = z.union([z.null(), z.strictObject({})]).transform(() => []);
const listing = z.union([named, nothing]);

export const getHiveTables = defineFunction({
  name: "getHiveTables",
  doc: `Returns the Hive tables in the schema \`default\`, optionally with their columns.

It needs the group \`system-admin\`, or a role that allows viewing Hive tables.`,
  inputs: z.object({
    filter: z
      .string()
      .min(1, "must not be empty; omit it for all tables")
      .optional()
      .describe("Regular expression that table names must match, in the platform's dialect. Default: all tables."),
    describe: flag.describe("Also return the columns of each table. Default: false."),
  }),
  outputs: z.object({
    names: z.array(z.string()).describe("Names of the tables."),
    tables: z.array(table).describe("The tables, with their columns if `describe` is set."),
  }),
  effect: "reads",
  async run({ api }, { filter, describe }) {
    // The API accepts only true.
    const query = { filter, describe: describe ? true : undefined };
    const entries = await api.call(operations.listHiveTables, { query, answer: listing });
    const tables = entries.flatMap((entry) =>
      typeof entry === "string"
        ? [{ name: entry }]
        : Object.entries(entry).map(([name, table]) => ({ name, columns: table?.columns ?? [] })),
    );
    return { names: tables.map(({ name }) => name), tables };
  },
});
