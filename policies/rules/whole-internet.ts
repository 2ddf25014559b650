import { type Range, rangeOf } from "../../provider/values/ip-range";
import type { Resource } from "../resource";
import { defineRule } from "../rule";
import { type DeclaredAddress, declaredAddresses, whitelistTypes } from "../whitelist";

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
        "Shortest allowed prefix of an IPv4 range. The default refuses whatever is larger than a /8, the largest block that anybody owns, and so the halves and quarters of the internet too. All ranges together may be a /4.",
    },
    minIpv6Prefix: {
      type: "integer",
      minimum: 0,
      maximum: 128,
      default: 16,
      description:
        "Shortest allowed prefix of an IPv6 range. The default refuses `2000::/3`, which is all of today's internet. All ranges together may be a /7.",
    },
  },

  checkResource(resource, { options }) {
    const ranges = rangesIn(resource);
    const large = ranges.filter((range) => isLarge(range, options));
    if (large.length === 0)
      return together(ranges, options).map((problem) => ({ resource, property: "addresses", problem }));
    return large.map(({ path, address, version }) => ({
      resource,
      property: path,
      problem: `is ${address}, which is larger than a /${shortest(version, options)}, the largest range that is allowed`,
    }));
  },

  /** Ranges that are declared one by one. What one resource declares by itself is judged before. */
  checkStack(resources, { options }) {
    const isFine = (resource: Resource) => {
      const ranges = rangesIn(resource);
      return !ranges.some((range) => isLarge(range, options)) && together(ranges, options).length === 0;
    };
    // Over all providers: several of them may have tokens of one account.
    const fine = resources.filter(isFine);
    return together(fine.flatMap(rangesIn), options).map((problem) => ({
      resource: fine[0]!,
      problem: `the whitelists of the stack ${problem}`,
    }));
  },
});

type Declared = DeclaredAddress & Range;

function rangesIn(resource: Resource): Declared[] {
  return declaredAddresses(resource).flatMap((declared) => {
    const range = rangeOf(declared.address);
    return range ? [{ ...declared, ...range }] : [];
  });
}

const shortest = (version: 4 | 6, { minIpv4Prefix, minIpv6Prefix }: Options): number =>
  version === 4 ? minIpv4Prefix : minIpv6Prefix;
const sizeOf = (version: 4 | 6, prefix: number): bigint => 1n << BigInt((version === 4 ? 32 : 128) - prefix);
const isLarge = ({ version, first, last }: Range, options: Options): boolean =>
  last - first + 1n > sizeOf(version, shortest(version, options));

/** A sixteenth of the addresses in use: more is a large part of the internet, however it is split. */
const largePart = { 4: 4, 6: 7 } as const;

/** What is wrong with all ranges together, although each by itself is allowed. */
function together(ranges: readonly Declared[], options: Options): string[] {
  return ([4, 6] as const).flatMap((version) => {
    const own = ranges.filter((range) => range.version === version);
    const most = Math.min(largePart[version], shortest(version, options));
    if (covered(own) <= sizeOf(version, most)) return [];
    return [`hold ${own.length} ranges of IPv${version}, together more than a /${most}, a large part of the internet`];
  });
}

/** How many addresses are in at least one of the ranges. */
function covered(ranges: readonly Range[]): bigint {
  let [sum, end] = [0n, -1n];
  for (const { first, last } of [...ranges].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    if (last <= end) continue;
    sum += last - (first > end ? first : end + 1n) + 1n;
    end = last;
  }
  return sum;
}
