import { PlatformError } from "../api/errors";
import { tokenAccountOf } from "../api/token-account";
import { asNumber } from "../values/id";
import type { AnyResource, Context } from "./define";
import { containsUnknown } from "./engine-values";
import type { Properties } from "./properties";
import { bookkeepingOf } from "./state";

/** Which account a resource belongs to: recorded when it is created, and compared with the token's afterwards. */

export function showsAccount({ outputs }: AnyResource): boolean {
  return "accountId" in outputs.shape;
}

/** Adds the token's account to the outputs, unless they name it. */
export async function withAccount(definition: AnyResource, { api }: Context, outputs: Properties): Promise<Properties> {
  if (recordedAccount(outputs) !== undefined) return outputs;
  // The resource exists: an unknown account must not fail its creation.
  const account = await tokenAccountOf(api)
    .id()
    .catch(() => undefined);
  if (account === undefined) return outputs;
  return { ...outputs, ...(showsAccount(definition) ? { accountId: asNumber(account) } : { __account: account }) };
}

/** The account that a state belongs to, if it is known. */
export function accountOf(state: Properties): string | undefined {
  const account = recordedAccount(state);
  return account === undefined || containsUnknown(account) ? undefined : String(account);
}

/** A preview does not wait for an account that cannot be found out. */
type Ask = "id" | "idIfTold";

/** A token of another account must not report a resource as gone, nor remove what has the same id there. */
export async function requireAccount(
  definition: AnyResource,
  context: Context,
  state: Properties,
  ask: Ask | "idToRead" = "id",
): Promise<void> {
  const recorded = accountOf(state);
  if (recorded === undefined) return;
  const account = await tokenAccountOf(context.api)[ask === "idToRead" ? "id" : ask]();
  if (account === undefined && ask === "id" && recorded !== context.api.settings.accountId)
    warnOfUntold(context, recorded);
  if (account === undefined || account === recorded) return;
  const move = `. To have it in account ${account}, remove it first, with a token of account ${recorded}, or make Pulumi forget it and leave it there: pulumi state delete`;
  throw wrongAccount(`this ${definition.type} belongs`, recorded, account, move);
}

/**
 * For a refresh that finds nothing: whether that may be because the token belongs to another account than the one that was
 * told when the resource was created.
 */
export async function mayBeElsewhere({ api, log }: Context, id: string, state: Properties): Promise<boolean> {
  const recorded = accountOf(state);
  if (recorded === undefined || recorded === api.settings.accountId) return false;
  if ((await tokenAccountOf(api).id()) !== undefined) return false;
  log.warn(
    `${id} is not found, but its state is kept: it is in account ${recorded}, and the token may not view its account, so it may belong to another one. Use one that may, or say that it does with dataplatform:accountId`,
  );
  return true;
}

/** Once for a run. The setting `accountId` is believed. */
function warnOfUntold({ api, log }: Context, account: string): void {
  const way = `Use one that may${account === api.settings.accountId ? "" : ", or say that it does with dataplatform:accountId"}`;
  if (tokenAccountOf(api).takeUntold())
    log.warn(
      `whether the token belongs to account ${account} cannot be checked, because it may not view its account. ${way}; a token of another account finds nothing, which then counts as gone`,
    );
}

/**
 * Whether the settings name another account than that of a state, and have its token: then a replacement is meant. Of a
 * token that does not tell its account, the settings are believed.
 */
export async function isMeantElsewhere(api: Context["api"], state: Properties): Promise<boolean> {
  const [recorded, { accountId }] = [accountOf(state), api.settings];
  if (recorded === undefined || accountId === undefined || recorded === accountId) return false;
  return [undefined, accountId].includes(await tokenAccountOf(api).idIfTold());
}

/** A stack whose resources belong to one account must not get some in another, because of a wrong token. */
export async function requireOneOf(
  known: ReadonlySet<string> | undefined,
  context: Context,
  ask: Ask = "id",
): Promise<void> {
  const { api } = context;
  const { accountId } = api.settings;
  const accounts = accountId === undefined ? known : new Set([accountId]);
  if (!accounts || accounts.size === 0) return;
  // If the account cannot be viewed, whatever comes next reports that.
  const account = await tokenAccountOf(api)
    [ask]()
    .catch(() => undefined);
  if (account === undefined && accountId !== undefined && ask === "id") warnOfUntold(context, accountId);
  const whose = accountId === undefined ? "other resources of this stack belong" : "accountId says that this belongs";
  if (account !== undefined && !accounts.has(account)) throw wrongAccount(whose, [...accounts].join(" and "), account);
}

/** At a preview: the same, as far as the platform tells whose token it is. */
export async function foreseeAccount(
  definition: AnyResource,
  context: Context,
  state: Properties | undefined,
  accounts: ReadonlySet<string> | undefined,
): Promise<void> {
  if (state) await requireAccount(definition, context, state, "idIfTold");
  else await requireOneOf(accounts, context, "idIfTold");
  const refusal = tokenAccountOf(context.api).takeRefusal();
  if (refusal !== undefined) context.log.warn(`${refusal}. Any change would fail`);
}

function wrongAccount(whose: string, recorded: string, account: string, advice = ""): PlatformError {
  return new PlatformError(
    `${whose} to account ${recorded}, but the configured token belongs to account ${account}; use a token of account ${recorded} (dataplatform:apiToken, DATAPLATFORM_API_TOKEN, or apiToken of its provider)${advice}. Nothing was changed`,
    { code: "wrong-account", outcome: "not-sent" },
  );
}

/** What `IpWhitelist` records where neither the list nor the token tells the account. */
export const untoldAccount = "whitelist";

function recordedAccount(state: Properties): unknown {
  const account = state["accountId"] ?? bookkeepingOf(state).__account;
  return account === untoldAccount ? undefined : account;
}
