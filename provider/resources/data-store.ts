import { z } from "zod";
import { outcomeUnknown } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource, type Known } from "../core/define";
import { fromPlainId } from "../core/import-id";
import { host, port } from "../values/host";
import { answeredId, asNumber } from "../values/id";

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift"] as const;
const locations = ["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"] as const;
/** Presto and Spark see only these; snowflake, which the API names too, is no type of data store. */
const typesWithCatalog: readonly string[] = ["mysql", "postgresql", "redshift"];
const gatewayTrio = ["gatewayIp", "gatewayUsername", "gatewayPrivateKey"] as const;

const text = z.string().min(1, { error: "is empty" });

const inputs = z.object({
  name: text.optional().describe("Name of the data store. Default: the platform's combination of dbHost and dbName."),
  dbType: z.enum(types).default("mysql").describe("Kind of database. Default: mysql."),
  dbLocation: z
    .enum(locations)
    .optional()
    .describe("Where the database is: a region, or on-premise, which alone allows a gateway."),
  dbHost: host.describe("IP address or host name of the database."),
  dbName: text.describe("Name of the database."),
  dbUser: z.string().optional().describe("Login user."),
  dbPasswd: z.string().optional().describe("Login password. The platform never shows it again."),
  port: port.optional().describe("Port of the database. Default: the default port of the database type."),
  catalogName: z
    .string()
    .regex(/^[a-z0-9]+$/, {
      error: ({ input }) => `is ${JSON.stringify(input)}; allowed are lower-case letters and digits only`,
    })
    .nullish()
    .describe(
      "Catalog under which Presto and Spark clusters see the data store: lower-case letters and digits, for the types mysql, postgresql and redshift only. Support must enable the feature first.",
    ),
  gatewayIp: host
    .optional()
    .describe("Machine through which the platform reaches an on-premise database. Its port 22 must be open."),
  gatewayPort: port.optional().describe("SSH port of the gateway. Default: 22."),
  gatewayUsername: text.optional().describe("Login user of the gateway."),
  gatewayPrivateKey: text
    .optional()
    .describe("Private key for the gateway; the matching public key must be installed on the bastion node."),
  skipValidation: z
    .boolean()
    .default(false)
    .describe("Do not try the connection when the data store is made. Default: false."),
});

/**
 * The created data store, of which nothing but the id is needed. It echoes the inputs too, the password among them: those
 * are not read.
 */
const Created = z.object({
  id: z.union([z.number(), z.string().min(1)]),
  account_id: answeredId.catch(undefined),
  user_id: answeredId.catch(undefined),
  active: z.boolean().nullish().catch(undefined),
  name: z.string().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
});

export const dataStore = defineResource({
  type: "DataStore",
  doc: `An external database that is registered with the platform.

The API can make a data store, and nothing else: it cannot show, change or remove one. A change therefore makes a new data store, and the old one stays on the platform, as it does after destroy; a warning says which.`,
  inputs,
  outputs: z.object({
    accountId: z.int().describe("Account that owns the data store."),
    userId: z.int().describe("User who made it."),
    active: z.boolean().describe("Whether it was active when it was made."),
    assignedName: z.string().describe("Its name on the platform: `name`, or what the platform chose."),
    createdAt: z.string().describe("When it was made."),
  }),
  importId: {
    format: "the data store's id",
    example: "7",
    note: "The API cannot show a data store, so an import knows its id and nothing else.",
  },
  replaceOn: [
    "name",
    "dbType",
    "dbLocation",
    "dbHost",
    "dbName",
    "dbUser",
    "dbPasswd",
    "port",
    "catalogName",
    "gatewayIp",
    "gatewayPort",
    "gatewayUsername",
    "gatewayPrivateKey",
  ],
  secrets: ["dbPasswd", "gatewayPrivateKey"],
  limits: {
    refresh: "Nothing: the API cannot show a data store, so the state stays as it is.",
    update: "The API cannot change a data store: a new one is made, and the old one stays.",
    destroy: "Nothing is removed: the API cannot do it. A warning names the data store that stays.",
  },

  rules(known, report, unknown) {
    const { catalogName, dbType = "mysql" } = known;
    if (catalogName && !unknown("dbType") && !typesWithCatalog.includes(dbType))
      report("catalogName", `is not available for dbType ${dbType}; allowed are ${typesWithCatalog.join(", ")}`);
    const given = gatewayTrio.filter((name) => known[name] !== undefined);
    for (const name of [...given, ...(known.gatewayPort === undefined ? [] : (["gatewayPort"] as const))])
      if (!unknown("dbLocation") && known.dbLocation !== "on-premise")
        report(name, `is allowed only when dbLocation is "on-premise"; ${locationNow(known)}`);
    for (const name of gatewayTrio)
      if (given.length > 0 && known[name] === undefined && !unknown(name))
        report(name, `is required when ${given.join(" and ")} is given: a gateway needs ${gatewayTrio.join(", ")}`);
  },

  advise: ({ gatewayPort, gatewayIp }) =>
    gatewayPort !== undefined && gatewayIp === undefined ? ["gatewayPort means nothing without a gateway"] : [],

  beforeChange: ({ id, replaces, changed }) =>
    replaces
      ? [
          `the API cannot change a data store: the change of ${changed.join(", ")} makes a new one, and data store ${id} stays on the platform as it is`,
        ]
      : [],

  async create({ api }, given) {
    try {
      const made = await api.call(operations.createDataStore, { body: bodyOf(given), answer: Created });
      return { id: String(made.id), ...outputsOf(made, given.name) };
    } catch (error) {
      throw outcomeUnknown(
        error,
        `Look in the platform's user interface for a new data store of ${given.dbName} on ${given.dbHost}; if it is there, remove it before the next "pulumi up", or there will be two.`,
      );
    }
  },

  fromId: fromPlainId("a data store id", "7"),

  kept: (id, { assignedName }) =>
    `data store ${id}${assignedName ? ` (${assignedName})` : ""} stays on the platform: the API cannot remove it. Remove it in the platform's user interface if it is no longer needed.`,
});

/** What a platform shows of a new data store: all of it by the API's manual, little more than its id on some. */
function outputsOf({ account_id, user_id, active, name, created_at }: z.output<typeof Created>, given?: string) {
  const shown = {
    accountId: account_id === undefined ? undefined : asNumber(account_id),
    userId: user_id === undefined ? undefined : asNumber(user_id),
    active: active ?? undefined,
    assignedName: name ?? given,
    createdAt: created_at ?? undefined,
  };
  return shown as { accountId: number; userId: number; active: boolean; assignedName: string; createdAt: string };
}

function locationNow({ dbLocation }: Known<typeof inputs>): string {
  return dbLocation === undefined ? "it is not given" : `it is "${dbLocation}"`;
}

function bodyOf(given: z.output<typeof inputs>) {
  return {
    name: given.name,
    db_type: given.dbType,
    db_location: given.dbLocation,
    db_host: given.dbHost,
    db_name: given.dbName,
    db_user: given.dbUser,
    db_passwd: given.dbPasswd,
    port: given.port,
    catalog_name: given.catalogName,
    gateway_ip: given.gatewayIp,
    gateway_port: given.gatewayPort,
    gateway_username: given.gatewayUsername,
    gateway_private_key: given.gatewayPrivateKey,
    skip_validation: given.skipValidation,
  };
}
