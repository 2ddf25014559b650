import { prefixOf } from "../../provider/values/ip-range";
import { defineRule } from "../rule";
import { declaredAddresses, whitelistTypes } from "../whitelist";

interface Options {
  readonly minIpv4Prefix: number;
  readonly minIpv6Prefix: number;
}

export const wholeInternet = defineRule<Options>({
  name: "whole-internet",
  description: "No whitelist contains the whole internet, or a large part of it.",
  why: "A whitelist that everybody is on protects nothing: whoever has a password or a token can use it from anywhere.",
  fix: "List the addresses that users really come from, such as those of the office and the VPN.",
  types: whitelistTypes,
  options: {
    minIpv4Prefix: {
      type: "integer",
      minimum: 0,
      maximum: 32,
      default: 8,
      description:
        "Shortest allowed prefix of an IPv4 range. The default refuses whatever is larger than a /8, the largest block that anybody owns, and so the halves and quarters of the internet too.",
    },
    minIpv6Prefix: {
      type: "integer",
      minimum: 0,
      maximum: 128,
      default: 16,
      description:
        "Shortest allowed prefix of an IPv6 range. The default refuses `2000::/3`, which is all of today's internet.",
    },
  },

  checkResource: (resource, { options }) =>
    declaredAddresses(resource).flatMap(({ path, address }) => {
      const prefix = prefixOf(address);
      const shortest = prefix?.version === 4 ? options.minIpv4Prefix : options.minIpv6Prefix;
      if (!prefix || prefix.length >= shortest) return [];
      const problem = `is ${address}, which is larger than a /${shortest}, the largest range that is allowed`;
      return [{ resource, property: path, problem }];
    }),
});
