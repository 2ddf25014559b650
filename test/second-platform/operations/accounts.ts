import { type Answer, invalid, ok } from "../answers";
import { foundAccount } from "../found";
import type { Account } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import type { World } from "../world";

const regions = [
  ...["us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2", "sa-east-1", "ap-south-1"],
  ...["ap-southeast-1", "ap-northeast-1", "ap-northeast-2", "ca-central-1"],
];
const credentialNames = { "v1.2": ["acc_key", "secret"], v2: ["storage_access_key", "storage_secret_key"] } as const;
type Version = keyof typeof credentialNames;

const names = [
  ...["name", "level", "compute_type", "storage_type", "CacheQuotaSizeInGB", "defloc", "compute_access_key"],
  ...["compute_secret_key", "aws_region", "idle_cluster_timeout", "idle_cluster_timeout_in_secs"],
  ...["idle_session_timeout", "sub_account_creation"],
];

function checkRules(parameters: Parameters): void {
  parameters.oneOf("level", ["free"]);
  parameters.oneOf("compute_type", ["CUSTOMER_MANAGED"]);
  parameters.oneOf("storage_type", ["CUSTOMER_MANAGED"]);
  parameters.oneOf("aws_region", regions);
  parameters.within("CacheQuotaSizeInGB", 0, Number.MAX_SAFE_INTEGER);
  parameters.within("idle_cluster_timeout", 0, 6);
  parameters.within("idle_cluster_timeout_in_secs", 300, Number.MAX_SAFE_INTEGER);
  parameters.within("idle_session_timeout", 0, 10800);
  parameters.flag("sub_account_creation");
}

function answerOf(world: World, account: Account, token: string): unknown {
  const { switches } = world;
  const id = { integer: account.id, text: String(account.id), absent: undefined }[switches.accountId];
  const all: Record<string, unknown> = {
    name: account.name,
    state: "success_create",
    groups: ["system-admin", "everyone"],
    authentication_token: token,
    account_id: id,
    is_aws_keys_enabled: true,
    status: "success",
  };
  const { authentication_token: _, ...withoutToken } = all;
  return {
    "all fields": all,
    "token only": { authentication_token: token },
    "without token": withoutToken,
    "extra fields": { ...all, plan: "trial", id: 777, user: { id: 778, authentication_token: "not-this-one" } },
    "under account": { account: all },
  }[switches.accountAnswer];
}

const create =
  (version: Version) =>
  (call: Call): Answer => {
    const { world, user } = call;
    const { switches } = world;
    const inner = call.parameters.only("account").needs("account").raw("account");
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) throw invalid("account must be an object");
    const parameters = new Parameters(switches, inner as Record<string, unknown>);
    parameters.only(...names, ...credentialNames["v1.2"], ...credentialNames.v2).needs("name");
    const keys = [...credentialNames[version], "defloc", "compute_access_key", "compute_secret_key"];
    parameters.mayNeed(["compute_type", "storage_type", ...keys], ["level", "aws_region"]);
    checkRules(parameters);
    const [storageAccessKey = null, storageSecretKey = null] = credentialNames[version].map(
      (name) => parameters.text(name) ?? null,
    );
    const account: Account = {
      id: world.nextId("account"),
      name: parameters.text("name") ?? "",
      storageLocation: parameters.text("defloc") ?? null,
      storageAccessKey,
      storageSecretKey,
      computeAccessKey: parameters.text("compute_access_key") ?? null,
      computeSecretKey: parameters.text("compute_secret_key") ?? null,
      idleSessionTimeout: parameters.integer("idle_session_timeout") ?? null,
      created: structuredClone(inner as Record<string, unknown>),
    };
    const creator = foundAccount(world, account, user);
    creator.tokenDelay = world.delay(switches.accountTokenReady);
    return ok(answerOf(world, account, creator.token));
  };

function view(call: Call): Answer {
  const { world, user } = call;
  const { switches } = world;
  const account = world.data.accounts.find((one) => one.id === user.accountId);
  if (!account) throw invalid("the account is gone");
  const secret = (value: string | null) => (switches.accountSecrets === "shown" ? value : null);
  const timeouts = { null: null, "1440": 1440, text: "1440" };
  const timeout = account.idleSessionTimeout ?? timeouts[switches.accountTimeout];
  return ok({
    id: account.id,
    name: account.name,
    storage_type: "CUSTOMER_MANAGED",
    compute_type: "CUSTOMER_MANAGED",
    storage_validated: true,
    compute_validated: true,
    is_aws_role_enabled: false,
    idle_session_timeout: timeout,
    storage_access_key: secret(account.storageAccessKey),
    storage_secret_key: secret(account.storageSecretKey),
    storage_location: account.storageLocation,
    authorized_ssh_key: null,
    compute_access_key: secret(account.computeAccessKey),
    compute_secret_key: secret(account.computeSecretKey),
  });
}

export const accountOperations: readonly Operation[] = [
  operation("accounts.create v1.2", "POST /api/v1.2/account", needs.createAccount, create("v1.2"), {
    deprecated: true,
  }),
  operation("accounts.create v2", "POST /api/v2/accounts", needs.createAccount, create("v2")),
  operation("accounts.view", "GET /api/v1.2/account/", needs.viewAccount, view, { deprecated: true }),
];
