import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, outcomeUnknown } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource, type Log, PartialSuccess } from "../core/define";
import { fromPlainId } from "../core/import-id";
import { type AccountView, viewAccount } from "../platform/account-view";
import { answeredId } from "../values/id";

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

const defaultIdleHours = 2;
const customerManaged = z.literal("CUSTOMER_MANAGED").default("CUSTOMER_MANAGED");

/** An integer in a range; the message says the unit. */
function amount(lowest: number, highest: number, unit: string) {
  const range = highest === Number.MAX_SAFE_INTEGER ? `${lowest} or more` : `${lowest} to ${highest}`;
  const error = ({ input }: { readonly input?: unknown }) => `is ${String(input)}; allowed is ${range} ${unit}`;
  return z.int().min(lowest, { error }).max(highest, { error });
}

const inputs = z.object({
  name: z.string().min(1, { error: "is empty" }).describe("Name of the account."),
  apiVersion: z
    .enum(["v2", "v1.2"])
    .default("v2")
    .describe(
      "Version of the API with which the account is made. They differ only in the names under which the storage keys are sent. Default: v2.",
    ),
  level: z.literal("free").default("free").describe("Level of the account. Default: free, the only one."),
  computeType: customerManaged.describe("Who manages compute. Default: CUSTOMER_MANAGED, the only one."),
  storageType: customerManaged.describe("Who manages storage. Default: CUSTOMER_MANAGED, the only one."),
  cacheQuotaSizeInGB: amount(0, Number.MAX_SAFE_INTEGER, "gigabytes")
    .default(25)
    .describe("Size of the cache in gigabytes; there is no maximum. Default: 25."),
  defloc: z
    .string()
    .optional()
    .describe(
      "Default object-storage location for logs, results and cached data. A bucket of its own for each account, and short prefixes, are recommended.",
    ),
  storageAccessKey: z.string().optional().describe("Access key for the storage (`acc_key` in v1.2)."),
  storageSecretKey: z.string().optional().describe("Secret key for the storage (`secret` in v1.2)."),
  computeAccessKey: z.string().optional().describe("Access key for compute."),
  computeSecretKey: z.string().optional().describe("Secret key for compute."),
  awsRegion: z.enum(regions).optional().describe("Region of the account."),
  idleClusterTimeout: amount(0, 6, "hours")
    .default(defaultIdleHours)
    .describe(
      `Hours, 0 to 6, after which an idle cluster is terminated, at an hour boundary; a cluster can override it. Default: ${defaultIdleHours}.`,
    ),
  idleClusterTimeoutInSecs: amount(300, Number.MAX_SAFE_INTEGER, "seconds")
    .optional()
    .describe(
      "The same in seconds, at least 300. Support must enable aggressive downscaling first. The platform's default: 7200.",
    ),
  idleSessionTimeout: amount(1, 10_800, "minutes")
    .default(1440)
    .describe("Minutes, at most 10800, after which an idle session ends. Default: 1440."),
  subAccountCreation: z
    .boolean()
    .default(false)
    .describe("Whether the new account uses the parent account's plan instead of the free trial plan. Default: false."),
});
type Inputs = z.output<typeof inputs>;

/**
 * The result of a creation, bare or under `account`. Only what cannot be done without is demanded, for the account
 * exists already: its id, or its token, which shows the id.
 */
const Result = z
  .object({
    account_id: answeredId,
    id: answeredId,
    authentication_token: z.string().nullish().catch(undefined),
    state: z.string().nullish().catch(undefined),
    status: z.string().nullish().catch(undefined),
    groups: z.array(z.string()).nullish().catch(undefined),
    is_aws_keys_enabled: z.boolean().nullish().catch(undefined),
  })
  .refine(
    ({ account_id, id, authentication_token: token }) => (account_id ?? id) !== undefined || token,
    "it has neither account_id nor authentication_token",
  );
const Created = z.union([Result, z.object({ account: Result }).transform(({ account }) => account)]);

