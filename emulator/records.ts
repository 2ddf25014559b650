import { z } from "zod";
import { permissions } from "./permissions";
import { storedPolicySchema } from "./policy";
import { rolePolicySchema } from "./role-policy";

const id = z.int().positive();

const user = z.object({
  id: id.describe(
    "The svc user id: the `id` of a get_users entry, and, by the emulator's choice, what policies name in `svc_users`.",
  ),
  user_id: id.describe("The ordinary user id: what commands and data stores name in `user_id`."),
  email: z.string(),
  name: z.string().default(""),
  alias: z.string().optional().describe("The name that the emulator prints this user's token under."),
  token: z.string().min(1),
  groups: z.array(id).default([]),
  status: z.enum(["enabled", "disabled", "pending"]).default("enabled"),
});

const group = z.object({ id, name: z.string(), roles: z.array(id).default([]) });

const role = z.object({
  id,
  name: z.string(),
  permissions: z.array(z.enum(permissions)).default([]),
  policies: rolePolicySchema.optional().describe("What the role grants, instead of `permissions`."),
  source: z.enum(["system", "user-defined"]).optional().describe("Default: user-defined."),
});

const whitelistEntry = z.object({
  id,
  ip_cidr: z.string(),
  description: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

const plan = z.object({
  startAt: z.number(),
  endAt: z.number().nullable(),
  outcome: z.enum(["done", "error", "cancelled"]),
  reason: z.string().nullable(),
  cancelAt: z.number().optional().describe("When it was asked to stop."),
  results: z.string().optional().describe("Rows of results: tabs between columns, CR LF between rows."),
});

const command = z.object({
  id,
  user_id: id,
  command_type: z.enum(["SparkCommand", "HadoopCommand", "HiveCommand"]),
  command: z.record(z.string(), z.unknown()),
  submitted: z.number().describe("Milliseconds since the epoch."),
  label: z.string(),
  name: z.string().nullable(),
  pool: z.string().nullable(),
  /** As submitted; null if none was. */
  timeout: z.int().nullable(),
  template: z.string().nullable(),
  tags: z.array(z.string()),
  macros: z.array(z.record(z.string(), z.string())),
  output: z.string().nullable().describe("The folder that an S3DistCp command creates."),
  plan,
});

const dataStore = z.object({
  id,
  user_id: id,
  active: z.boolean(),
  name: z.string(),
  catalog_name: z.string().nullable(),
  db_name: z.string(),
  db_host: z.string(),
  db_user: z.string(),
  db_passwd: z.string(),
  db_type: z.string(),
  db_location: z.string(),
  port: z.int().nullable(),
  gateway_ip: z.string().nullable(),
  gateway_port: z.int().nullable(),
  gateway_username: z.string().nullable(),
  gateway_private_key: z.string().nullable(),
  created_at: z.string(),
  tables: z.array(z.string()).optional().describe("The tables of the database. Default: some made-up ones."),
});

const hiveTable = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  partitions: z.array(z.record(z.string(), z.string())).default([]),
});

const sensor = z.object({
  id,
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.object({ column: z.string(), values: z.array(z.string()) })),
  status: z.boolean(),
  created_at: z.string(),
});

const packages = z.record(z.string(), z.string());

const packageRequest = z.object({
  id,
  source_type: z.enum(["python_package", "r_package"]),
  package_names: z.string(),
  status: z.enum(["success", "failed"]),
  created_at: z.string(),
});

const environment = z.object({
  id,
  name: z.string(),
  python_package: packages.default({}),
  r_package: packages.default({}),
  requests: z.array(packageRequest).optional().describe("Requests to add packages, oldest first."),
});

const folder = z.object({
  id,
  name: z.string(),
  location: z.string(),
  type: z.enum(["notes", "notebook_dashboards", "jupyter_notebooks"]),
  policy: storedPolicySchema.default([]),
});

