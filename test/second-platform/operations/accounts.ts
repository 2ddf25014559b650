import { type Answer, invalid, ok } from "../answers";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import { type Account, account, type User, user } from "../state";
import type { World } from "../world";

const regions = [
  ...["us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2", "sa-east-1", "ap-south-1"],
  ...["ap-southeast-1", "ap-northeast-1", "ap-northeast-2", "ca-central-1"],
];
const credentialNames = { "v1.2": ["acc_key", "secret"], v2: ["storage_access_key", "storage_secret_key"] } as const;
const names = [
  ...["name", "level", "compute_type", "storage_type", "CacheQuotaSizeInGB", "defloc", "compute_access_key"],
  ...["compute_secret_key", "aws_region", "idle_cluster_timeout", "idle_cluster_timeout_in_secs"],
  ...["idle_session_timeout", "sub_account_creation", ...Object.values(credentialNames).flat()],
];

function checkRules(parameters: Parameters): void {
  parameters.oneOf("level", ["free"]);
  parameters.oneOf("compute_type", ["CUSTOMER_MANAGED"]);
  parameters.oneOf("storage_type", ["CUSTOMER_MANAGED"]);
  parameters.oneOf("aws_region", regions);
  parameters.within("CacheQuotaSizeInGB", 0);
  parameters.within("idle_cluster_timeout", 0, 6);
  parameters.within("idle_cluster_timeout_in_secs", 300);
  parameters.within("idle_session_timeout", 0, 10800);
  parameters.flag("sub_account_creation");
}

/** A new account has its built-in groups, and its creator as administrator. */
function found(world: World, made: Account, { userId, email }: User): User {
  const [admins, , everyone] = ["system-admin", "system-user", "everyone"].map((name) =>
    world.addGroup(name, [], made.id),
  ) as [number, number, number];
  const token = `second-token-of-account-${made.id}`;
  const creator = user(world.nextId("user"), userId, made.id, email, [admins, everyone], "enabled", token);
  creator.tokenDelay = world.delay(world.switches.accountTokenReady);
  world.data.accounts.push(made);
  world.data.users.push(creator);
  return creator;
}

function answerOf({ switches }: World, { id, name }: Account, authentication_token: string): unknown {
  const withoutToken = {
    name,
    state: "success_create",
    groups: ["system-admin", "everyone"],
    account_id: { integer: id, text: String(id), absent: undefined }[switches.accountId],
    is_aws_keys_enabled: true,
    status: "success",
  };
  const all = { ...withoutToken, authentication_token };
  return {
    "all fields": all,
    "token only": { authentication_token },
    "without token": withoutToken,
    "extra fields": { ...all, plan: "trial", id: 777, user: { id: 778, authentication_token: "not-this-one" } },
    "under account": { account: all },
  }[switches.accountAnswer];
}

function create({ world, user: creator, parameters }: Call, [access, secret]: readonly [string, string]): Answer {
  const inner = parameters.only("account").needs("account").raw("account");
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) throw invalid("account must be an object");
  const given = new Parameters(world.switches, inner as Record<string, unknown>).only(...names).needs("name");
  const keys = [access, secret, "defloc", "compute_access_key", "compute_secret_key"];
  given.mayNeed(["compute_type", "storage_type", ...keys], ["level", "aws_region"]);
  checkRules(given);
  const text = (name: string) => given.text(name) ?? null;
  const made = account(
    world.nextId("account"),
    given.text("name") ?? "",
    text("defloc"),
    {
      storage_access_key: text(access),
      storage_secret_key: text(secret),
      compute_access_key: text("compute_access_key"),
      compute_secret_key: text("compute_secret_key"),
    },
    given.integer("idle_session_timeout") ?? null,
    structuredClone(inner as Record<string, unknown>),
  );
  return ok(answerOf(world, made, found(world, made, creator).token));
}

function view({ world, user: { accountId } }: Call): Answer {
  const { switches, data } = world;
  const { id, name, keys, location, idleSessionTimeout } = data.accounts.find((one) => one.id === accountId)!;
  const secrets = Object.entries(keys).map(([key, value]) => [key, switches.accountSecrets === "shown" ? value : null]);
  return ok({
    id,
    name,
    storage_type: "CUSTOMER_MANAGED",
    compute_type: "CUSTOMER_MANAGED",
    storage_validated: true,
    compute_validated: true,
    is_aws_role_enabled: false,
    idle_session_timeout: idleSessionTimeout ?? { null: null, "1440": 1440, text: "1440" }[switches.accountTimeout],
    storage_location: location,
    authorized_ssh_key: null,
    ...Object.fromEntries(secrets),
  });
}

export const accountOperations: readonly Operation[] = [
  operation(
    "accounts.create v1.2",
    "POST /api/v1.2/account",
    needs.createAccount,
    (call) => create(call, credentialNames["v1.2"]),
    { deprecated: true },
  ),
  operation("accounts.create v2", "POST /api/v2/accounts", needs.createAccount, (call) =>
    create(call, credentialNames.v2),
  ),
  operation("accounts.view", "GET /api/v1.2/account/", needs.viewAccount, view, { deprecated: true }),
];
