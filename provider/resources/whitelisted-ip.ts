import { z } from "zod";
import { leavesOutcomeOpen, PlatformError } from "../api/errors";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { addressKey, whitelistOf } from "../platform/whitelist";
import type { WhitelistEntry, WhitelistListing } from "../platform/whitelist-listing";
import { ipAddress, isEveryone, normaliseIp, sameIp } from "../values/ip-address";

export const whitelistedIp = defineResource({
  type: "WhitelistedIp",
  doc: `An address from which users of the account may log in.

The platform's support must enable whitelisting for the account first; from then on, users can log in only from whitelisted addresses. For many addresses at once, \`IpWhitelist\` is one resource instead of many.`,
  inputs: z.object({
    ipCidr: ipAddress.describe("Address to allow: IPv4 or IPv6, or a range in CIDR notation."),
    adopt: z
      .boolean()
      .optional()
      .describe(
        "Take over the entry if the address is listed already, instead of failing. Destroying the resource then removes it. Default: false.",
      ),
  }),
  outputs: z.object({
    accountId: z.int().describe("Account that owns the entry."),
    createdAt: z.string().describe("When the entry was made."),
    updatedAt: z.string().describe("When the entry was last changed."),
  }),
  importId: { format: "the record's id, or the address", example: "203.0.113.7" },
  replaceOn: ["ipCidr"], // the API has no update
  keys: { property: "ipCidr", of: ({ ipCidr }) => (ipCidr === undefined ? [] : [addressKey(ipCidr)]) },
  settledOutputs: ["accountId", "createdAt", "updatedAt"],
  secrets: [],
  limits: { update: "The API cannot change an entry: a new address replaces it." },
  same: { ipCidr: sameIp },
  advise: ({ ipCidr }) =>
    ipCidr && isEveryone(ipCidr) ? [`${ipCidr} lets every address in, which makes the whitelist meaningless`] : [],

  async create(context, { ipCidr, adopt }) {
    const { entry, existed } = await listed(context, ipCidr);
    if (existed && !adopt && !context.run.isOwned(addressKey(ipCidr))) throw listedAlready(ipCidr, entry);
    return { id: String(entry.id), ...outputsOf(entry) };
  },

  async read({ api }, id) {
    const listing = await whitelistOf(api).listing((list) => entryOf(list, id) !== undefined);
    const entry = entryOf(listing, id);
    if (entry) return { id: String(entry.id), ipCidr: entry.ipCidr, ...outputsOf(entry) };
    if (!listing.mayHold(id)) return undefined;
    throw new PlatformError(
      `could not list the whitelisted IPs: one record has no id or no address, so nobody can say whether ${id} is still listed`,
      { code: "bad-answer", outcome: "open" },
    );
  },

  /** Finishes a create that was left half-done. Otherwise only `adopt` can change, which calls nothing. */
  async update(context, id, _old, { ipCidr }) {
    return isAddress(id) ? outputsOf((await listed(context, ipCidr)).entry) : {};
  },

  async delete({ api }, id) {
    const whitelist = whitelistOf(api);
    if (!isAddress(id)) return whitelist.remove(id);
    const entry = (await whitelist.listing((list) => list.has(id))).find(id);
    if (entry) await whitelist.remove(entry.id);
  },
});

/**
 * The entry of an address. Where it was added, or may have been, and the list does not tell its id, the address stands
 * for the id: nothing that was made is lost.
 */
async function listed({ api }: Context, ipCidr: string): Promise<{ entry: WhitelistEntry; existed: boolean }> {
  const id = normaliseIp(ipCidr);
  const added = await whitelistOf(api)
    .add(ipCidr, api)
    .catch((error: unknown) => {
      if (!leavesOutcomeOpen(error)) throw error;
      const advice = `It may be on the list: run "pulumi up" again, which finds it or adds it`;
      throw new PartialSuccess(id, {}, error.with(`${error.message}. ${advice}`));
    });
  const { entry, existed, problem } = added;
  if (!entry) throw new PartialSuccess(id, {}, problem);
  return { entry, existed };
}

/** By the record's id; by the address on import, and while the id is not known. */
function entryOf(listing: WhitelistListing, id: string): WhitelistEntry | undefined {
  return listing.findById(id) ?? (isAddress(id) ? listing.find(id) : undefined);
}

function isAddress(id: string): boolean {
  return /[.:]/.test(id);
}

function listedAlready(ipCidr: string, { id }: WhitelistEntry): PlatformError {
  return new PlatformError(
    `${ipCidr} is whitelisted already (id ${id}). If this resource was renamed or moved, give it an alias of its old name (docs/moving.md). To take the entry over, also for pulumi up --replace, set adopt: true, or import it: pulumi import dataplatform:index:WhitelistedIp <name> ${id}`,
    { code: "conflict" },
  );
}

/** What the platform leaves out is left out here too. */
function outputsOf({ accountId, createdAt, updatedAt }: WhitelistEntry) {
  const shown = { accountId, createdAt, updatedAt };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as {
    accountId: number;
    createdAt: string;
    updatedAt: string;
  };
}
