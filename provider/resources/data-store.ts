import { z } from "zod";
import { defineResource, fromPlainId } from "../core/define";
import * as platform from "../platform/data-stores";
import { catalogName, databaseLocation, databaseType, spelledType, typesWithCatalog } from "../values/database";
import { fieldsOf, shownIn } from "../values/fields";
import { host, port } from "../values/host";
import { secret } from "../values/simple";

const gatewayTrio = ["gatewayIp", "gatewayUsername", "gatewayPrivateKey"] as const;
const text = z.string().min(1, { error: "is empty" });

const inputs = z.object({
  name: text
    .optional()
    .meta({ leftToPlatform: true })
    .describe("Name of the data store. Default: the platform combines dbHost and dbName."),
  dbType: databaseType.default("mysql").describe("Database type. Default: mysql."),
  dbLocation: databaseLocation
    .optional()
    .meta({ leftToPlatform: true })
    .describe("Location of the database: a region, or on-premise, which is required for a gateway."),
  dbHost: host.describe("IP address or host name of the database server."),
  dbName: text.describe("Name of the database."),
  dbUser: z.string().optional().describe("Login user."),
  dbPasswd: z
    .string()
    .optional()
    .meta(secret)
    .describe("Login password. The provider never reads it back from the platform."),
  port: port.optional().describe("Port of the database server. Default: the default port of the database type."),
  catalogName: catalogName
    .nullish()
    .describe(
      "Catalog name of the data store in Presto and Spark clusters: lower-case letters and digits. Only for the types mysql, postgresql, redshift and snowflake. The platform's support must first enable the feature.",
    ),
  gatewayIp: host
    .optional()
    .describe("IP address or host name of the gateway to an on-premise database. Its port 22 must be open."),
  gatewayPort: port.optional().meta({ meansWhenAbsent: 22 }).describe("SSH port of the gateway. Default: 22."),
  gatewayUsername: text.optional().describe("Login user on the gateway."),
  gatewayPrivateKey: text
    .optional()
    .meta(secret)
    .describe("Private key for the gateway; the matching public key must be installed on the bastion node."),
  skipValidation: z
    .boolean()
    .default(false)
    .describe("Skip the connection test when the data store is created. Default: false."),
});

const snowflakeAdvice = 'dbType is "snowflake", which the specification names only where it describes catalogs';
const outputs = z.object({
  accountId: z.int().describe("Account that owns the data store."),
  userId: z.int().describe("User who created it."),
  active: z.boolean().describe("Whether it was active when it was created."),
  assignedName: z.string().describe("Its name on the platform: `name`, or the one that the platform chose."),
  createdAt: z.string().describe("Time when it was created."),
});

/** All but `skipValidation`, which is about the create alone. */
const sentInputs = inputs.omit({ skipValidation: true }).keyof().options;

