import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { tokenAccountOf } from "../api/token-account";
import { type Context, defineResource, PartialSuccess, type Run } from "../core/define";
import { fromPlainId } from "../core/import-id";
import { ProgressLog, steady } from "../core/progress";
import { type Additions, addressKey, whitelistOf } from "../platform/whitelist";
import type { WhitelistListing } from "../platform/whitelist-listing";
import { AddressSet, count, enumerate } from "../values/address-set";
import { asNumber } from "../values/id";
import { ipAddress, isEveryone } from "../values/ip-address";

const inputs = z.object({
  addresses: z
    .array(ipAddress)
    .min(1, {
      error:
        "is empty; declare at least one address: an empty whitelist lets nobody in. To declare none, remove the resource",
    })
    .describe("Addresses to allow: IPv4, IPv6, or ranges in CIDR notation, in any order."),
  exclusive: z
    .boolean()
    .default(false)
    .describe(
      "Also remove every entry that is neither in `addresses` nor in `keep`, whoever made it, unless another resource of the same program declares it. Default: false, entries of others are left alone.",
    ),
  keep: z
    .array(ipAddress)
    .optional()
    .describe(
      "Addresses that this resource never removes, such as the one you work from: not as `exclusive`, not at destroy, not when they are taken out of `addresses`, which is refused.",
    ),
  adopt: z
    .boolean()
    .optional()
    .describe(
      "Take over addresses that are listed already, so that destroy removes them too. Set it when addresses move here from resources that the program no longer declares. Default: false, they stay.",
    ),
});
type Inputs = z.output<typeof inputs>;
interface Old {
  readonly addresses: readonly string[];
  readonly adopted?: readonly string[] | undefined;
}

export const ipWhitelist = defineResource({
  type: "IpWhitelist",
  doc: `The addresses from which users of the account may log in, many as one resource.

What is missing is added in parallel. Addresses that are listed already are adopted: they stay when the resource is destroyed. Nothing is removed before everything declared is on the list, so the list is never empty on the way. The platform's support must enable whitelisting for the account first. For single addresses with a life of their own, see \`WhitelistedIp\`.`,
  inputs,
  outputs: z.object({
    accountId: z.int().describe("Account that owns the list."),
    adopted: z
      .array(z.string())
      .describe("Addresses among `addresses` that were listed already: destroy leaves them on the list."),
  }),
  importId: {
    format: "the account's id",
    example: "1001",
    note: "An import takes over every entry that is on the list: destroying the resource would remove them all.",
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
      "Which of the addresses are on the list; with `exclusive`, also the entries that others made, which the next `pulumi up` removes. When none of the addresses is listed any more, the resource is gone.",
    destroy:
      "Removes the addresses that this resource put on the list. Adopted ones stay, and so do those in `keep`, which a warning names.",
  },
  same: { addresses: sameAddresses, keep: sameAddresses },

  rules({ addresses, keep }, report) {
    for (const [property, list] of [["addresses", addresses] as const, ["keep", keep] as const]) {
      const twice = AddressSet.duplicates(list ?? []);
      if (twice.length > 0) report(property, `names an address twice: ${enumerate(twice)}; name each once`);
    }
  },

  advise: ({ addresses }) =>
    (addresses ?? [])
      .filter(isEveryone)
      .map((range) => `${range} lets every address in, which makes the whitelist meaningless`),

  async foresee({ api, log, run }, { id, old, inputs: { addresses, keep, exclusive } }) {
    if (!addresses) return;
    const listing = ofAccount(await whitelistOf(api).listing(), id);
    const plan = planOf({ addresses, keep, exclusive: exclusive ?? false }, old, listing, run);
    const missing = new AddressSet(addresses).without(listing.addresses());
    if (missing.length > 0) log.info(`will add ${count(missing)}: ${enumerate(missing)}`);
    if (plan.refused.length > 0) log.warn(refusal(plan.refused));
    else if (plan.remove.length > 0) log.warn(`will remove ${count(plan.remove)}: ${enumerate(plan.remove)}`);
  },

  async create(context, given) {
    return settle(context, undefined, undefined, given);
  },

  async update(context, id, old, given) {
    const { id: _, ...outputs } = await settle(context, id, old, given);
    return outputs;
  },

  async read({ api }, id, { addresses, adopted, keep, exclusive }) {
    const listing = ofAccount(await whitelistOf(api).listing(holding(addresses)), id);
    const listed = new AddressSet(listing.addresses());
    // On import, everything that is there.
    const present = (addresses ?? written(listing, listed)).filter((one) => listed.has(one));
    if (present.length === 0) return undefined;
    const others = exclusive ? written(listing, listed.without(present, keep ?? [])) : [];
    return {
      addresses: [...present, ...others],
      adopted: [...(adopted ?? []).filter((address) => listed.has(address)), ...others],
      accountId: asNumber(id) as number,
    };
  },

  fromId: fromPlainId("an account id", "1001"),

  async delete({ api, log, run }, id, state) {
    const whitelist = whitelistOf(api);
    const listing = ofAccount(await whitelist.listing(holding(state.addresses)), id);
    const own = ownAddresses(state).filter((address) => listing.has(address));
    const kept = new AddressSet(state.keep ?? []);
    const staying = own.filter((address) => kept.has(address));
    const { going } = shareOut(new AddressSet(own).without(staying), (key) => run.keeperOf(key), log);
    await whitelist.removeMany(listing.idsOf(going));
    if (staying.length > 0)
      log.warn(`stays on the list of account ${id}, because it is in keep: ${enumerate(staying)}`);
    if (going.length > 0 && going.length === listing.size)
      log.warn(
        `the whitelist of account ${id} is empty now: where whitelisting is enabled, nobody can log in until an address is added`,
      );
  },
});

