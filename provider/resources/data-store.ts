import { z } from "zod";
import { outcomeUnknown } from "../api/errors";
import { CannotChange, defineResource, fromPlainId, type Known, keepIfOpen } from "../core/define";
import { createAndFind, type DataStoreRecord, dataStores, lookForLeftover, typeIn } from "../platform/data-stores";
import { shownIn, snakeCase, told } from "../values/fields";
import { host, port } from "../values/host";
import { outputId } from "../values/id";

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift", "snowflake"] as const;
const locations = ["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"] as const;
/** Presto and Spark see only these. */
const typesWithCatalog: readonly string[] = ["mysql", "postgresql", "redshift", "snowflake"];
const gatewayTrio = ["gatewayIp", "gatewayUsername", "gatewayPrivateKey"] as const;

const text = z.string().min(1, { error: "is empty" });

const inputs = z.object({
  name: text.optional().describe("Name of the data store. Default: the platform combines dbHost and dbName."),
  dbType: z.enum(types).default("mysql").describe("Database type. Default: mysql."),
  dbLocation: z
    .enum(locations)
    .optional()
    .describe("Location of the database: a region, or on-premise, which is required for a gateway."),
  dbHost: host.describe("IP address or host name of the database server."),
  dbName: text.describe("Name of the database."),
  dbUser: z.string().optional().describe("Login user."),
  dbPasswd: z.string().optional().describe("Login password. The provider never reads it back from the platform."),
  port: port.optional().describe("Port of the database server. Default: the default port of the database type."),
  catalogName: z
    .string()
    .regex(/^[a-z0-9]+$/, {
      error: ({ input }) => `is ${JSON.stringify(input)}; use only lower-case letters and digits`,
    })
    .nullish()
    .describe(
      "Catalog name of the data store in Presto and Spark clusters: lower-case letters and digits. Only for the types mysql, postgresql, redshift and snowflake. The platform's support must first enable the feature.",
    ),
  gatewayIp: host
    .optional()
    .describe("IP address or host name of the gateway to an on-premise database. Its port 22 must be open."),
  gatewayPort: port.optional().describe("SSH port of the gateway. Default: 22."),
  gatewayUsername: text.optional().describe("Login user on the gateway."),
  gatewayPrivateKey: text
    .optional()
    .describe("Private key for the gateway; the matching public key must be installed on the bastion node."),
  skipValidation: z
    .boolean()
    .default(false)
    .describe("Skip the connection test when the data store is created. Default: false."),
});

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
    note: "The API cannot show a data store, so an import knows only its id, and Pulumi reports the required inputs as missing. Declare the data store with its actual values; in plugin mode also with `import` among the resource options, and otherwise after `pulumi import`, which has put it into the state all the same. They are assumed to be correct, and nothing is sent until they change.",
  },
  replaceOn: sentInputs,
  keys: { property: "dbName", of: (known) => [storeKey(known)], mayRepeat: true },
  settledOutputs: outputs.keyof().options,
  secrets: ["dbPasswd", "gatewayPrivateKey"],
  limits: { thing: "a data store" },

  rules(known, report, unknown) {
    const { catalogName, dbType = "mysql" } = known;
    if (catalogName && !unknown("dbType") && !typesWithCatalog.includes(dbType))
      report("catalogName", `is not available for dbType ${dbType}; it needs one of ${typesWithCatalog.join(", ")}`);
    const given = gatewayTrio.filter((name) => known[name] !== undefined);
    for (const name of [...given, ...(known.gatewayPort === undefined ? [] : (["gatewayPort"] as const))])
      if (!unknown("dbLocation") && known.dbLocation !== "on-premise")
        report(name, `is allowed only when dbLocation is "on-premise"; ${currentLocation(known)}`);
    for (const name of gatewayTrio)
      if (given.length > 0 && known[name] === undefined && !unknown(name))
        report(
          name,
          `is required when ${given.join(" and ")} ${given.length > 1 ? "are" : "is"} set: a gateway needs ${gatewayTrio.join(", ")}`,
        );
  },

  advise: ({ gatewayPort, gatewayIp, dbType }) => [
    ...(gatewayPort !== undefined && gatewayIp === undefined ? ["gatewayPort has no effect without gatewayIp"] : []),
    ...(dbType === "snowflake"
      ? ['dbType is "snowflake", which the specification names only where it describes catalogs']
      : []),
  ],

  async create(context, given) {
    const before = await dataStores.listed(context);
    if (before && !context.run.isOwned(storeKey(given))) lookForLeftover(context, before, bodyOf(given));
    try {
      const record = await createAndFind(context, before, bodyOf(given));
      return { id: String(record.id), ...outputsOf(record, given.name) };
    } catch (error) {
      throw outcomeUnknown(
        error,
        `Look in the platform's user interface for a new data store for ${given.dbName} on ${given.dbHost}. If it exists, remove it before the next "pulumi up", or there will be two.`,
      );
    }
  },

  /** Sends nothing: only `skipValidation` has changed, or the extended API, now off, left the outcome of an edit open. */
  update: async () => ({}),

  fromId: fromPlainId("a data store id", "7"),

  kept: stays,

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
    canChange: async (context, id) => (await dataStores.look(context, id)) !== "unknown",

    list: ({ api }) => dataStores.importable(api),
    async read(context, id) {
      const found = await dataStores.look(context, id);
      if (found === "gone") return undefined;
      return found === "unknown" ? {} : { ...visibleInputs(found), ...outputsOf(found) };
    },

    async update(context, id, old, given, { redo }) {
      const changes = redo ? bodyOf(given) : changesIn(bodyOf(old), bodyOf(given));
      if (Object.keys(changes).length === 0) return {};
      const body = { ...changes, skip_validation: given.skipValidation };
      const edited = await keepIfOpen(id, {}, () => dataStores.update(context, id, body));
      if (edited === "lacking") throw new CannotChange(`this installation cannot change data store ${id}`);
      if (edited === "gone") throw dataStores.noLongerThere(id);
      // It is changed, and must be recorded even if it cannot be read now.
      const found = await dataStores.look(context, id).catch(() => "unknown" as const);
      return typeof found === "string" ? {} : outputsOf(found, given.name);
    },

    async delete(context, id, state) {
      if ((await dataStores.delete(context, id)) === "lacking") context.log.warn(stays(id, state));
    },
    kept: () => "",
  },
});

