import { z } from "zod";
import { anyone } from "../auth";
import { invalid } from "../errors";
import type { Readings } from "../readings";
import type { Account } from "../records";
import { PlainAnswer } from "../respond";
import { type Context, defineRoute, type Route } from "../router";
import { fields } from "../routes/account-create";
import { viewAccount } from "../routes/accounts";
import { done, statusAnswer } from "../routes/shared";

const key = z.string().min(1);

const listed = z
  .strictObject({
    compute_type: fields.compute_type,
    access_mode: z.enum(["IAM_KEYS", "IAM_ROLES"]),
    role_arn: key,
    compute_access_key: key,
    compute_secret_key: key,
    defloc: key,
    notification_email_list: z.string(),
  })
  .partial();

const { compute_type: _listed, ...ofCreation } = fields;
const others = z.strictObject(ofCreation).partial();

interface Version {
  accessKey: "acc_key" | "storage_access_key";
  secretKey: "secret" | "storage_secret_key";
}

const v1: Version = { accessKey: "acc_key", secretKey: "secret" };
const v2: Version = { accessKey: "storage_access_key", secretKey: "storage_secret_key" };

/** The parameters of both versions, under the names of v2. */
type Edit = z.infer<typeof listed> &
  z.infer<typeof others> & { storage_access_key?: string | undefined; storage_secret_key?: string | undefined };

type Given = Record<string, unknown>;

/** Which parameters are accepted, and whether in `account`, which no source shows in full. */
function schemaOf({ accessKey, secretKey }: Version, given: Given, readings: Readings): z.ZodType<Given> {
  const own = listed.extend({ [accessKey]: key.optional(), [secretKey]: key.optional() });
  const flat = {
    listed: own,
    ignored: own.strip(),
    "create-fields": own.extend(others.shape),
  }[readings.accountEditFields];
  const wrapped = z.strictObject({ account: flat });
  const { accountEditBody } = readings;
  return accountEditBody === "wrapped" || (accountEditBody === "both" && "account" in given) ? wrapped : flat;
}

function editOf({ accessKey, secretKey }: Version, params: Given): Edit {
  const {
    [accessKey]: storage_access_key,
    [secretKey]: storage_secret_key,
    ...rest
  } = (params.account ?? params) as Record<string, string | undefined>;
  return { ...(rest as Edit), storage_access_key, storage_secret_key };
}

/** Parameters that are required together: some of a set of settings, and the rest of it. */
function checkEdit(edit: Edit, account: Account, { accessKey, secretKey }: Version): void {
  const spelled: Given = { ...edit, [accessKey]: edit.storage_access_key, [secretKey]: edit.storage_secret_key };
  const storageKeys = [accessKey, secretKey];
  const computeKeys = ["compute_access_key", "compute_secret_key"];
  const need = (names: readonly string[], why: string) => {
    const missing = names.filter((name) => spelled[name] === undefined);
    if (missing.length > 0) throw invalid(`${missing.join(", ")}: required when ${why}`);
  };
  const some = (names: readonly string[]) => names.some((name) => spelled[name] !== undefined);
  const before = account.is_aws_role_enabled ? "IAM_ROLES" : "IAM_KEYS";
  const mode = edit.access_mode ?? before;
  if (mode === "IAM_ROLES" && mode !== before) need(["role_arn"], "access_mode changes to IAM_ROLES");
  if (mode === "IAM_KEYS" && mode !== before) need([...storageKeys, ...computeKeys], "access_mode changes to IAM_KEYS");
  if (mode === "IAM_KEYS" && edit.role_arn !== undefined) throw invalid("role_arn: needs access_mode IAM_ROLES");
  // A role takes the place of the keys.
  const keys = (names: readonly string[]) => (mode === "IAM_KEYS" ? names : []);
  if (some(["compute_type", ...computeKeys]))
    need(["compute_type", ...keys(computeKeys)], "the compute settings change");
  if (some([...storageKeys, "defloc"])) need([...keys(storageKeys), "defloc"], "the storage settings change");
}

function checkFeatures({ idle_cluster_timeout_in_secs }: Edit, account: Account): void {
  if (idle_cluster_timeout_in_secs !== undefined && !account.features.includes("aggressive_downscaling"))
    throw invalid("idle_cluster_timeout_in_secs: the aggressive-downscaling feature is not enabled");
}

function edited(account: Account, edit: Edit): Account {
  const { access_mode, role_arn, defloc, CacheQuotaSizeInGB, ...same } = edit;
  const { role_arn: oldArn, external_id: oldId, ...rest } = account;
  const byRole = access_mode === undefined ? account.is_aws_role_enabled : access_mode === "IAM_ROLES";
  return {
    ...rest,
    ...(Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)) as Partial<Account>),
    ...(defloc !== undefined && { storage_location: defloc }),
    ...(CacheQuotaSizeInGB !== undefined && { cache_quota_size_in_gb: CacheQuotaSizeInGB }),
    is_aws_role_enabled: byRole,
    ...(byRole && { role_arn: role_arn ?? oldArn, external_id: oldId ?? `external-id-${account.id}` }),
  };
}

function edit(context: Context, version: Version, params: Given): unknown {
  const { store, account, readings } = context;
  const wanted = editOf(version, params);
  checkEdit(wanted, account, version);
  checkFeatures(wanted, account);
  const changed = edited(account, wanted);
  store.putAccount(changed);
  if (readings.accountEditAnswer === "not-shown") return done("account updated");
  return new PlainAnswer({ status: 200, body: viewAccount.handle({ ...context, account: changed }, {}, {}) });
}

const routeOf = (operation: string, name: string, path: string, version: Version): Route =>
  defineRoute<Given>({
    operation,
    summary: `Edit the account of the token (${name})`,
    method: "PUT",
    paths: [path],
    access: anyone("editing an account"),
    params: listed.extend({ [version.accessKey]: key.optional(), [version.secretKey]: key.optional() }),
    choose: (given, readings) => schemaOf(version, given, readings),
    answer: statusAnswer,
    answerNotShown: true,
    handle: (context, params) => edit(context, version, params),
  });

const viewV2: Route = {
  ...viewAccount,
  operation: "account.viewV2",
  summary: "View the account of the token (v2)",
  paths: ["/api/v2/accounts"],
};

export const extendedAccountRoutes = [
  routeOf("account.edit", "v1.2", "/api/v1.2/account", v1),
  routeOf("account.editV2", "v2", "/api/v2/accounts", v2),
  viewV2,
];
