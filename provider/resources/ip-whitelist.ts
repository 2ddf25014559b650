import { z } from "zod";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { tokenAccountOf } from "../api/token-account";
import { type Context, defineResource, fromPlainId, PartialSuccess, type Run } from "../core/define";
import { ProgressLog, steady } from "../core/progress";
import { failureOf, notDeclaredElsewhere } from "../platform/sets";
import { type Additions, addressKey, whitelistOf } from "../platform/whitelist";
import type { WhitelistListing } from "../platform/whitelist-listing";
import { AddressSet, count } from "../values/address-set";
import { enumerate } from "../values/enumerate";
import { asNumber } from "../values/id";
import { adviceOnAddress, ipAddress } from "../values/ip-address";

const inputs = z.object({
  addresses: z
    .array(ipAddress)
    .min(1, {
      error:
        "is empty, and an empty whitelist lets nobody log in; declare at least one address, or remove the resource",
    })
    .describe("Addresses to allow: IPv4, IPv6, or ranges in CIDR notation. Order does not matter."),
  exclusive: z
    .boolean()
    .default(false)
    .describe(
      "Also remove every other entry, no matter who created it, unless it is in `keep` or another resource in the same program declares it. Default: false, other entries are left alone.",
    ),
  keep: z
    .array(ipAddress)
    .optional()
    .describe(
      "Addresses that this resource never removes, such as your own: neither with `exclusive` nor on destroy. Dropping one of them from `addresses` is an error.",
    ),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over addresses that are already listed, so that destroy removes them too. Use it to move addresses here from resources that the program no longer declares. Default: false, destroy leaves them.",
    ),
});
type Inputs = z.output<typeof inputs>;
interface Old {
  readonly addresses: readonly string[];
  readonly adopted?: readonly string[] | undefined;
}

export const ipWhitelist = defineResource({
  type: "IpWhitelist",
  doc: `The addresses from which users of the account may log in, managed as a single resource.

Missing addresses are added in parallel. Addresses that are already listed stay as they are, and destroy leaves them on the list; with \`adopt: true\` it removes them too. Nothing is removed until every declared address is on the list, so the list is never empty in between. The platform's support must first enable whitelisting for the account. To manage each address as a separate resource, use \`WhitelistedIp\`.

The platform plans to deprecate v1.2 of the whitelist operations. With the extended API (\`dataplatform:extendedApi\`) v2 is used where the installation has it.`,
  inputs,
  outputs: z.object({
    accountId: z.int().describe("Account that owns the list."),
    adopted: z
      .array(z.string())
      .describe("Those of `addresses` that were already listed: destroy leaves them on the list."),
  }),
  importId: {
    format: "the account's id",
    example: "1001",
    note: "An import takes over every entry on the list: destroying the resource removes them all.",
  },
  replaceOn: [],
  deleteBeforeReplace: true,
  keys: {
    property: "addresses",
    of: ({ addresses }) => (addresses ?? []).map(addressKey),
    ownedIn: (state) => ownAddresses(state).map(addressKey),
  },
  settledOutputs: ["accountId"],
  secrets: [],
  accountOf: (id) => (id === anonymous ? undefined : id),
  limits: {
    refresh:
      "Which of the addresses are on the list; with `exclusive`, also the entries that others created, which the next `pulumi up` removes. If none of the addresses is listed any more, the resource counts as gone.",
    destroy:
      "Removes the addresses that this resource added to the list. Adopted addresses stay, and so do those in `keep`, which a warning names.",
  },
  same: { addresses: sameAddresses, keep: sameAddresses },

  rules({ addresses, keep }, report) {
    for (const [property, list] of [["addresses", addresses] as const, ["keep", keep] as const]) {
      const duplicates = AddressSet.duplicates(list ?? []);
      if (duplicates.length > 0)
        report(property, `contains duplicates: ${enumerate(duplicates)}; list each address once`);
    }
  },

  advise: ({ addresses }) => (addresses ?? []).flatMap(adviceOnAddress),

  async foresee({ api, log, run }, { id, old, inputs: { addresses, keep, exclusive } }) {
    if (!addresses) return;
    const listing = ofAccount(await whitelistOf(api).listing(), id);
    const plan = planOf({ addresses, keep, exclusive: exclusive ?? false }, old, listing, run);
    const missing = new AddressSet(addresses).without(listing.addresses());
    if (missing.length > 0) log.info(`will add ${count(missing)}: ${enumerate(missing)}`);
    if (plan.conflicts.length > 0) log.warn(keepConflict(plan.conflicts));
    else if (plan.remove.length > 0) log.warn(`will remove ${count(plan.remove)}: ${enumerate(plan.remove)}`);
  },

  async create(context, given) {
    return apply(context, undefined, undefined, given);
  },

  async update(context, id, old, given) {
    const { id: _, ...outputs } = await apply(context, id, old, given);
    return outputs;
  },

  async read({ api }, id, { addresses, adopted, keep, exclusive }) {
    const listing = ofAccount(await whitelistOf(api).listing(), id);
    const listed = new AddressSet(listing.addresses());
    // An import takes everything on the list.
    const present = (addresses ?? asListed(listing, listed)).filter((address) => listed.has(address));
    if (present.length === 0) return undefined;
    const others = exclusive ? asListed(listing, listed.without(present, keep ?? [])) : [];
    return {
      addresses: [...present, ...others],
      adopted: [...(adopted ?? []).filter((address) => listed.has(address)), ...others],
      accountId: asNumber(id) as number,
    };
  },

  fromId: fromPlainId("an account id", "1001"),

  async delete({ api, log, run }, id, state) {
    const whitelist = whitelistOf(api);
    const listing = ofAccount(await whitelist.listing(), id);
    const own = ownAddresses(state).filter((address) => listing.has(address));
    const kept = new AddressSet(state.keep ?? []);
    const staying = own.filter((address) => kept.has(address));
    const removable = notDeclared(new AddressSet(own).without(staying), (key) => run.keeperOf(key), log);
    await whitelist.removeMany(listing.idsOf(removable));
    if (staying.length > 0) log.warn(`left on the whitelist of account ${id}, because of keep: ${enumerate(staying)}`);
    if (removable.length > 0 && removable.length === listing.size)
      log.warn(
        `the whitelist of account ${id} is now empty: if whitelisting is enabled, nobody can log in until an address is added`,
      );
  },
});