type Given = z.output<typeof inputs>;

function storeKey({ dbName, dbHost }: Partial<Given>): string {
  return `data store for ${dbName} on ${dbHost}`;
}

function stays(id: string, { assignedName }: { readonly assignedName?: string }): string {
  return `data store ${id}${assignedName ? ` (${assignedName})` : ""} stays on the platform: the API cannot remove it. Remove it in the platform's user interface if it is no longer needed.`;
}

/** The fields that change. One that the program no longer sets is emptied, where the platform can know that. */
function changesIn(before: Body, after: Body): Record<string, unknown> {
  const changed = sentInputs
    .map(snakeCase)
    .filter((name) => (before[name] ?? undefined) !== (after[name] ?? undefined));
  const sent = changed.map((name): [string, unknown] => [name, after[name] ?? emptied[name]]);
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** `name` and `db_location` are not emptied: the platform's defaults for them are its own affair. */
const emptied: Readonly<Record<string, unknown>> = {
  db_user: "",
  db_passwd: "",
  port: null,
  catalog_name: null,
  gateway_ip: null,
  gateway_port: null,
  gateway_username: null,
  gateway_private_key: null,
};

/** What the platform shows, in terms of the inputs. */
function visibleInputs(record: DataStoreRecord): Partial<Given> {
  return shownIn({ ...record, db_type: typeIn(record, types) }, sentInputs);
}

/** The API's manual shows all fields, but some platforms return little more than the id. */
function outputsOf(record: DataStoreRecord, givenName?: string) {
  const { account_id, user_id, name } = record;
  return {
    ...told(outputs.shape, record),
    accountId: outputId(account_id),
    userId: outputId(user_id),
    assignedName: name ?? givenName,
  };
}

function currentLocation({ dbLocation }: Known<typeof inputs>): string {
  return dbLocation === undefined ? "it is not set" : `it is "${dbLocation}"`;
}

/** The fields of the API are the inputs in snake case. */
function bodyOf(given: Given): Body {
  const fields = [...sentInputs, "skipValidation" as const].map((name) => [snakeCase(name), given[name]] as const);
  return Object.fromEntries(fields) as Body;
}

type Body = Pick<DataStoreRecord, "db_host" | "db_name" | "db_type" | "name" | "db_user" | "port"> &
  Record<string, unknown>;
