import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { tokenAccountOf } from "../api/token-account";
import { untoldAccount } from "../core/account";
import type { Context, WhitelistStep } from "../core/define";
import { ProgressLog, steady } from "../core/progress";
import { afterRename, importAdvice } from "../core/urn";
import { AddressSet, count } from "../values/address-set";
import { enumerate } from "../values/enumerate";
import { normaliseIp } from "../values/ip-address";
import { maxLooks } from "./listing";
import { among, type Declared, ownOf, type Plan, type SetView, without } from "./sets";
import { whitelistOf } from "./whitelist";
import { addressKey, type WhitelistEntry, type WhitelistListing } from "./whitelist-listing";

type WhitelistSet = Awaited<ReturnType<typeof whitelistSet>>;

/** `id`: the account it must belong to. `keep`: what is never removed. `expected`: what a list may show late. */
export async function whitelistSet(
  { api, log }: Context,
  id: string | undefined,
  keep: readonly string[] = [],
  expected: readonly string[] = [],
) {
  const listing = ofAccount(await whitelistOf(api).listingOnceItHas(expected, api, { most: maxLooks }), id);
  const kept = new AddressSet(keep);
  const progress = new ProgressLog(log, steady);
  return {
    where: "on the whitelist",
    nouns: ["address", "addresses"],
    verbs: ["add", "remove"],
    shown: listing.addresses,
    isAmbiguous: false,
    identityOf: normaliseIp,
    keysOf: (address) => [addressKey(address)],
    stays: (address: string) => kept.has(address),
    add: (missing) =>
      whitelistOf(api).addMany(missing, api, (done) => progress.report(() => `added ${done} of ${count(missing)}`)),
    remove: (addresses) => whitelistOf(api).removeMany(listing, addresses, api),
    requireClear: (addresses: readonly string[]) => listing.requireClear(addresses),
  } satisfies SetView<string> & Pick<WhitelistListing, "requireClear">;
}

/** What a step of a plan does to the list, in a report. `change`: what it adds and removes. */
export function stepOn(
  set: WhitelistSet,
  { wanted, before, isWhole = false }: Declared<string>,
  { add, remove }: Plan<string>,
): WhitelistStep {
  const wasListed = among(set, before?.listed ?? []);
  const staying = without(set, set.shown, wanted, remove);
  // Of what it never declared, only where it removes the rest.
  const isMeant = (one: string) => wasListed(one) || (isWhole && remove.length > 0);
  return {
    add,
    remove,
    kept: staying.filter((one) => set.stays(one) && isMeant(one)),
    left: staying.filter((one) => !set.stays(one) && wasListed(one)),
  };
}

/** Says, at preview, that the first address of an empty list closes the account to all others. `keep`: a way back in. */
export async function foreseeFirstAddress(
  { api, log }: Context,
  addresses: readonly string[],
  keep: readonly string[] = [],
): Promise<void> {
  const listed = new AddressSet(addresses);
  if (keep.some((address) => listed.has(address))) return;
  if (!(await whitelistOf(api).isFirstSeenEmpty(api))) return;
  log.warn(
    `the whitelist is empty, and ${enumerate(addresses)} would be the first on it: once whitelisting is enabled for the account, users can log in only from listed addresses. Declare the address that you log in from too, or you may lock yourself out`,
  );
}

/** The whitelist of another account must not be mistaken for ours. */
function ofAccount(listing: WhitelistListing, id: string | undefined): WhitelistListing {
  const { accountId } = listing;
  if (id === undefined || id === untoldAccount || accountId === undefined || String(accountId) === id) return listing;
  throw new PlatformError(
    `this resource is the whitelist of account ${id}, but the configured token belongs to account ${accountId}; use a token of account ${id}`,
    { code: "wrong-account", outcome: "not-sent" },
  );
}

/** Of addresses that this resource has added, `keep` says that they stay, and `addresses` that they go. */
export function refuseToDropKept(set: WhitelistSet, { wanted, before }: Declared<string>): void {
  const own = before ? ownOf(set, before) : [];
  const both = without(set, own, wanted).filter(among(set, set.shown)).filter(set.stays);
  if (both.length === 0) return;
  throw new PlatformError(
    `refusing to remove ${enumerate(both)}: in keep but no longer in addresses; add it to addresses again, or remove it from keep`,
    { code: "conflict", outcome: "not-sent" },
  );
}

/** An empty list does not name its account; then ask for the token's account, if the token may view it. */
export async function accountOfWhitelist(api: Client): Promise<string> {
  const listing = await whitelistOf(api)
    .listing()
    .catch(() => undefined);
  const ofToken = () =>
    tokenAccountOf(api)
      .id()
      .catch(() => undefined);
  return String(listing?.accountId ?? (await ofToken()) ?? untoldAccount);
}

/** An entry that this stack has not made is taken over only if the program says so. */
export function refuseOthers(
  { run }: Context,
  { id }: WhitelistEntry,
  { ipCidr, adopt }: { readonly ipCidr: string; readonly adopt?: boolean | undefined },
): void {
  if (adopt || run.isOwned(addressKey(ipCidr))) return;
  throw new PlatformError(
    `${ipCidr} is already whitelisted (id ${id}). If this resource had the address before, and its delete has failed, run "pulumi up --refresh". ${afterRename} To take over the entry, set adopt: true (also for pulumi up --replace). If the state has no resource of this name yet, you can instead ${importAdvice("WhitelistedIp", id)}`,
    { code: "conflict", outcome: "not-sent" },
  );
}