function ownAddresses({ addresses, adopted }: Old): string[] {
  return new AddressSet(addresses).without(adopted ?? []);
}

interface Plan {
  readonly remove: readonly string[];
  /** Addresses in `keep` that the program no longer declares. */
  readonly conflicts: readonly string[];
}

type Wanted = Pick<Inputs, "addresses" | "exclusive" | "keep">;

/** Removes what we added and the program no longer declares; with `exclusive`, everything that it does not declare. */
function planOf(
  { addresses, exclusive, keep }: Wanted,
  old: Old | undefined,
  listing: WhitelistListing,
  run: Run,
): Plan {
  const listed = new AddressSet(listing.addresses());
  const own = old ? ownAddresses(old) : [];
  const dropped = new AddressSet(own).without(addresses).filter((address) => listed.has(address));
  const kept = new AddressSet(keep ?? []);
  const unwanted = exclusive ? listed.without(addresses) : dropped;
  return {
    remove: notDeclared(unwanted, (key) => run.declarerOf(key)).filter((address) => !kept.has(address)),
    conflicts: dropped.filter((address) => kept.has(address)),
  };
}

/** Addresses that another resource in this run declares must stay. */
function notDeclared(addresses: readonly string[], keeperOf: Run["keeperOf"], log?: Context["log"]): string[] {
  return notDeclaredElsewhere(log, addresses, "on the whitelist", (address) => keeperOf(addressKey(address)));
}

