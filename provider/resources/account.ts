import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, outcomeUnknown } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource, fromPlainId, type Log, PartialSuccess } from "../core/define";
import { importAdvice } from "../core/urn";
import { editInPlace, editorOf } from "../platform/account-edit";
import { type AccountView, viewAccount } from "../platform/account-view";
import { shownIn, snakeCase, told } from "../values/fields";
import { answeredId } from "../values/id";
import { regions } from "../values/region";

const defaultIdleHours = 2;
const customerManaged = z.literal("CUSTOMER_MANAGED").default("CUSTOMER_MANAGED");

/** An integer in a range, with the unit in the error message. */
function amount(lowest: number, highest: number, unit: string) {
  const range = highest === Number.MAX_SAFE_INTEGER ? `${lowest} or more` : `${lowest} to ${highest}`;
  const error = ({ input }: { readonly input?: unknown }) => `is ${String(input)}; expected ${range} ${unit}`;
  return z.int().min(lowest, { error }).max(highest, { error });
}

const inputs = z.object({
  name: z.string().min(1, { error: "is empty" }).describe("Name of the account."),
  apiVersion: z
    .enum(["v2", "v1.2"])
    .default("v2")
    .describe(
      "API version used to create the account. The versions differ only in the names of the storage key parameters, and the platform plans to deprecate v1.2. Default: v2.",
    ),
  level: z.literal("free").default("free").describe("Account level. Default: free, the only allowed value."),
  computeType: customerManaged.describe("Who manages compute. Default: CUSTOMER_MANAGED, the only allowed value."),
  storageType: customerManaged.describe("Who manages storage. Default: CUSTOMER_MANAGED, the only allowed value."),
  cacheQuotaSizeInGB: amount(0, Number.MAX_SAFE_INTEGER, "gigabytes")
    .default(25)
    .describe("Cache size in gigabytes: 0 or more. Default: 25."),
  defloc: z
    .string()
    .optional()
    .describe(
      "Default object-storage location for logs, results and cached data. A separate bucket per account and a short prefix are recommended.",
    ),
  storageAccessKey: z.string().optional().describe("Access key for the storage (`acc_key` in v1.2)."),
  storageSecretKey: z.string().optional().describe("Secret key for the storage (`secret` in v1.2)."),
  computeAccessKey: z.string().optional().describe("Access key for compute."),
  computeSecretKey: z.string().optional().describe("Secret key for compute."),
  awsRegion: z.enum(regions).optional().describe("AWS region of the account."),
  idleClusterTimeout: amount(0, 6, "hours")
    .optional()
    .meta({ meansWhenAbsent: defaultIdleHours })
    .describe(
      `Hours after which an idle cluster is terminated, at an hour boundary: 0 to 6. A cluster can override it. Default: ${defaultIdleHours}.`,
    ),
  idleClusterTimeoutInSecs: amount(300, Number.MAX_SAFE_INTEGER, "seconds")
    .optional()
    .describe(
      "Seconds after which an idle cluster is terminated: at least 300. The platform's support must first enable aggressive downscaling. The platform's default: 7200.",
    ),
  idleSessionTimeout: amount(1, 10_800, "minutes")
    .default(1440)
    .describe("Minutes after which an idle session ends: 1 to 10800. Default: 1440."),
  subAccountCreation: z
    .boolean()
    .default(false)
    .describe("Whether the new account uses the parent account's plan instead of the free trial plan. Default: false."),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  authenticationToken: z.string().describe("API token of the new account, for managing resources in it."),
  groups: z.array(z.string()).describe("Groups of the new account that its creator belongs to."),
  state: z.string().optional().describe("State that the platform reported on creation, such as `success_create`."),
  status: z.string().optional().describe("Result of the creation, such as `success`."),
  isAwsKeysEnabled: z.boolean().optional().describe("Whether the account uses access keys."),
});

/**
 * The response to a create, bare or under `account`. The account exists by now, so only the essential is required: its id,
 * or its token, which can look up the id.
 */
