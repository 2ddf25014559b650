import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { Progress } from "../core/progress";
import { AddressSet } from "../values/address-set";
import { ipAddress, isEveryone } from "../values/ip-address";
import { viewAccount } from "./account-view";
import { type Additions, type Entries, whitelistOf } from "./whitelist";

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
      "Also remove every entry that is neither in `addresses` nor in `keep`, whoever made it. Default: false, entries of others are left alone.",
    ),
  keep: z
    .array(ipAddress)
    .optional()
    .describe(
      "Addresses that this resource never removes, such as the one you work from: not as `exclusive`, not at destroy, not when they are taken out of `addresses`, which is refused.",
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
  settledOutputs: ["accountId"],
  secrets: [],
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

  async foresee({ api, log }, { id, old, inputs: { addresses, keep, exclusive } }) {
    if (!addresses) return;
    const entries = ofAccount(await whitelistOf(api).entries(), id);
    const plan = planOf({ addresses, keep, exclusive: exclusive ?? false }, old, entries);
    const missing = new AddressSet(addresses).without(entries.keys());
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
    const entries = ofAccount(await whitelistOf(api).entries(), id);
    const listed = new AddressSet(entries.keys());
    // On import, everything that is there.
    const present = (addresses ?? [...entries.values()].map(({ ip_cidr }) => ip_cidr)).filter((one) => listed.has(one));
    if (present.length === 0) return undefined;
    const others = exclusive ? written(entries, listed.without(present, keep ?? [])) : [];
    return {
      addresses: [...present, ...others],
      adopted: [...(adopted ?? []).filter((address) => listed.has(address)), ...others],
      accountId: Number(id),
    };
  },

  fromId(id) {
    if (!/^\d+$/.test(id))
      throw new PlatformError(`${JSON.stringify(id)} is no id of an account; allowed is a number such as 1001`, {
        code: "rejected",
      });
    return {};
  },

  async delete({ api, log }, id, { addresses, adopted, keep }) {
    const whitelist = whitelistOf(api);
    const entries = ofAccount(await whitelist.entries(), id);
    const listed = new AddressSet(entries.keys());
    const own = new AddressSet(addresses).without(adopted ?? []).filter((address) => listed.has(address));
    const staying = own.filter((address) => new AddressSet(keep ?? []).has(address));
    const going = new AddressSet(own).without(staying);
    await whitelist.removeMany(idsOf(entries, going));
    if (staying.length > 0)
      log.warn(`stays on the list of account ${id}, because it is in keep: ${enumerate(staying)}`);
    if (going.length > 0 && going.length === entries.size)
      log.warn(
        `the whitelist of account ${id} is empty now: where whitelisting is enabled, nobody can log in until an address is added`,
      );
  },
});

interface Plan {
  /** Normalised addresses of entries that are to go. */
  readonly remove: readonly string[];
  /** Addresses that the program drops although it wants to keep them. */
  readonly refused: readonly string[];
}

/** What is to go: what we added and the program no longer declares; with `exclusive`, whatever it does not declare. */
function planOf({ addresses, exclusive, keep }: Inputs, old: Old | undefined, entries: Entries): Plan {
  const listed = new AddressSet(entries.keys());
  const own = new AddressSet(old?.addresses ?? []).without(old?.adopted ?? []);
  const dropped = new AddressSet(own).without(addresses).filter((address) => listed.has(address));
  const kept = new AddressSet(keep ?? []);
  return {
    remove: (exclusive ? listed.without(addresses) : dropped).filter((address) => !kept.has(address)),
    refused: dropped.filter((address) => kept.has(address)),
  };
}