/** On import nothing is looked for but all there is. */
function holding(addresses: readonly string[] | undefined): (listing: WhitelistListing) => boolean {
  return (listing) => addresses?.every((address) => listing.has(address)) ?? false;
}

function ownAddresses({ addresses, adopted }: Old): string[] {
  return new AddressSet(addresses).without(adopted ?? []);
}

interface Plan {
  /** Addresses that are to go. */
  readonly remove: readonly string[];
  /** Addresses that the program drops although it wants to keep them. */
  readonly refused: readonly string[];
}

type Wanted = Pick<Inputs, "addresses" | "exclusive" | "keep">;

/** What is to go: what we added and the program no longer declares; with `exclusive`, whatever it does not declare. */
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
  const { going } = shareOut(exclusive ? listed.without(addresses) : dropped, (key) => run.declarerOf(key));
  return {
    remove: going.filter((address) => !kept.has(address)),
    refused: dropped.filter((address) => kept.has(address)),
  };
}

/** What another resource of this run declares is left to it. */
function shareOut(addresses: readonly string[], keeperOf: Run["keeperOf"], log?: Context["log"]) {
  const left = addresses.flatMap((address) => {
    const keeper = keeperOf(addressKey(address));
    return keeper === undefined ? [] : [{ address, keeper }];
  });
  if (left.length > 0)
    log?.info(
      `left on the list, because this run declares it elsewhere: ${left.map(({ address, keeper }) => `${address} (${keeper})`).join(", ")}`,
    );
  return { going: new AddressSet(addresses).without(left.map(({ address }) => address)) };
}

/** Adds what is missing, and removes only when everything that is declared is on the list. */
async function settle(context: Context, oldId: string | undefined, old: Old | undefined, given: Inputs) {
  const { api, log, run } = context;
  const whitelist = whitelistOf(api);
  const before = ofAccount(await whitelist.listing(holding([...given.addresses, ...(old?.addresses ?? [])])), oldId);
  const { refused } = planOf(given, old, before, run);
  if (refused.length > 0) throw new PlatformError(refusal(refused), { code: "rejected", outcome: "not-sent" });

  const missing = new AddressSet(given.addresses).without(before.addresses());
  const progress = new ProgressLog(log, steady);
  const onDone = (done: number) => progress.report(() => `added ${done} of ${count(missing)}`);
  const additions = await whitelist.addMany(given.addresses, { api, onDone });
  const id = oldId ?? (await accountOf(api, additions.listing));
  const taken = await takenOver(given, old, before, run);
  const own = [...(old ? ownAddresses(old) : []), ...taken, ...additions.added];
  const error = failureOf(additions, given.addresses.length);
  const madeNothing = additions.added.length === 0 && additions.open.length === 0;
  if (error && madeNothing) throw error;
  const accountId = asNumber(id) as number;
  const part = { accountId, ...present(additions, own, given, old) };
  if (error) throw new PartialSuccess(id, part, error);

  if (planOf(given, old, additions.listing, run).remove.length > 0) await run.othersAreDeclared();
  const { remove } = planOf(given, old, additions.listing, run);
  try {
    await whitelist.removeMany(additions.listing.idsOf(remove));
  } catch (failed) {
    throw new PartialSuccess(id, part, failed as Error);
  }
  const adopted = new AddressSet(given.addresses).without(own);
  const newly = new AddressSet(adopted).without(old?.adopted ?? []);
  if (newly.length > 0)
    log.warn(
      `${count(newly)} listed already, so destroy will leave ${newly.length === 1 ? "it" : "them"}: ${enumerate(newly)}. Also what an interrupted run has added counts as listed already. To take over what is listed, set adopt: true`,
    );
  return { id, accountId, adopted };
}