const Result = z
  .looseObject({
    account_id: answeredId,
    id: answeredId,
    authentication_token: z.string().nullish().catch(undefined),
  })
  .refine(
    ({ account_id, id, authentication_token: token }) => (account_id ?? id) !== undefined || token,
    "expected account_id or authentication_token, found neither",
  );
const Created = z.union([Result, z.object({ account: Result }).transform(({ account }) => account)]);

/** Placeholder id until the account's own token can look up the real one. */
const unknownId = "unknown";
/** The token of a new account may take a moment to work. */
const maxLookups = 4;

const keyPairs = [
  ["storageAccessKey", "storageSecretKey"],
  ["computeAccessKey", "computeSecretKey"],
] as const;

/** What the extended API can edit, as far as its manual tells. */
const editable = {
  defloc: true,
  storageAccessKey: true,
  storageSecretKey: true,
  computeAccessKey: true,
  computeSecretKey: true,
} as const;
const sent = inputs.omit({ apiVersion: true });
const sentInputs = sent.keyof().options;

export const account = defineResource({
  type: "Account",
  doc: `An account of the platform, with credentials for storage and compute.

The specified API can create an account and show it to the account's own token, but cannot change or remove one. Any change therefore creates a new account and leaves the old one on the platform, as destroy does; a warning says so beforehand. With the extended API (\`dataplatform:extendedApi\`) the keys and \`defloc\` are changed in place. Accounts with role-based credentials can only be created in the platform's user interface. Refresh views the account with v1.2, which the platform plans to deprecate.`,
  inputs,
  outputs,
  importId: {
    format: "the account's id",
    example: "1001",
    note: "An imported account has no `authenticationToken`: the API returns it in the answer to the creation, and the view does not show it. If the configured token belongs to the account itself, the import reads the name, the session timeout and the two types; all other inputs in the program are assumed to be correct.",
    showsPart: true,
  },
  replaceOn: sentInputs,
  settledOutputs: outputs.keyof().options,
  secrets: ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey", "authenticationToken"],
  limits: {
    refresh:
      "`name`, `idleSessionTimeout` and the two types, read with the account's own token. The API shows nothing else that is useful: its manual does not say that `storage_location` is `defloc`. If the token is refused, the state is kept, with a warning. If a value was changed on the platform, the next `pulumi up` creates a new account, unless the program adopts the change or ignores it (`ignoreChanges`).",
    thing: "an account",
    destroy:
      "Nothing is removed: the API cannot remove an account. A warning names what stays. Its token is removed from the state, and the API does not show it again: [save it before](../moving.md#the-token-of-an-account).",
  },
  same: { defloc: (a, b) => (a ?? "").replace(/\/+$/, "") === (b ?? "").replace(/\/+$/, "") },

  advise: (known, unknown) =>
    keyPairs
      .filter(([access, secret]) => !unknown(access) && !unknown(secret))
      .filter(([access, secret]) => (known[access] === undefined) !== (known[secret] === undefined))
      .map(([access, secret]) => `only one of ${access} and ${secret} is set; set both, or neither`),

  async create({ api, log }, given) {
    const operation = given.apiVersion === "v2" ? operations.createAccountV2 : operations.createAccountV1;
    try {
      const created = await api.call(operation, { body: { account: bodyOf(given) }, answer: Created });
      const id = await idOf(api, created);
      if (!created.authentication_token)
        log.warn(`account ${id} was created, but the platform returned no token for it, so refresh cannot check it`);
      const known = { groups: [], ...told(outputs.shape, created) };
      if (id === unknownId) throw new PartialSuccess(id, known, new Error(createdWithoutId));
      return { id, ...known };
    } catch (error) {
      throw outcomeUnknown(
        error,
        `Look in the platform's user interface for a new account named ${JSON.stringify(given.name)}. If it exists, have it removed, or the next "pulumi up" creates a second one; to keep it, ${importAdvice("Account", "<account id>")}`,
      );
    }
  },

  /** The API shows a token only its own account. */
  async *list({ api }) {
    const { id, name } = await viewAccount(api, undefined);
    yield { id, name: name ?? undefined };
  },

  async read({ api, log }, id, { authenticationToken }) {
    const view = await viewIfAllowed(() => viewAccount(api, authenticationToken), id, log);
    if (!view) return {};
    if (id === unknownId && authenticationToken !== undefined) return { id: view.id, ...shownIn(view, sentInputs) };
    if (view.id !== id) {
      log.warn(
        `cannot check account ${id}: ${authenticationToken === undefined ? "its token is unknown, and the configured token" : "the token in the state"} belongs to account ${view.id}. Its state is kept unchanged.`,
      );
      return {};
    }
    return shownIn(view, sentInputs);
  },

  fromId: fromPlainId("an account id", "1001"),

  async update({ log }, id, _old, _given, { redo }) {
    if (redo)
      log.warn(
        `the last change of account ${id} is not repeated, although its response was lost: that needs the extended API. Check the keys of the account in the platform's user interface`,
      );
    return {};
  },

  kept: (id, { name }) =>
    `account ${id}${name ? ` (${name})` : ""} stays on the platform: the API cannot remove it. Its token is removed from the state, and the API does not show it again: save it before (pulumi stack export --show-secrets --file FILE), or look for it in an earlier version of the state. Ask the platform's support to close the account.`,

  extended: {
    replaceOn: sent.omit(editable).keyof().options,
    limits: {
      update:
        "The keys and `defloc` are changed in place with the account's own token, or with the configured token if it belongs to the account. Any other change, a key that is taken away, or an account whose token is unknown, creates a new account, and the old one stays.",
    },
    canChange: async ({ api }, id, { authenticationToken }) =>
      (await editorOf(api, id, authenticationToken)) !== undefined,

    async update(context, id, old, given, { redo }) {
      await editInPlace(context, id, old, given, redo);
      return {};
    },
  },
});

