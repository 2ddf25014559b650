import { z } from "zod";
import { defineResource, fromPlainId } from "../core/define";
import { createAccount, editable, editInPlace, editorOf, viewAccount, viewIfShown } from "../platform/accounts";
import { awsRegion } from "../values/aws-region";
import { shownIn } from "../values/fields";
import { amount, secret } from "../values/simple";

const defaultIdleHours = 2;
const text = z.string().optional();
const customerManaged = z.literal("CUSTOMER_MANAGED").default("CUSTOMER_MANAGED");

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
  defloc: text.describe(
    "Default object-storage location for logs, results and cached data. A separate bucket per account and a short prefix are recommended.",
  ),
  storageAccessKey: text.meta(secret).describe("Access key for the storage (`acc_key` in v1.2)."),
  storageSecretKey: text.meta(secret).describe("Secret key for the storage (`secret` in v1.2)."),
  computeAccessKey: text.meta(secret).describe("Access key for compute."),
  computeSecretKey: text.meta(secret).describe("Secret key for compute."),
  awsRegion: awsRegion.optional().describe("AWS region of the account."),
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

const outputs = z.object({
  authenticationToken: z.string().meta(secret).describe("API token of the new account, for managing resources in it."),
  groups: z.array(z.string()).describe("Groups of the new account that its creator belongs to."),
  state: text.describe("State that the platform reported on creation, such as `success_create`."),
  status: text.describe("Result of the creation, such as `success`."),
  isAwsKeysEnabled: z.boolean().optional().describe("Whether the account uses access keys."),
});

const keyPairs = [
  ["storageAccessKey", "storageSecretKey"],
  ["computeAccessKey", "computeSecretKey"],
] as const;

const sentInputs = inputs.omit({ apiVersion: true }).keyof().options;

const goneToken =
  "Its token is removed from the state, and the API does not show it again: save it before (pulumi stack export --show-secrets --file FILE), or look for it in an earlier version of the state. ";

export const account = defineResource({
  type: "Account",
  doc: `An account of the platform, with credentials for storage and compute.

The specified API can create an account and show it to the account's own token, but cannot change or remove one. Any change therefore creates a new account and leaves the old one on the platform, and a preview warns of that. A destroy leaves it as well, and says so at its end: [save its token before](../moving.md#the-token-of-an-account). With the extended API (\`dataplatform:extendedApi\`) the keys and \`defloc\` are changed in place. Accounts with role-based credentials can only be created in the platform's user interface. Refresh views the account with v1.2, which the platform plans to deprecate.`,
  inputs,
  outputs,
  importId: {
    format: "the account's id",
    example: "1001",
    note: "An imported account has no `authenticationToken`: the API returns it in the answer to the creation, and the view does not show it. If the configured token belongs to the account itself, the import reads the name, the session timeout and the two types; all other inputs in the program are assumed to be correct.",
    showsPart: true,
    tells: fromPlainId("an account id", "1001"),
  },
  replaceOn: sentInputs,
  settledOutputs: outputs.keyof().options,
  limits: {
    refresh:
      "`name`, `idleSessionTimeout` and the two types, read with the account's own token. The API shows nothing else that is useful: its manual does not say that `storage_location` is `defloc`. If the token is refused, the state is kept, with a warning. A name that differs only in case, blanks at the ends or HTML's entities is the platform's spelling of yours. If a value was changed on the platform, the next `pulumi up` creates a new account, unless the program adopts the change or ignores it (`ignoreChanges`).",
    thing: "an account",
    destroy:
      "Nothing is removed: the API cannot remove an account. A warning names what stays. Its token is removed from the state, and the API does not show it again: [save it before](../moving.md#the-token-of-an-account).",
    kept: (id, { name, authenticationToken }) =>
      `account ${id}${name ? ` (${name})` : ""} stays on the platform: the API cannot remove it. ${authenticationToken ? goneToken : ""}If it is no longer needed, ask the platform's support to close it.`,
  },
  same: { defloc: (a, b) => (a ?? "").replace(/\/+$/, "") === (b ?? "").replace(/\/+$/, "") },

  advise: (known, unknown) =>
    keyPairs
      .filter(([access, secret]) => !unknown(access) && !unknown(secret))
      .filter(([access, secret]) => (known[access] === undefined) !== (known[secret] === undefined))
      .map(([access, secret]) => `only one of ${access} and ${secret} is set; set both, or neither`),

  create(context, { apiVersion, ...given }) {
    // The default in hours would contradict a timeout that the user set in seconds.
    const defaults = given.idleClusterTimeoutInSecs === undefined ? { idleClusterTimeout: defaultIdleHours } : {};
    return createAccount(context, apiVersion, { ...defaults, ...given }, { sent: sentInputs, outputs: outputs.shape });
  },

  /** The API shows a token only its own account. */
  async *list({ api }) {
    const { id, name } = await viewAccount(api, undefined);
    yield { id, name: name ?? undefined };
  },

  async read(context, id, { authenticationToken }) {
    const view = await viewIfShown(context, id, authenticationToken);
    return view ? { id: view.id, ...shownIn(view, sentInputs) } : {};
  },

  async update({ log }, id, _old, _given, { redo }) {
    if (redo)
      log.warn(
        `the last change of account ${id} is not repeated, although its response was lost: that needs the extended API. Check the keys of the account in the platform's user interface`,
      );
    return {};
  },

  extended: {
    replaceOn: sentInputs.filter((name) => !(editable as readonly string[]).includes(name)),
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
