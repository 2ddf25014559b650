import { z } from "zod";
import { anyone } from "../auth";
import { notFound } from "../errors";
import { withoutFinalSlashes } from "../expressions";
import type { Account, RecordOf } from "../records";
import { type Context, defineRoute } from "../router";

type Table = RecordOf<"hiveTables">;

const schemaPath = "/api/v1.2/hive/:schema";
const tablePath = `${schemaPath}/:table`;

function tableOf({ store, account }: Context, { schema, table }: Record<string, string>): Table {
  const found = store.get("hiveTables", account.id, `${schema}.${table}`);
  if (!found) throw notFound(`there is no table ${schema}.${table} in the metastore`);
  return found;
}

function locationOf({ storage_location }: Account, { schema, name }: Table): string {
  return `${withoutFinalSlashes(storage_location) || "s3://metastore"}/warehouse/${schema}.db/${name}`;
}

const tablesWithViews = defineRoute({
  operation: "hive.tablesWithViews",
  summary: "List the tables and views of a schema",
  method: "GET",
  paths: [`${schemaPath}/tables_with_views`],
  access: anyone("viewing a table definition"),
  answer: z.array(z.record(z.string(), z.object({}))),
  handle({ store, account }, _params, { schema }) {
    const tables = store.list("hiveTables", account.id).filter((table) => table.schema === schema);
    if (tables.length === 0 && schema !== "default") throw notFound(`there is no schema ${schema} in the metastore`);
    return tables.map(({ name }) => ({ [name]: {} }));
  },
});

const table = defineRoute({
  operation: "hive.table",
  summary: "View the columns of a table",
  method: "GET",
  paths: [tablePath],
  access: anyone("viewing a table definition"),
  answer: z.array(z.object({ name: z.string(), type: z.string(), comment: z.string().nullable() })),
  handle: (context, _params, path) =>
    tableOf(context, path).columns.map(({ name, type }) => ({ name, type, comment: null })),
});

/** What a metastore encodes in the name of a partition. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a metastore encodes them too
const special = /[\u0000-\u001f\u007f"#%'*/:=?\\{}[\]^]/g;

const encoded = (value: string) =>
  value.replace(special, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const partitions = defineRoute({
  operation: "hive.partitions",
  summary: "List the partitions of a table",
  method: "GET",
  paths: [`${tablePath}/partitions`],
  access: anyone("viewing a table definition"),
  answer: z.array(z.object({ PART_NAME: z.string(), LOCATION: z.string() })),
  handle(context, _params, path) {
    const found = tableOf(context, path);
    const location = locationOf(context.account, found);
    const spelled = context.readings.partitionNames === "escaped" ? encoded : (value: string) => value;
    return found.partitions.map((partition) => {
      const entries = Object.entries(partition);
      const name = (form: (value: string) => string) =>
        entries.map(([column, value]) => `${column}=${form(value)}`).join("/");
      return { PART_NAME: name(spelled), LOCATION: `${location}/${name(encoded)}` };
    });
  },
});

const tableProperties = defineRoute({
  operation: "hive.tableProperties",
  summary: "View the properties of a table",
  method: "GET",
  paths: [`${tablePath}/table_properties`],
  access: anyone("viewing a table's properties"),
  answer: z.object({
    location: z.string(),
    owner: z.string(),
    "create-time": z.int(),
    "table-type": z.string(),
    "field.delim": z.string(),
    "serialization.format": z.string(),
  }),
  handle: (context, _params, path) => ({
    location: locationOf(context.account, tableOf(context, path)),
    owner: "metastore",
    "create-time": 1_704_067_200,
    "table-type": "EXTERNAL_TABLE",
    "field.delim": "\t",
    "serialization.format": "\t",
  }),
});

/** The list goes first: its path looks like that of a table. */
export const extendedHiveRoutes = [tablesWithViews, table, partitions, tableProperties];
