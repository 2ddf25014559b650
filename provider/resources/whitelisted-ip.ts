import { z } from "zod";
import { type Context, defineResource } from "../core/define";
import { foreseeConflict, unlessGivenUp } from "../core/keys";
import { whitelistOf } from "../platform/whitelist";
import { type Addition, addressKey, isAddress, type WhitelistEntry } from "../platform/whitelist-listing";
import { foreseeFirstAddress, refuseOthers } from "../platform/whitelist-set";
import { outputId } from "../values/id";
import { adviceOnAddress, ipAddress, sameIp } from "../values/ip-address";
import { flag } from "../values/simple";

const longestDescription = 255;

export const whitelistedIp = defineResource({
  type: "WhitelistedIp",
  doc: `An address from which users of the account may log in.

The platform's support must first enable whitelisting for the account; from then on, users can log in only from whitelisted addresses. A preview that would add the first address to an empty list warns, once for all addresses. To manage many addresses in a single resource, use \`IpWhitelist\`.

The platform plans to deprecate v1.2 of the whitelist operations. With the extended API (\`dataplatform:extendedApi\`) v2 is used where the installation has it; ids and entries are the same. It also has descriptions, which the API cannot change: a changed description replaces the entry, and the address is off the list between the two requests.`,
  inputs: z.object({
    ipCidr: ipAddress.describe("Address to allow: IPv4, IPv6, or a range in CIDR notation."),
    adopt: flag.describe(
      "Take over the entry if the address is already listed, instead of failing. Destroying the resource then removes it. Default: false.",
    ),
    description: z
      .string()
      .min(1, "is empty; omit it instead")
      .max(longestDescription, {
        error: ({ input }) => `has ${String(input).length} characters; use at most ${longestDescription}`,
      })
      .optional()
      .describe(
        `Description of the entry, at most ${longestDescription} characters. It needs the extended API. Not every installation shows it: then a change behind Pulumi's back is not noticed.`,
      ),
  }),
  outputs: z.object({
    accountId: z.int().describe("Account that owns the entry."),
    createdAt: z.string().describe("Time when the entry was created."),
    updatedAt: z.string().describe("Time when the entry was last changed."),
  }),
  importId: { format: "the record's id, or the address", example: "203.0.113.7" },
  replaceOn: ["ipCidr"], // the API has no update
  keys: {
    property: "ipCidr",
    of: ({ ipCidr }) => (ipCidr === undefined ? [] : [addressKey(ipCidr)]),
    knowledgeIn: ({ description }) => description,
  },
  settledOutputs: ["accountId", "createdAt", "updatedAt"],
  limits: { update: "The API cannot change an entry: a change of address replaces it." },
  same: { ipCidr: sameIp },
  advise: ({ ipCidr }) => (ipCidr === undefined ? [] : adviceOnAddress(ipCidr)),

  async foresee(context, { old, inputs: { ipCidr, adopt }, changed, replaces }) {
    const hasNewAddress = !old || changed.includes("ipCidr");
    if (ipCidr !== undefined && hasNewAddress) {
      await foreseeFirstAddress(context, [ipCidr]);
      const entry = (await whitelistOf(context.api).seen(context.api))?.find(ipCidr);
      if (entry) await foreseeConflict(context, async () => refuseOthers(context, entry, { ipCidr, adopt }));
    }
    if (old && replaces && !hasNewAddress)
      context.log.warn(
        `the API cannot change a description: ${old.ipCidr} is removed from the whitelist and added again, and nobody can log in from it in between`,
      );
  },

  async whitelisting(context, { old, inputs: { ipCidr, adopt } = {} }) {
    const list = await whitelistOf(context.api).listing();
    const isNew = ipCidr !== undefined && !(old && sameIp(old.ipCidr, ipCidr));
    const there = isNew ? list.find(ipCidr) : undefined;
    if (isNew && there) refuseOthers(context, there, { ipCidr, adopt });
    const gone = old && (isNew || ipCidr === undefined) && list.find(old.ipCidr) ? [old.ipCidr] : [];
    const isKept = gone.some((one) => context.run.keeperOf(addressKey(one)) !== undefined);
    const [remove, left] = isKept ? [[], gone] : [gone, []];
    return { add: isNew && !there ? [ipCidr] : [], remove, kept: [], left };
  },

  async create(context, given) {
    const key = addressKey(given.ipCidr);
    const entry = await whitelistOf(context.api).add(given, context.api, async (existing) => {
      await unlessGivenUp(context, key, async () => refuseOthers(context, existing, given));
      // An entry of this stack has what the stack gave it; an adopted one is left alone unless both have a description.
      if (context.run.isOwned(key)) return isOutdated(context, existing, given, context.run.knowledgeOf(key));
      return given.description !== undefined && isOutdated(context, existing, given, given.description);
    });
    return { id: String(entry.id), ...outputsOf(entry) };
  },

  async *list({ api, log }) {
    for (const { id, ipCidr } of (await whitelistOf(api).listing()).told(log)) yield { id: String(id), name: ipCidr };
  },

  async read({ api }, id, { ipCidr }) {
    const entry = (await whitelistOf(api).listing()).look(id, ipCidr);
    const { description } = (api.settings.extendedApi && entry) || {};
    return entry && { ...outputsOf(entry), id: String(entry.id), ipCidr: entry.ipCidr, description };
  },

  /** Finishes an incomplete create. Otherwise only `adopt` can have changed, which needs no call. */
  async update(context, id, _old, given, { redo }) {
    if (!isAddress(id)) return {};
    const { api } = context;
    // What a lost request has changed is unknown.
    const assumed = redo ? undefined : given.description;
    const mustChange = async (existing: WhitelistEntry) => isOutdated(context, existing, given, assumed);
    return outputsOf(await whitelistOf(api).add(given, api, mustChange));
  },

  async delete({ api }, id, { ipCidr }) {
    const whitelist = whitelistOf(api);
    if (isAddress(id)) (await whitelist.listing()).look(id);
    await whitelist.remove(id, ipCidr);
  },

  extended: {
    replaceOn: ["ipCidr", "description"],
    importId: {
      showsPart: true,
      note: "A description that the installation does not show is assumed to be as in the program.",
    },
    limits: {
      refresh:
        "The entry, and its description on installations that show it. A change made behind Pulumi's back, or an entry that is gone, shows in the next `pulumi refresh`.",
      update:
        "The API cannot change an entry: a change of address or description replaces it. For a new description, the address is removed and added again, so it is off the list between the two requests.",
    },
    onlyWith: ({ description }) => (description === undefined ? [] : ["description"]),
  },
});

/** Whether an entry must be replaced to have the wanted description. `assumed`: what it has where the list does not show it. */
function isOutdated({ api }: Context, entry: WhitelistEntry, { description }: Addition, assumed: unknown): boolean {
  return api.settings.extendedApi && (entry.description ?? assumed) !== description;
}

function outputsOf({ accountId, createdAt, updatedAt }: WhitelistEntry) {
  return { accountId: outputId(accountId), createdAt, updatedAt };
}