const createdWithoutId =
  'the account was created, but the platform did not return its id. Its token is kept in the state; run "pulumi refresh" to look up the id';

/** From the response, or else by viewing the new account. */
async function idOf(api: Client, { account_id, id, authentication_token }: z.output<typeof Created>): Promise<string> {
  const returnedId = account_id ?? id;
  if (returnedId !== undefined) return String(returnedId);
  for (let lookup = 0; lookup < maxLookups; lookup++) {
    // The account exists, and its token must be recorded: a cancellation ends the wait and nothing else.
    if (lookup > 0) await api.pause(lookup * 500).catch(() => undefined);
    if (api.isStopped) break;
    const view = await viewAccount(api, authentication_token ?? "").catch(() => undefined);
    if (view) return view.id;
  }
  return unknownId;
}

/** A refused token does not mean that the account is gone: the token may have been renewed. */
async function viewIfAllowed(view: () => Promise<AccountView>, id: string, log: Log): Promise<AccountView | undefined> {
  try {
    return await view();
  } catch (error) {
    if (!isPlatformError(error, "unauthorized", "forbidden", "not-found")) throw error;
    log.warn(
      `cannot view account ${id} with its own token (${error.status}): the account may be closed, or its token renewed. Its state is kept unchanged.`,
    );
    return undefined;
  }
}

/** The fields of the API are the inputs in snake case, but for these. */
const otherNames = { cacheQuotaSizeInGB: "CacheQuotaSizeInGB" };
const otherNamesInV1 = { ...otherNames, storageAccessKey: "acc_key", storageSecretKey: "secret" };

function bodyOf(given: Inputs) {
  const names: Readonly<Record<string, string>> = given.apiVersion === "v2" ? otherNames : otherNamesInV1;
  // The default in hours would contradict a timeout that the user set in seconds.
  const defaults = given.idleClusterTimeoutInSecs === undefined ? { idleClusterTimeout: defaultIdleHours } : {};
  const values = { ...defaults, ...given };
  return Object.fromEntries(sentInputs.map((name) => [names[name] ?? snakeCase(name), values[name]]));
}
