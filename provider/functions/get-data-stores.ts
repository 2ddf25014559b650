import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { dataStoreOutputs, dataStores } from "../platform/data-stores";

const dataStore = z
  .object({
    id: z.string().describe("Id of the data store."),
    name: z.string().optional().describe("Name."),
    dbType: z.string().optional().describe("Database type."),
    dbLocation: z.string().optional().describe("Location of the database."),
    dbHost: z.string().optional().describe("IP address or host name of the database server."),
    dbName: z.string().optional().describe("Name of the database."),
    dbUser: z.string().optional().describe("Login user."),
    port: z.int().optional().describe("Port of the database server."),
    catalogName: z.string().optional().describe("Catalog name in Presto and Spark clusters."),
    active: z.boolean().optional().describe("Whether it is active."),
    accountId: z.int().optional().describe("Account that owns it."),
    userId: z.int().optional().describe("User who created it."),
    createdAt: z.string().optional().describe("Time when it was created."),
  })
  .meta({ id: "DataStoreEntry", description: "A data store in the list of data stores." });

export const getDataStores = defineFunction({
  name: "getDataStores",
  doc: `Returns the data stores of the account, without their passwords and keys.

What is returned about each of them, besides its id, depends on the platform.`,
  inputs: z.object({}),
  outputs: z.object({ dataStores: z.array(dataStore).describe("Data stores, in the platform's order.") }),
  effect: "reads",
  extended: { required: true },
  async run(context) {
    const records = await dataStores.all(context);
    const entries = records.map((one) => ({ ...dataStoreOutputs(dataStore.shape, one), id: String(one.id) }));
    return { dataStores: entries };
  },
});
