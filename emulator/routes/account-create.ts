import { randomBytes } from "node:crypto";
import { z } from "zod";
import { anyone } from "../auth";
import { invalid } from "../errors";
import { accountSchema } from "../records";
import { systemRoles } from "../role-policy";
import { type Context, defineRoute } from "../router";

const regions = [
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "eu-west-1",
  "eu-west-2",
  "sa-east-1",
  "ap-south-1",
  "ap-southeast-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ca-central-1",
] as const;

/** Those that can be changed later, without their defaults. */
export const fields = {
  name: z.string().min(1),
  compute_type: z.literal("CUSTOMER_MANAGED"),
  storage_type: z.literal("CUSTOMER_MANAGED"),
  CacheQuotaSizeInGB: z.int().min(0),
  aws_region: z.enum(regions),
  idle_cluster_timeout: z.int().min(0).max(6),
  idle_cluster_timeout_in_secs: z.int().min(300),
  idle_session_timeout: z.int().min(1).max(10800),
};

const common = z.strictObject({
  name: fields.name,
  level: z.literal("free").default("free"),
  compute_type: fields.compute_type.default("CUSTOMER_MANAGED"),
  storage_type: fields.storage_type.default("CUSTOMER_MANAGED"),
  CacheQuotaSizeInGB: fields.CacheQuotaSizeInGB.default(25),
  defloc: z.string().default(""),
  compute_access_key: z.string().default(""),
  compute_secret_key: z.string().default(""),
  aws_region: fields.aws_region.default("us-east-1"),
  idle_cluster_timeout: fields.idle_cluster_timeout.default(2).describe("Hours"),
  idle_cluster_timeout_in_secs: fields.idle_cluster_timeout_in_secs
    .optional()
    .describe("Needs the aggressive-downscaling feature"),
  idle_session_timeout: fields.idle_session_timeout.default(1440).describe("Minutes"),
  sub_account_creation: z.boolean().default(false),
});

const v1 = common.extend({ acc_key: z.string().default(""), secret: z.string().default("") });
const v2 = common.extend({ storage_access_key: z.string().default(""), storage_secret_key: z.string().default("") });

const answer = z.object({
  name: z.string(),
  state: z.string(),
  groups: z.array(z.string()),
  authentication_token: z.string(),
  account_id: z.union([z.string(), z.int()]),
  is_aws_keys_enabled: z.boolean(),
  status: z.string(),
});

interface StorageKeys {
  storage_access_key: string;
  storage_secret_key: string;
}

function createAccount(context: Context, given: z.infer<typeof common>, keys: StorageKeys): z.infer<typeof answer> {
  const { store, account: parent } = context;
  if (given.idle_cluster_timeout_in_secs !== undefined && !parent.features.includes("aggressive_downscaling"))
    throw invalid("account.idle_cluster_timeout_in_secs: the aggressive-downscaling feature is not enabled");
  const id = store.nextId("accounts");
  store.putAccount(
    accountSchema.parse({
      ...given,
      id,
      plan: given.sub_account_creation ? parent.plan : "free_trial",
      features: parent.features,
      storage_location: given.defloc,
      cache_quota_size_in_gb: given.CacheQuotaSizeInGB,
      ...keys,
    }),
  );
  return {
    name: given.name,
    state: "success_create",
    groups: ["system-admin", "everyone"],
    authentication_token: addCreator(context, id),
    account_id: context.readings.createdAccountId === "text" ? String(id) : id,
    is_aws_keys_enabled: true,
    status: "success",
  };
}

/** Creates a new account's built-in groups and roles and its first user, the creator; returns that user's token. */
function addCreator({ store, user }: Context, accountId: number): string {
  const firstRole = store.nextId("roles");
  for (const role of systemRoles(firstRole, firstRole + 1)) store.put("roles", accountId, role);
  const groups = new Map(
    ["system-admin", "system-user", "everyone"].map((name) => [
      name,
      store.put("groups", accountId, { id: store.nextId("groups"), name, roles: [] }).id,
    ]),
  );
  const token = randomBytes(24).toString("hex");
  store.put("users", accountId, {
    id: store.nextId("users"),
    user_id: user.user_id,
    email: user.email,
    name: user.name,
    token,
    groups: ["system-admin", "everyone"].map((name) => groups.get(name) as number),
    status: "enabled",
  });
  return token;
}

const create = defineRoute({
  operation: "account.create",
  summary: "Create an account (v1.2)",
  method: "POST",
  paths: ["/api/v1.2/account"],
  access: anyone("creating an account"),
  params: z.strictObject({ account: v1 }),
  answer,
  handle: (context, { account }) =>
    createAccount(context, account, { storage_access_key: account.acc_key, storage_secret_key: account.secret }),
});

const createV2 = defineRoute({
  operation: "account.createV2",
  summary: "Create an account (v2)",
  method: "POST",
  paths: ["/api/v2/accounts"],
  access: anyone("creating an account"),
  params: z.strictObject({ account: v2 }),
  answer,
  handle: (context, { account }) =>
    createAccount(context, account, {
      storage_access_key: account.storage_access_key,
      storage_secret_key: account.storage_secret_key,
    }),
});

export const createRoutes = [create, createV2];
