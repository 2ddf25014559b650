import { z } from "zod";
import { untoldAccount } from "../core/account";
import { type Context, defineResource, fromPlainId } from "../core/define";
import { managing } from "../platform/managed-set";
import { among, leavingOf, ownOf, removeFromSet, seenIn } from "../platform/sets";
import { addressKey } from "../platform/whitelist-listing";
import {
  accountOfWhitelist,
  foreseeFirstAddress,
  refuseToDropKept,
  stepOn,
  whitelistSet,
} from "../platform/whitelist-set";
import { AddressSet, sameAddresses } from "../values/address-set";
import { enumerate } from "../values/enumerate";
import { outputId } from "../values/id";
import { adviceOnAddress, ipAddress } from "../values/ip-address";
import { flag } from "../values/simple";

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
  adopt: flag.describe(
    "Take over addresses that are already listed, so that destroy removes them too. Use it to move addresses here from resources that the program no longer declares. Default: false, destroy leaves them.",
  ),
});
type Inputs = z.output<typeof inputs>;
type State = Pick<Inputs, "addresses"> & { readonly adopted?: readonly string[] | undefined };

const managed = managing({
  idOf: ({ api }) => accountOfWhitelist(api),
  look: (context, { keep }, _, id) => whitelistSet(context, id, keep),
  declaredBy: ({ addresses, exclusive, adopt }: Inputs) => ({ wanted: addresses, isWhole: exclusive, adopt }),
  recordedIn: ({ addresses, adopted = [] }: State) => ({ listed: addresses, ofOthers: adopted }),
  listedAs: (addresses) => ({ addresses }),
  outputsOf: ({ ofOthers = [] }, id) => ({ ...accountNamedBy(id), adopted: [...ofOthers] }),
  refuse(_, set, declared) {
    set.requireClear(declared.before?.listed ?? []);
    refuseToDropKept(set, declared);
  },
});

export const ipWhitelist = defineResource({
  type: "IpWhitelist",
  doc: `The addresses from which users of the account may log in, managed as a single resource.

Missing addresses are added in parallel. Addresses that are already listed stay as they are, and destroy leaves them on the list; with \`adopt: true\` it removes them too. Nothing is removed until every declared address is on the list, so the list is never empty in between. The platform's support must first enable whitelisting for the account. A preview that would add the first addresses to an empty list warns, unless \`keep\` has one of them: from then on, users can log in only from them. To manage each address as a separate resource, use \`WhitelistedIp\`.

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
    tells: fromPlainId("an account id", "1001", (id) => ({ accountId: outputId(id) })),
  },
  replaceOn: [],
  keys: {
    deleteFirst: true,
    property: "addresses",
    of: ({ addresses }) => (addresses ?? []).map(addressKey),
    ownedIn: ({ addresses = [], adopted = [] }) => new AddressSet(addresses).without(adopted).map(addressKey),
  },
  settledOutputs: ["accountId"],
  limits: {
    refresh:
      "Which of the addresses are on the list; with `exclusive`, also the entries that others created, which the next `pulumi up` removes. If none of the addresses is listed any more, the resource counts as gone.",
    destroy:
      "Removes the addresses that this resource added to the list. Adopted addresses stay, and so do those in `keep`; warnings name both.",
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

  async foresee(context, { id, old, inputs: { addresses, keep, adopt, exclusive = false } }) {
    if (!addresses) return;
    await managed.foresee(context, { addresses, keep, adopt, exclusive }, old, id);
    await foreseeFirstAddress(context, addresses, keep);
  },

  async whitelisting(context, { id, old, inputs }) {
    if (!inputs) {
      const { set, recorded, removable } = await deletable(context, id, old!);
      return stepOn(set, { wanted: [], before: recorded }, { add: [], remove: leavingOf(context, set, removable) });
    }
    const { addresses = [], keep, adopt, exclusive = false } = inputs;
    const { set, declared, change } = await managed.foreseen(context, { addresses, keep, adopt, exclusive }, old, id);
    return stepOn(set, declared, change);
  },

  create: managed.create,
  update: managed.update,

  async read(context, id, { addresses, adopted, keep, exclusive }) {
    const set = await whitelistSet(context, id, keep);
    // An import takes everything on the list.
    if (!addresses)
      return set.shown.length > 0 ? { addresses: set.shown, adopted: [], ...accountNamedBy(id) } : undefined;
    set.requireClear(addresses);
    if (!addresses.some(among(set, set.shown))) return undefined;
    const recorded = managed.recordedIn({ addresses, adopted });
    const { listed, ofOthers } = await seenIn(context, set, set.shown, recorded, exclusive);
    return { addresses: listed, adopted: ofOthers, ...accountNamedBy(id) };
  },

  async delete(context, id, state) {
    const { log } = context;
    const { set, recorded, removable } = await deletable(context, id, state, state.addresses);
    const staying = ownOf(set, recorded).filter(set.stays).filter(among(set, set.shown));
    const removed = await removeFromSet(context, set, removable);
    if (staying.length > 0)
      log.warn(
        `stays on the whitelist of account ${id}, because of keep (in an environment: wayBackIn): ${enumerate(staying)}`,
      );
    if (removed.length > 0 && removed.length === set.shown.length)
      log.warn(
        `the whitelist${id === untoldAccount ? "" : ` of account ${id}`} is now empty: if whitelisting is enabled, nobody can log in until an address is added`,
      );
  },
});

/** What a delete is about. `expected`: what is looked for again. */
async function deletable(
  context: Context,
  id: string | undefined,
  state: State & Pick<Inputs, "keep">,
  expected?: readonly string[],
) {
  const recorded = managed.recordedIn(state);
  const set = await whitelistSet(context, id, state.keep, expected);
  set.requireClear(recorded.listed);
  return { set, recorded, removable: { ...recorded, listed: recorded.listed.filter((one) => !set.stays(one)) } };
}

/** An id that does not tell the account must not hide the one that was found out later. */
function accountNamedBy(id: string) {
  return id === untoldAccount ? {} : { accountId: outputId(id) };
}