/** Adds what is missing, and removes only when everything that is declared is on the list. */
async function settle(context: Context, oldId: string | undefined, old: Old | undefined, given: Inputs) {
  const whitelist = whitelistOf(context.api);
  const before = ofAccount(await whitelist.entries(), oldId);
  const { refused } = planOf(given, old, before);
  if (refused.length > 0) throw new PlatformError(refusal(refused), { code: "rejected" });
  const accountId = oldId ?? (await accountOf(context.api, before));

  const missing = new AddressSet(given.addresses).without(before.keys());
  const progress = new Progress(context.log, (done) => `added ${done} of ${count(missing)}`);
  const { api, signal } = context;
  const additions = await whitelist.addMany(given.addresses, { api, signal, onDone: () => progress.step() });
  const known = accountId ?? [...additions.entries.values()][0]?.account_id;
  const own = [...new AddressSet(old?.addresses ?? []).without(old?.adopted ?? []), ...additions.added];
  const error = failureOf(additions, given.addresses.length);
  if (error && (additions.added.length === 0 || known === undefined)) throw error;
  const id = String(known);
  const part = { accountId: Number(known), ...present(additions, own, given, old) };
  if (error) throw new PartialSuccess(id, part, error);

  const { remove } = planOf(given, old, additions.entries);
  try {
    await whitelist.removeMany(idsOf(additions.entries, remove));
  } catch (failed) {
    throw new PartialSuccess(id, part, failed as Error);
  }
  const adopted = new AddressSet(given.addresses).without(own);
  const newly = new AddressSet(adopted).without(old?.adopted ?? []);
  if (newly.length > 0)
    context.log.warn(
      `${count(newly)} listed already, so destroy will leave ${newly.length === 1 ? "it" : "them"}: ${enumerate(newly)}. Also what an interrupted run has added counts as listed already`,
    );
  return { id, accountId: Number(known), adopted };
}

/** The state after part of the work: what is on the list of what was or is declared. The next `up` sees the rest. */
function present({ entries, added }: Additions, own: readonly string[], given: Inputs, old: Old | undefined) {
  const listed = new AddressSet([...entries.keys(), ...added]);
  const dropped = new AddressSet(old?.addresses ?? []).without(given.addresses);
  const addresses = [...given.addresses, ...dropped].filter((address) => listed.has(address));
  return { addresses, adopted: new AddressSet(addresses).without(own) };
}

/** The list tells whose it is, unless it is empty; then the account does, if the token may view it. */
async function accountOf(api: Client, entries: Entries): Promise<string | undefined> {
  for (const { account_id } of entries.values()) return String(account_id);
  try {
    return (await viewAccount(api, undefined)).id;
  } catch (error) {
    if (isPlatformError(error, "forbidden")) return undefined;
    throw error;
  }
}

/** A token of another account must not make its list look like ours. */
function ofAccount(entries: Entries, id: string | undefined): Entries {
  for (const { account_id } of entries.values())
    if (id !== undefined && String(account_id) !== id)
      throw new PlatformError(
        `this is the whitelist of account ${id}, and the configured token belongs to account ${account_id}; use a token of account ${id}`,
        { code: "rejected" },
      );
  return entries;
}

function failureOf({ failures, untried }: Additions, total: number): Error | undefined {
  const [first] = failures;
  if (!first && untried === 0) return undefined;
  const shown = failures.slice(0, 3).map(({ address, error }) => `${address}: ${error.message}`);
  const more = failures.length > 3 ? [`and ${failures.length - 3} more`] : [];
  const rest = untried > 0 ? [`${untried} were not tried${first ? "" : ", because the operation was cancelled"}`] : [];
  return new PlatformError(
    `${failures.length + untried} of ${total} addresses could not be added: ${[...shown, ...more, ...rest].join("; ")}. What was added stays; the next "pulumi up" goes on from there`,
    { code: isPlatformError(first?.error) ? first.error.code : "rejected" },
  );
}

function refusal(addresses: readonly string[]): string {
  return `refuses to remove ${enumerate(addresses)}: in keep, and no longer in addresses. Put it back into addresses, or take it out of keep`;
}

function idsOf(entries: Entries, addresses: readonly string[]): number[] {
  const wanted = new AddressSet(addresses);
  return [...entries].filter(([address]) => wanted.has(address)).map(([, { id }]) => id);
}

/** Addresses as the platform spells them. */
function written(entries: Entries, addresses: readonly string[]): string[] {
  return addresses.map((address) => entries.get(address)?.ip_cidr ?? address);
}

function sameAddresses(a: readonly string[], b: readonly string[]): boolean {
  return new AddressSet(a).equals(b);
}

function count({ length }: readonly string[]): string {
  return length === 1 ? "1 address" : `${length} addresses`;
}

const longestEnumeration = 50;

function enumerate(addresses: readonly string[]): string {
  const more = addresses.length - longestEnumeration;
  return addresses.slice(0, longestEnumeration).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