/** Adds what is missing, then removes: only once every declared address is on the list. */
async function apply(context: Context, oldId: string | undefined, old: Old | undefined, given: Inputs) {
  const { api, log, run } = context;
  const whitelist = whitelistOf(api);
  const before = ofAccount(await whitelist.listing(), oldId);
  const { conflicts } = planOf(given, old, before, run);
  if (conflicts.length > 0) throw new PlatformError(keepConflict(conflicts), { code: "rejected", outcome: "not-sent" });

  const missing = new AddressSet(given.addresses).without(before.addresses());
  const progress = new ProgressLog(log, steady);
  const onDone = (done: number) => progress.report(() => `added ${done} of ${count(missing)}`);
  const additions = await whitelist.addMany(given.addresses, { api, onDone });
  const id = oldId ?? (await accountOf(api, additions.listing));
  const takenOver = await toTakeOver(given, old, before, run);
  const own = [...(old ? ownAddresses(old) : []), ...takenOver, ...additions.added];
  const error = failureOf(additions, { change: "add", total: given.addresses.length, things: "addresses" });
  const addedNothing = additions.added.length === 0 && additions.open.length === 0;
  if (error && addedNothing) throw error;
  const accountId = asNumber(id) as number;
  const partialState = { accountId, ...stateOf(additions, own, given, old) };
  if (error) throw new PartialSuccess(id, partialState, error);

  if (planOf(given, old, additions.listing, run).remove.length > 0) await run.othersAreDeclared();
  const { remove } = planOf(given, old, additions.listing, run);
  try {
    await whitelist.removeMany(additions.listing.idsOf(remove));
  } catch (failure) {
    throw new PartialSuccess(id, partialState, failure as Error);
  }
  const adopted = new AddressSet(given.addresses).without(own);
  const newlyAdopted = new AddressSet(adopted).without(old?.adopted ?? []);
  if (newlyAdopted.length > 0)
    log.warn(
      `found ${count(newlyAdopted)} already listed, by others or by an interrupted run, which destroy will leave: ${enumerate(newlyAdopted)}. To have destroy remove already listed addresses too, set adopt: true`,
    );
  return { id, accountId, adopted };
}

/** Already listed addresses that become ours: all of them with `adopt`, else those that this stack has added before. */
async function toTakeOver({ addresses, adopt }: Inputs, old: Old | undefined, before: WhitelistListing, run: Run) {
  const listed = new AddressSet(addresses).without(old?.addresses ?? []).filter((address) => before.has(address));
  if (adopt || listed.length === 0) return adopt ? addresses : [];
  await run.othersAreDeclared();
  return listed.filter((address) => run.isOwned(addressKey(address)));
}

/** Declared and previously declared addresses that are on the list, or may be. */
function stateOf({ listing, added, open }: Additions, own: readonly string[], given: Inputs, old: Old | undefined) {
  const listed = new AddressSet([...listing.addresses(), ...added, ...open]);
  const dropped = new AddressSet(old?.addresses ?? []).without(given.addresses);
  const addresses = [...given.addresses, ...dropped].filter((address) => listed.has(address));
  return { addresses, adopted: new AddressSet(addresses).without(own, open) };
}

/** The id if the account is unknown: the records do not name it, and the token may not view the account. */
const anonymous = "whitelist";

/** An empty list does not name its account; then ask for the token's account, if the token may view it. */
async function accountOf(api: Client, listing: WhitelistListing): Promise<string> {
  const account =
    listing.accountId ??
    (await tokenAccountOf(api)
      .id()
      .catch(() => undefined));
  return String(account ?? anonymous);
}

/** The whitelist of another account must not be mistaken for ours. */
function ofAccount(listing: WhitelistListing, id: string | undefined): WhitelistListing {
  const { accountId } = listing;
  if (id === undefined || id === anonymous || accountId === undefined || String(accountId) === id) return listing;
  throw new PlatformError(
    `this resource is the whitelist of account ${id}, but the configured token belongs to account ${accountId}; use a token of account ${id}`,
    { code: "wrong-account", outcome: "not-sent" },
  );
}

function keepConflict(addresses: readonly string[]): string {
  return `refusing to remove ${enumerate(addresses)}: in keep but no longer in addresses; add it to addresses again, or remove it from keep`;
}

/** Addresses as the platform spells them. */
function asListed(listing: WhitelistListing, addresses: Iterable<string>): string[] {
  return [...addresses].map((address) => listing.find(address)?.ipCidr ?? address);
}

function sameAddresses(a: readonly string[], b: readonly string[]): boolean {
  return new AddressSet(a).equals(b);
}