export const dataStore = defineResource({
  type: "DataStore",
  doc: `An external database that is registered with the platform.

Creating one needs the group \`system-admin\`, or a role that allows creating a data store. The specified API can only create a data store: it cannot show, change or remove one. Any change therefore creates a new data store and leaves the old one on the platform, as destroy does; a warning names it. With the extended API (\`dataplatform:extendedApi\`) a data store is read, changed in place and deleted, and one that an interrupted run left behind is named instead of creating a second one (a warning, where the platform's list does not show names).`,
  inputs,
  outputs,
  importId: {
    format: "the data store's id",
    example: "7",
    note: "The API cannot show a data store, so an import knows only its id, and Pulumi reports the required inputs as missing. Declare the data store with its actual values: in plugin mode together with the option `import`; with `pulumi import`, after it (Pulumi warns of missing inputs there, as if that were a bug; the data store is in the state). The values are assumed to be correct, and nothing is sent until they change.",
    tells: fromPlainId("a data store id", "7"),
  },
  replaceOn: sentInputs,
  same: { dbHost: platform.isSameHost },
  keys: { property: "dbName", of: ({ dbHost, dbName }) => [platform.keyOf(dbHost, dbName)], mayRepeat: true },
  settledOutputs: outputs.keyof().options,
  limits: { thing: "a data store", kept: stays },

  rules(known, report, unknown) {
    const { catalogName, dbType = "mysql", dbLocation } = known;
    if (catalogName && !unknown("dbType") && !typesWithCatalog.includes(dbType))
      report("catalogName", `is not available for dbType ${dbType}; it needs one of ${typesWithCatalog.join(", ")}`);
    const where = dbLocation === undefined ? "it is not set" : `it is "${dbLocation}"`;
    for (const name of [...gatewayTrio, "gatewayPort"] as const)
      if (!unknown("dbLocation") && dbLocation !== "on-premise" && known[name] !== undefined)
        report(name, `is allowed only when dbLocation is "on-premise"; ${where}`);
    const given = gatewayTrio.filter((name) => known[name] !== undefined);
    const because = `${given.join(" and ")} ${given.length > 1 ? "are" : "is"} set`;
    for (const name of gatewayTrio)
      if (given.length > 0 && known[name] === undefined && !unknown(name))
        report(name, `is required when ${because}: a gateway needs ${gatewayTrio.join(", ")}`);
  },

  advise: ({ gatewayPort, gatewayIp, dbType }) => [
    ...(gatewayPort !== undefined && gatewayIp === undefined ? ["gatewayPort has no effect without gatewayIp"] : []),
    ...(dbType === "snowflake" ? [snowflakeAdvice] : []),
  ],

  async create(context, given) {
    const record = await platform.createDataStore(context, bodyOf(given));
    return { id: String(record.id), ...outputsOf(record, given.name) };
  },

  /** Sends nothing: only `skipValidation` has changed, or the extended API, now off, left the outcome of an edit open. */
  update: async () => ({}),

  extended: {
    replaceOn: [],
    importId: {
      showsPart: true,
      note: "The provider reads neither the password nor the private key, and the platform may not show everything else: what is not read is assumed to be as in the program.",
    },
    settledOutputs: ["accountId", "userId", "createdAt"],
    limits: {
      refresh:
        "Everything that the platform shows, except the password and the private key, which the provider never reads. Some installations do not show the catalog name or the gateway.",
    },
    canChange: async (context, id) => (await platform.dataStores.look(context, id)) !== "unknown",
    foresee: (context, { old, inputs: known }) => (old ? undefined : platform.foreseeDataStore(context, bodyOf(known))),
    list: (context) => platform.dataStores.importable(context),
    async read(context, id) {
      const found = await platform.dataStores.look(context, id);
      if (typeof found === "string") return found === "gone" ? undefined : {};
      return { ...shownIn({ ...found, db_type: spelledType(found.db_type) }, sentInputs), ...outputsOf(found) };
    },

    async update(context, id, old, given, { redo }) {
      const found = await platform.changeDataStore(context, id, redo ? undefined : bodyOf(old), bodyOf(given));
      return found ? outputsOf(found, given.name) : {};
    },

    async delete(context, id, state) {
      if ((await platform.dataStores.delete(context, id)) === "lacking") context.log.warn(stays(id, state));
    },
  },
});

function stays(id: string, { assignedName }: { readonly assignedName?: string }): string {
  return `data store ${id}${assignedName ? ` (${assignedName})` : ""} stays on the platform: the API cannot remove it. Remove it in the platform's user interface if it is no longer needed.`;
}

function outputsOf(record: platform.DataStoreRecord, givenName?: string) {
  return { ...platform.dataStoreOutputs(outputs.shape, record), assignedName: record.name ?? givenName };
}

/** The fields of the API are the inputs in snake case. */
const bodyOf = (given: Partial<z.output<typeof inputs>>) => fieldsOf(given, inputs.keyof().options) as platform.Wanted;