/** The id of an account whose id the platform has not told so far. Its token, once it works, tells it. */
const untold = "unknown";
/** The token of a new account may take a moment to work. */
const looks = 4;

const halves = [
  ["storageAccessKey", "storageSecretKey"],
  ["computeAccessKey", "computeSecretKey"],
] as const;

export const account = defineResource({
  type: "Account",
  doc: `An account of the platform, with credentials for storage and compute.

The API can make an account and show it to its own token; it cannot change or remove one. A change therefore makes a new account, and the old one stays on the platform, as it does after destroy; a warning says so before it happens. Accounts on role-based credentials are made in the platform's user interface only.`,
  inputs,
  outputs: z.object({
    authenticationToken: z.string().describe("API token of the new account: the way to manage what is inside it."),
    groups: z.array(z.string()).describe("Groups of the new account that its creator belongs to."),
    state: z.string().optional().describe("What the platform said about the creation, such as `success_create`."),
    status: z.string().optional().describe("Result of the creation, such as `success`."),
    isAwsKeysEnabled: z.boolean().optional().describe("Whether the account works with access keys."),
  }),
  importId: {
    format: "the account's id",
    example: "1001",
    note: "An imported account has no `authenticationToken`: the API shows it once, at creation. With a configured token of the account itself, the import shows its name, its session timeout and its types; what the program declares beside those is taken as true.",
  },
  importShowsPart: true,
  replaceOn: [
    "name",
    "level",
    "computeType",
    "storageType",
    "cacheQuotaSizeInGB",
    "defloc",
    "storageAccessKey",
    "storageSecretKey",
    "computeAccessKey",
    "computeSecretKey",
    "awsRegion",
    "idleClusterTimeout",
    "idleClusterTimeoutInSecs",
    "idleSessionTimeout",
    "subAccountCreation",
  ],
  secrets: ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey", "authenticationToken"],
  limits: {
    refresh:
      "`name`, `idleSessionTimeout` and the two types, through the account's own token. The API shows nothing else of use: its `storage_location` is not said to be `defloc`. When it refuses the token, the state stays as it is, with a warning. A value that was changed on the platform makes the next `pulumi up` create a new account, unless the program follows the change or ignores it (`ignoreChanges`).",
    update: "The API cannot change an account: a new one is made, and the old one stays.",
    destroy: "Nothing is removed: the API cannot do it. A warning names the account that stays.",
  },
  same: { defloc: (a, b) => (a ?? "").replace(/\/+$/, "") === (b ?? "").replace(/\/+$/, "") },

  advise: (known, unknown) =>
    halves
      .filter(([access, secret]) => !unknown(access) && !unknown(secret))
      .filter(([access, secret]) => (known[access] === undefined) !== (known[secret] === undefined))
      .map(([access, secret]) => `${access} and ${secret} belong together; only one of them is given`),

  beforeChange: ({ id, replaces, changed }) =>
    replaces
      ? [
          `the API cannot change an account: the change of ${changed.join(", ")} makes a NEW account, with a new id and a new token, and account ${id} stays on the platform as it is`,
        ]
      : [],

  async create({ api, log }, given) {
    const operation = given.apiVersion === "v2" ? operations.createAccountV2 : operations.createAccountV1;
    try {
      const made = await api.call(operation, { body: { account: bodyOf(given) }, answer: Created });
      const id = await idOf(api, made);
      if (!made.authentication_token)
        log.warn(
          `account ${id} was made, and the platform showed no token for it, so that it cannot be checked from here`,
        );
      const outputs = {
        authenticationToken: made.authentication_token || (undefined as unknown as string),
        groups: made.groups ?? [],
        state: made.state ?? undefined,
        status: made.status ?? undefined,
        isAwsKeysEnabled: made.is_aws_keys_enabled ?? undefined,
      };
      if (id === untold) throw new PartialSuccess(id, outputs, new Error(idUntold));
      return { id, ...outputs };
    } catch (error) {
      throw outcomeUnknown(
        error,
        `Look in the platform's user interface for a new account named ${JSON.stringify(given.name)}; if it is there, the next "pulumi up" would make a second one, so import it (pulumi import dataplatform:index:Account <name> <account id>) or have it removed first.`,
      );
    }
  },

  async read({ api, log }, id, { authenticationToken }) {
    const view = await viewIfAllowed(() => viewAccount(api, authenticationToken), id, log);
    if (!view) return {};
    if (id === untold && authenticationToken !== undefined) return { id: view.id, ...visibleInputs(view) };
    if (view.id !== id) {
      log.warn(
        `account ${id} cannot be checked: ${authenticationToken === undefined ? "its token is not known, and the configured one" : "the token in the state"} belongs to account ${view.id}. The state stays as it is.`,
      );
      return {};
    }
    return visibleInputs(view);
  },

  fromId: fromPlainId("an account id", "1001"),

  kept: (id, { name }) =>
    `account ${id}${name ? ` (${name})` : ""} stays on the platform: the API cannot remove it. Its token leaves the state with it, so keep a copy if you need one; ask the platform's support to close the account.`,
});