/** What is listed already and becomes ours: all of it if the program says so, else what this stack has added before. */
async function takenOver({ addresses, adopt }: Inputs, old: Old | undefined, before: WhitelistListing, run: Run) {
  const listed = new AddressSet(addresses).without(old?.addresses ?? []).filter((address) => before.has(address));
  if (adopt || listed.length === 0) return adopt ? addresses : [];
  await run.othersAreDeclared();
  return listed.filter((address) => run.isOwned(addressKey(address)));
}

/** The state after part of the work: what is on the list, or may be, of what was or is declared. */
function present({ listing, added, open }: Additions, own: readonly string[], given: Inputs, old: Old | undefined) {
  const listed = new AddressSet([...listing.addresses(), ...added, ...open]);
  const dropped = new AddressSet(old?.addresses ?? []).without(given.addresses);
  const addresses = [...given.addresses, ...dropped].filter((address) => listed.has(address));
  return { addresses, adopted: new AddressSet(addresses).without(own, open) };
}

/** The id where nothing tells whose list it is: its records name no account, and the token may not view the account. */
const anonymous = "whitelist";

/** The list tells whose it is, unless it is empty; then the account does, if the token may view it. */
async function accountOf(api: Client, listing: WhitelistListing): Promise<string> {
  const account =
    listing.accountId ??
    (await tokenAccountOf(api)
      .id()
      .catch(() => undefined));
  return String(account ?? anonymous);
}

/** A token of another account must not make its list look like ours. */
function ofAccount(listing: WhitelistListing, id: string | undefined): WhitelistListing {
  const { accountId } = listing;
  if (id === undefined || id === anonymous || accountId === undefined || String(accountId) === id) return listing;
  throw new PlatformError(
    `this is the whitelist of account ${id}, and the configured token belongs to account ${accountId}; use a token of account ${id}`,
    { code: "wrong-account", outcome: "not-sent" },
  );
}

function failureOf({ failures, untried }: Additions, total: number): Error | undefined {
  const [first] = failures;
  if (!first && untried === 0) return undefined;
  const shown = failures.slice(0, 3).map(({ address, error }) => `${address}: ${error.message}`);
  const more = failures.length > 3 ? [`and ${failures.length - 3} more`] : [];
  const rest = untried > 0 ? [`${untried} were not tried${first ? "" : ", because the operation was cancelled"}`] : [];
  const known = isPlatformError(first?.error) ? first.error : undefined;
  return new PlatformError(
    `${failures.length + untried} of ${total} addresses could not be added: ${[...shown, ...more, ...rest].join("; ")}. What was added stays; the next "pulumi up" goes on from there`,
    { code: known?.code ?? "rejected", platformMessage: known?.platformMessage },
  );
}

function refusal(addresses: readonly string[]): string {
  return `refuses to remove ${enumerate(addresses)}: in keep, and no longer in addresses. Put it back into addresses, or take it out of keep`;
}

/** Addresses as the platform spells them. */
function written(listing: WhitelistListing, addresses: Iterable<string>): string[] {
  return [...addresses].map((address) => listing.find(address)?.ipCidr ?? address);
}

function sameAddresses(a: readonly string[], b: readonly string[]): boolean {
  return new AddressSet(a).equals(b);
}
