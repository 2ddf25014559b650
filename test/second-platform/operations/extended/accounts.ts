import { type Answer, invalid, unshown } from "../../answers";
import type { Account } from "../../model";
import { type Call, needs, type Operation, operation } from "../../operation";
import { Parameters } from "../../parameters";

type Version = "v1.2" | "v2";
const storageNames = { "v1.2": ["acc_key", "secret"], v2: ["storage_access_key", "storage_secret_key"] } as const;
const shown = [
  ...["compute_type", "access_mode", "role_arn", "compute_access_key", "compute_secret_key", "defloc"],
  "notification_email_list",
];
/** Parameters of create; whether the cut part of the page names them is not known. */
const cut = ["name", "idle_session_timeout", "idle_cluster_timeout", "CacheQuotaSizeInGB", "aws_region"];

function bodyOf(call: Call, version: Version): Record<string, unknown> {
  const way = call.world.switches.accountEditBody;
  const inner = call.body["account"];
  const wrapped = typeof inner === "object" && inner !== null && !Array.isArray(inner);
  if (version === "v1.2" || way === "flat") return call.body;
  if (wrapped) return inner as Record<string, unknown>;
  if (way === "under account") throw invalid("account is required");
  return call.body;
}

interface Keys {
  access: string | undefined;
  secret: string | undefined;
}

function storageKeys(parameters: Parameters, version: Version): Keys {
  const [access, secret] = storageNames[version].map((name) => parameters.text(name));
  return { access, secret };
}

/** Which parameters must come together, by the manual's sentences. */
function checkTogether(parameters: Parameters, keys: Keys): void {
  const mode = parameters.text("access_mode");
  const computeNames = ["compute_type", "compute_access_key", "compute_secret_key"];
  if (mode === "IAM_ROLES") {
    parameters.needs("role_arn");
    return;
  }
  if (computeNames.some((name) => parameters.has(name)) || mode === "IAM_KEYS") parameters.needs(...computeNames);
  const storage = keys.access !== undefined || keys.secret !== undefined || parameters.has("defloc");
  if (!storage && mode !== "IAM_KEYS") return;
  if (keys.access === undefined || keys.secret === undefined) throw invalid("both storage keys are required");
  if (mode !== "IAM_KEYS") parameters.needs("defloc");
}

function change(account: Account, parameters: Parameters, keys: Keys): void {
  const mode = parameters.oneOf("access_mode", ["IAM_KEYS", "IAM_ROLES"]);
  parameters.oneOf("compute_type", ["CUSTOMER_MANAGED"]);
  if (mode === "IAM_KEYS") account.roleArn = null;
  account.roleArn = (mode === "IAM_KEYS" ? null : parameters.text("role_arn")) ?? account.roleArn ?? null;
  account.storageAccessKey = keys.access ?? account.storageAccessKey;
  account.storageSecretKey = keys.secret ?? account.storageSecretKey;
  account.computeAccessKey = parameters.text("compute_access_key") ?? account.computeAccessKey;
  account.computeSecretKey = parameters.text("compute_secret_key") ?? account.computeSecretKey;
  account.storageLocation = parameters.text("defloc") ?? account.storageLocation;
}

const edit =
  (version: Version) =>
  (call: Call): Answer => {
    const { world } = call;
    const { switches } = world;
    const parameters = new Parameters(switches, bodyOf(call, version));
    parameters.only(...shown, ...cut, ...storageNames["v1.2"], ...storageNames.v2);
    const keys = storageKeys(parameters, version);
    checkTogether(parameters, keys);
    const account = world.data.accounts.find((one) => one.id === call.user.accountId);
    if (!account) throw invalid("the account is gone");
    const { previous: _, ...before } = account;
    change(account, parameters, keys);
    account.previous = { account: structuredClone(before), delay: world.delay(switches.accountEditDelay) };
    return unshown(switches.accountEditAnswer, { id: account.id, name: account.name });
  };

export const accountOperations: readonly Operation[] = [
  operation("accounts.edit", "PUT /api/v1.2/account/", needs.editAccount, edit("v1.2"), { deprecated: true }),
  operation("accounts.editV2", "PUT /api/v2/accounts/", needs.editAccount, edit("v2")),
];
