import { z } from "zod";
import { PlatformError } from "../api/errors";
import { defineResource } from "../core/define";
import { ipAddress, isEveryone, normaliseIp, sameIp } from "../values/ip-address";
import { type WhitelistEntry, whitelistOf } from "./whitelist";

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
  secrets: [],
  limits: { update: "The API cannot change an entry: a new address replaces it." },
  same: { ipCidr: sameIp },
  advise: ({ ipCidr }) =>
    ipCidr && isEveryone(ipCidr) ? [`${ipCidr} lets every address in, which makes the whitelist meaningless`] : [],

  async create({ api }, { ipCidr, adopt }) {
    const { entry, existed } = await whitelistOf(api).add(ipCidr, api);
    if (existed && !adopt) {
      throw new PlatformError(
        `${ipCidr} is whitelisted already (id ${entry.id}). To manage that entry here, set adopt: true, or import it: pulumi import dataplatform:index:WhitelistedIp <name> ${entry.id}`,
        { code: "conflict" },
      );
    }
    return { id: String(entry.id), ...shown(entry) };
  },

  async read({ api }, id) {
    const whitelist = whitelistOf(api);
    const entry = /^\d+$/.test(id)
      ? await whitelist.findById(Number(id))
      : (await whitelist.entries()).get(normaliseIp(id));
    return entry && { id: String(entry.id), ipCidr: entry.ip_cidr, ...shown(entry) };
  },

  async delete({ api }, id) {
    await whitelistOf(api).remove(Number(id));
  },
});

function shown(entry: WhitelistEntry) {
  return { accountId: entry.account_id, createdAt: entry.created_at, updatedAt: entry.updated_at };
}
