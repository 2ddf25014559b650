import { z } from "zod";
import { admins } from "../auth";
import { invalid } from "../errors";
import { type Context, defineRoute } from "../router";

const port = z.int().min(1).max(65535);

/** Without defaults, which only a creation has. */
export const fields = {
  catalog_name: z
    .string()
    .regex(/^[a-z0-9]+$/, "must be lower-case letters and digits only")
    .nullable(),
  name: z.string().min(1),
  db_name: z.string().min(1),
  db_host: z.string().min(1),
  db_user: z.string(),
  db_passwd: z.string(),
  port: port.nullable(),
  db_type: z.enum(["mysql", "vertica", "mongo", "postgresql", "redshift"]),
  db_location: z.enum(["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"]),
  gateway_ip: z.string().min(1),
  gateway_port: port,
  gateway_username: z.string().min(1),
  gateway_private_key: z.string().min(1),
  skip_validation: z.boolean(),
};

const params = z.strictObject({
  catalog_name: fields.catalog_name.default(null),
  name: fields.name.optional().describe("Default: a combination of db_host and db_name"),
  db_name: fields.db_name,
  db_host: fields.db_host,
  db_user: fields.db_user.default(""),
  db_passwd: fields.db_passwd.default(""),
  port: fields.port.default(null).describe("Default: the default port of the database type"),
  db_type: fields.db_type.default("mysql"),
  db_location: fields.db_location.default("us-east-1"),
  gateway_ip: fields.gateway_ip.optional(),
  gateway_port: fields.gateway_port.optional().describe("Default 22"),
  gateway_username: fields.gateway_username.optional(),
  gateway_private_key: fields.gateway_private_key.optional(),
  skip_validation: fields.skip_validation.default(false),
});

export type DataStoreParams = z.infer<typeof params>;

const gatewayTrio = ["gateway_ip", "gateway_username", "gateway_private_key"] as const;

export function checkRules({ account }: Context, given: DataStoreParams): void {
  const trio = gatewayTrio.filter((name) => given[name] !== undefined);
  const gateway = given.gateway_port === undefined ? trio : [...trio, "gateway_port"];
  if (gateway.length > 0 && given.db_location !== "on-premise")
    throw invalid(`${gateway[0]}: gateway parameters are allowed only when db_location is on-premise`);
  const missing = gatewayTrio.filter((name) => given[name] === undefined);
  if (trio.length > 0 && missing.length > 0) throw invalid(`${missing[0]}: is required when ${trio[0]} is given`);
  if (given.catalog_name !== null) {
    if (given.db_type === "vertica" || given.db_type === "mongo")
      throw invalid(`catalog_name: is not available for db_type ${given.db_type}`);
    if (!account.features.includes("catalog_name"))
      throw invalid("catalog_name: is not enabled for this account: ask support to enable it");
  }
  if (!given.skip_validation && account.unreachableHosts.includes(given.db_host))
    throw invalid(`db_host: cannot connect to ${given.db_host}; skip_validation leaves this check out`);
}

/** The part of the record that the parameters decide. */
export function storedFields({ skip_validation: _skipped, ...given }: DataStoreParams) {
  return {
    ...given,
    name: given.name ?? `${given.db_host}-${given.db_name}`,
    gateway_ip: given.gateway_ip ?? null,
    gateway_port: given.gateway_port ?? (given.gateway_ip === undefined ? null : 22),
    gateway_username: given.gateway_username ?? null,
    gateway_private_key: given.gateway_private_key ?? null,
  };
}

const create = defineRoute({
  operation: "dbTaps.create",
  summary: "Create a data store",
  method: "POST",
  paths: ["/api/v1.2/db_taps"],
  access: admins("creating a data store"),
  params,
  answer: z.object({
    id: z.int(),
    account_id: z.int(),
    user_id: z.int(),
    active: z.boolean(),
    name: z.string(),
    db_name: z.string(),
    db_host: z.string(),
    db_user: z.string(),
    db_passwd: z.string(),
    db_type: z.string(),
    db_location: z.string(),
    port: z.int().nullable(),
    created_at: z.string(),
  }),
  handle(context, given) {
    checkRules(context, given);
    const { store, clock, account, user, readings } = context;
    const stored = store.put("dataStores", account.id, {
      ...storedFields(given),
      id: store.nextId("dataStores"),
      user_id: user.user_id,
      active: true,
      created_at: clock.timestamp(),
    });
    const { catalog_name, gateway_ip, gateway_port, gateway_username, gateway_private_key, tables, ...shown } = stored;
    if (readings.dataStoreAnswer === "minimal") return { id: stored.id };
    const answer: Partial<typeof shown> & { account_id: number } = { ...shown, account_id: account.id };
    if (readings.dataStorePassword === "empty") answer.db_passwd = "";
    if (readings.dataStorePassword === "absent") delete answer.db_passwd;
    return answer;
  },
});

export const dataStoreRoutes = [create];