const idUntold =
  "the account was made, and the platform did not tell its id. Its token is kept in the state, and the next refresh asks for the id";

/** The answer tells it, or the view of the new account. */
async function idOf(api: Client, { account_id, id, authentication_token }: z.output<typeof Created>): Promise<string> {
  const told = account_id ?? id;
  if (told !== undefined) return String(told);
  for (let look = 0; look < looks; look++) {
    if (look > 0) await api.pause(look * 500);
    const view = await viewAccount(api, authentication_token ?? "").catch(() => undefined);
    if (view) return view.id;
  }
  return untold;
}

/** A token that is refused says nothing about the account: it may have been renewed. */
async function viewIfAllowed(view: () => Promise<AccountView>, id: string, log: Log): Promise<AccountView | undefined> {
  try {
    return await view();
  } catch (error) {
    if (!isPlatformError(error, "unauthorized", "forbidden", "not-found")) throw error;
    log.warn(
      `account ${id} cannot be viewed with its own token (${error.status}): it may be closed, or the token renewed. The state stays as it is.`,
    );
    return undefined;
  }
}

/** Properties by the names of the inputs; what the platform leaves empty is not shown. */
function visibleInputs(view: AccountView): Partial<Inputs> {
  const values = {
    name: view.name,
    idleSessionTimeout: view.idle_session_timeout,
    storageType: view.storage_type,
    computeType: view.compute_type,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

function hoursAreDefault({ idleClusterTimeout, idleClusterTimeoutInSecs }: Inputs): boolean {
  return idleClusterTimeoutInSecs !== undefined && idleClusterTimeout === defaultIdleHours;
}

function bodyOf(given: Inputs) {
  const storageKeys =
    given.apiVersion === "v2"
      ? { storage_access_key: given.storageAccessKey, storage_secret_key: given.storageSecretKey }
      : { acc_key: given.storageAccessKey, secret: given.storageSecretKey };
  return {
    name: given.name,
    level: given.level,
    compute_type: given.computeType,
    storage_type: given.storageType,
    CacheQuotaSizeInGB: given.cacheQuotaSizeInGB,
    defloc: given.defloc,
    ...storageKeys,
    compute_access_key: given.computeAccessKey,
    compute_secret_key: given.computeSecretKey,
    aws_region: given.awsRegion,
    // The default in hours beside seconds that the user chose would be a second word on the same thing.
    idle_cluster_timeout: hoursAreDefault(given) ? undefined : given.idleClusterTimeout,
    idle_cluster_timeout_in_secs: given.idleClusterTimeoutInSecs,
    idle_session_timeout: given.idleSessionTimeout,
    sub_account_creation: given.subAccountCreation,
  };
}
