import { z } from "zod";
import { leavesOutcomeOpen, PlatformError } from "../api/errors";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { addressKey, whitelistOf } from "../platform/whitelist";
import type { WhitelistEntry, WhitelistListing } from "../platform/whitelist-listing";
import { ipAddress, isEveryone, normaliseIp, sameIp } from "../values/ip-address";

export const whitelistedIp = defineResource({
  type: "WhitelistedIp",
  doc: `An address from which users of the account may log in.

The platform's support must first enable whitelisting for the account; from then on, users can log in only from whitelisted addresses. To manage many addresses in a single resource, use \`IpWhitelist\`.`,
  inputs: z.object({
    ipCidr: ipAddress.describe("Address to allow: IPv4, IPv6, or a range in CIDR notation."),
    adopt: z
      .boolean()
      .optional()
      .describe(
        "Take over the entry if the address is already listed, instead of failing. Destroying the resource then removes it. Default: false.",
      ),
  }),
  outputs: z.object({
    accountId: z.int().describe("Account that owns the entry."),
    createdAt: z.string().describe("Time when the entry was created."),
    updatedAt: z.string().describe("Time when the entry was last changed."),
  }),
  importId: { format: "the record's id, or the address", example: "203.0.113.7" },
  replaceOn: ["ipCidr"], // the API has no update
  keys: { property: "ipCidr", of: ({ ipCidr }) => (ipCidr === undefined ? [] : [addressKey(ipCidr)]) },
  settledOutputs: ["accountId", "createdAt", "updatedAt"],
  secrets: [],
  limits: { update: "The API cannot change an entry: a change of address replaces it." },
  same: { ipCidr: sameIp },
  advise: ({ ipCidr }) =>
    ipCidr && isEveryone(ipCidr) ? [`${ipCidr} allows every address, which makes the whitelist meaningless`] : [],

  async create(context, { ipCidr, adopt }) {
    const { entry, existed } = await ensureListed(context, ipCidr);
    if (existed && !adopt && !context.run.isOwned(addressKey(ipCidr))) throw alreadyListed(ipCidr, entry);
    return { id: String(entry.id), ...outputsOf(entry) };
  },

  async read({ api }, id) {
    const listing = await whitelistOf(api).listing((list) => entryOf(list, id) !== undefined);
    const entry = entryOf(listing, id);
    if (entry) return { id: String(entry.id), ipCidr: entry.ipCidr, ...outputsOf(entry) };
    if (!listing.mayContain(id)) return undefined;
    throw new PlatformError(
      `could not list the whitelisted IPs: a record has no id or no address, so it is unclear whether ${id} is still listed; run "pulumi refresh" again, and if this persists, ask the platform's support`,
      { code: "bad-answer", outcome: "open" },
    );
  },

  /** Finishes an incomplete create. Otherwise only `adopt` can have changed, which needs no call. */
  async update(context, id, _old, { ipCidr }) {
    return isAddress(id) ? outputsOf((await ensureListed(context, ipCidr)).entry) : {};
  },

  async delete({ api }, id) {
    const whitelist = whitelistOf(api);
    if (!isAddress(id)) return whitelist.remove(id);
    const entry = (await whitelist.listing((list) => list.has(id))).find(id);
    if (entry) await whitelist.remove(entry.id);
  },
});

/**
 * Adds the address unless it is listed, and returns its entry. If the address was added, or may have been, but its record
 * id is unknown, the state keeps the address as the id, so the entry is not lost.
 */
async function ensureListed({ api }: Context, ipCidr: string): Promise<{ entry: WhitelistEntry; existed: boolean }> {
  const id = normaliseIp(ipCidr);
  const added = await whitelistOf(api)
    .add(ipCidr, api)
    .catch((error: unknown) => {
      if (!leavesOutcomeOpen(error)) throw error;
      const advice = `It may be on the list: run "pulumi up" again to find or add it`;
      throw new PartialSuccess(id, {}, error.with(`${error.message}. ${advice}`));
    });
  const { entry, existed, problem } = added;
  if (!entry) throw new PartialSuccess(id, {}, problem);
  return { entry, existed };
}

/** Looks up by record id, or by address on import and while the record id is unknown. */
function entryOf(listing: WhitelistListing, id: string): WhitelistEntry | undefined {
  return listing.findById(id) ?? (isAddress(id) ? listing.find(id) : undefined);
}

function isAddress(id: string): boolean {
  return /[.:]/.test(id);
}

function alreadyListed(ipCidr: string, { id }: WhitelistEntry): PlatformError {
  return new PlatformError(
    `${ipCidr} is already whitelisted (id ${id}). If this resource was renamed or moved, give it an alias with its old name (docs/moving.md). To take over the entry, including with pulumi up --replace, set adopt: true, or import it: pulumi import dataplatform:index:WhitelistedIp <name> ${id}`,
    { code: "conflict" },
  );
}

/** Omits whatever the platform omits. */
function outputsOf({ accountId, createdAt, updatedAt }: WhitelistEntry) {
  const outputs = { accountId, createdAt, updatedAt };
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== undefined)) as {
    accountId: number;
    createdAt: string;
    updatedAt: string;
  };
}
