import { containsIp } from "../../provider/values/ip-range";
import type { Resource } from "../resource";
import { defineRule } from "../rule";
import { holdsUnknown, isMissing } from "../values";
import { declaredAddresses, whitelistTypes } from "../whitelist";

interface Options {
  readonly addresses: readonly string[];
}

export const wayBackIn = defineRule<Options>({
  name: "way-back-in",
  description: "Every whitelist declares a way back in.",
  why: "Users can log in only from whitelisted addresses, so a wrong list locks out everybody, including those who would repair it.",
  fix: "Put an address that is always yours into keep (in a TeamEnvironment: wayBackIn), such as the VPN's: the provider then never removes it.",
  types: whitelistTypes,
  options: {
    addresses: {
      type: "array",
      items: { type: "string" },
      default: [],
      description:
        "Addresses or ranges that a stack with a whitelist must declare, such as the VPN's; a declared range that contains one is enough. Default: none; then only an `exclusive` list without `keep` is reported, and in a pipeline a plan that takes everything off.",
    },
  },

  /** Only an exclusive list removes what others added. */
  checkResource(resource, { options: { addresses } }) {
    const { exclusive, keep } = resource.properties;
    if (exclusive !== true || !(isMissing(keep) || (Array.isArray(keep) && keep.length === 0))) return [];
    if (addresses.length > 0 && missingFrom([resource], addresses).length === 0) return [];
    return [
      { resource, property: "keep", problem: "is missing, and exclusive removes every address that is not listed" },
    ];
  },

  checkStack(resources, { options: { addresses }, removed = [] }) {
    const [first] = [...resources, ...removed];
    if (!first) return [];
    if (addresses.length === 0)
      return resources.length > 0
        ? []
        : [{ resource: first, problem: "is removed, and the stack then has nothing left on the whitelist" }];
    const fix = "Declare it, in addresses of an IpWhitelist or as a WhitelistedIp.";
    return missingFrom(resources, addresses).map((address) => ({
      resource: first,
      problem: `the stack manages the whitelist without ${address}, which its policies require`,
      fix,
    }));
  },
});

/** Those of the required addresses that no resource declares. None if a declared address is still unknown. */
function missingFrom(resources: readonly Resource[], required: readonly string[]): string[] {
  const isUnknown = ({ properties }: Resource) =>
    holdsUnknown(properties["ipCidr"]) || holdsUnknown(properties["addresses"]);
  if (resources.some(isUnknown)) return [];
  const declared = resources.flatMap(declaredAddresses);
  return required.filter((one) => !declared.some(({ address }) => containsIp(address, one)));
}