const platformObject = z.object({
  source_type: z.enum(["note", "cluster", "environment", "scheduler"]),
  id,
  name: z.string(),
  owner: id.describe("The svc user id of the owner.").optional(),
  policy: storedPolicySchema.default([]),
});

/** The record kinds of an account, named as in the seed file and in /_emulator/state. */
export const parts = {
  users: user,
  groups: group,
  roles: role,
  whitelist: whitelistEntry,
  commands: command,
  dataStores: dataStore,
  hiveTables: hiveTable,
  sensors: sensor,
  environments: environment,
  folders: folder,
  objects: platformObject,
};

export type Part = keyof typeof parts;
export type Records = { [P in Part]: z.infer<(typeof parts)[P]> };
export type RecordOf<P extends Part> = Records[P];
export type User = Records["users"];
export type CommandRecord = Records["commands"];

export const partNames = Object.keys(parts) as Part[];

export const features = ["ip_whitelisting", "aggressive_downscaling", "catalog_name"] as const;

export const accountSchema = z.object({
  id,
  name: z.string(),
  plan: z.string().default("free_trial"),
  features: z.array(z.enum(features)).default(["ip_whitelisting"]).describe("Features that support has enabled."),
  level: z.string().default("free"),
  storage_type: z.string().default("CUSTOMER_MANAGED"),
  compute_type: z.string().default("CUSTOMER_MANAGED"),
  storage_validated: z.boolean().default(true),
  compute_validated: z.boolean().default(true),
  is_aws_role_enabled: z.boolean().default(false),
  role_arn: z.string().optional(),
  external_id: z.string().optional(),
  idle_session_timeout: z.int().nullable().default(1440),
  idle_cluster_timeout: z.int().default(2),
  idle_cluster_timeout_in_secs: z.int().default(7200),
  cache_quota_size_in_gb: z.int().default(25),
  aws_region: z.string().default("us-east-1"),
  storage_access_key: z.string().default(""),
  storage_secret_key: z.string().default(""),
  storage_location: z.string().default(""),
  authorized_ssh_key: z.string().nullable().default(null),
  notification_email_list: z.string().optional(),
  compute_access_key: z.string().default(""),
  compute_secret_key: z.string().default(""),
  encryptedBuckets: z.array(z.string()).default([]).describe("Buckets that only accept encrypted objects."),
  existingPaths: z.array(z.string()).default([]).describe("Folders that already exist for S3DistCp."),
  unreachableHosts: z.array(z.string()).default([]).describe("Hosts for which data store validation fails."),
});

export type Account = z.infer<typeof accountSchema>;

const outcomeRule = z.strictObject({
  match: z
    .strictObject({ name: z.string(), tag: z.string(), program: z.string().describe("Part of the program text.") })
    .partial()
    .default({}),
  outcome: z.enum(["done", "error", "never"]),
  runSeconds: z.number().min(0).optional(),
  results: plan.shape.results,
});

export const settingsSchema = z.object({
  viewPolicyAs: z.enum(["array", "string"]).default("array"),
  waitSeconds: z.number().min(0).default(1),
  runSeconds: z.number().min(0).default(2),
  outcomes: z.array(outcomeRule).default([]),
  clock: z
    .object({ mode: z.enum(["real", "manual"]), at: z.number().describe("Manual: the time. Real: the offset.") })
    .default({ mode: "real", at: 0 }),
});

export type Settings = z.infer<typeof settingsSchema>;
export type OutcomeRule = z.infer<typeof outcomeRule>;
export { outcomeRule as outcomeRuleSchema };

const partLists = Object.fromEntries(
  partNames.map((part) => [part, z.array(z.strictObject(parts[part].shape)).default([])]),
) as unknown as { [P in Part]: z.ZodDefault<z.ZodArray<(typeof parts)[P]>> };

export const seedSchema = z.strictObject({
  accounts: z.array(z.strictObject({ ...accountSchema.shape, ...partLists })).min(1),
  settings: settingsSchema.optional(),
});

export type Seed = z.input<typeof seedSchema>;
export type FullSeed = z.output<typeof seedSchema>;
