import fc from "fast-check";
import { expect, test } from "vitest";
import { ipAddress, normaliseIp, sameIp } from "../../../provider/values/ip-address";
import { checkOf } from "../../harness/lifecycle";

test.each([
  "203.0.113.7",
  "203.0.113.0/24",
  "0.0.0.0/0",
  "203.0.113.7/32",
  "2001:db8::7",
  "2001:DB8:0:0:0:0:0:7",
  "::1",
  "::/0",
  "2001:db8::/48",
  "::ffff:203.0.113.7",
])("%s is valid", (text) => {
  expect(ipAddress.safeParse(text).success).toBe(true);
});

test.each([
  ["2001:db8::7", "2001:DB8:0:0:0:0:0:7", "2001:db8:0::0007", "2001:db8::7/128"],
  ["::ffff:203.0.113.7", "::ffff:cb00:7107"],
  ["203.0.113.7/32", "203.0.113.7"],
])("%s is equal to %s", (one, ...others) => expect(others.every((other) => sameIp(one!, other))).toBe(true));

test.each([
  ["203.0.113.7", "203.0.113.8"],
  ["203.0.113.0", "203.0.113.0/24"],
  ["2001:db8::/32", "2001:db8::/48"],
])("%s and %s are not", (a, b) => {
  expect(sameIp(a, b)).toBe(false);
});

test("normalising an IPv6 address is idempotent and the same for every spelling", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const normal = normaliseIp(address);
      expect(normaliseIp(normal)).toBe(normal);
      expect(normaliseIp(address.toUpperCase())).toBe(normal);
      expect(ipAddress.safeParse(normal).success).toBe(true);
    }),
  );
});

const bad: readonly (readonly [address: string, says: string])[] = [
  ["", "is empty"],
  ["203.0.113", "is not an IP address"],
  ["203.0.113.256", "is not an IP address"],
  ["203.0.113.7.1", "is not an IP address"],
  ["203.0.113.07", "is not an IP address"],
  ["0x7f.0.0.1", "is not an IP address"],
  ["3405803783", "is not an IP address"],
  [" 203.0.113.7", "has leading or trailing spaces"],
  ["203.0.113.7:443", "is not an IP address"],
  ["https://203.0.113.7", "is not an IP address"],
  ["office.example.com", "is not an IP address"],
  ["203.0.113.7,203.0.113.8", "is a list; declare each address separately"],
  ["203.0.113.0-203.0.113.9", "is not an IP address"],
  ["203.0.113.0/33", "prefix length outside 0 to 32"],
  ["203.0.113.0/-1", "prefix length outside 0 to 32"],
  ["203.0.113.0/", "prefix length outside 0 to 32"],
  ["203.0.113.0/24/8", "is not an IP address"],
  ["2001:db8::7::1", "is not an IP address"],
  ["2001:db8:::7", "is not an IP address"],
  ["[2001:db8::7]", "is not an IP address"],
  ["2001:db8::/129", "prefix length outside 0 to 128"],
  ["fe80::1%eth0", "has a zone"],
];
const expected = 'expected an IPv4 or IPv6 address such as "203.0.113.7"';

test.each(bad)("%j is rejected: %s", (ipCidr, says) => {
  const [failure] = checkOf("WhitelistedIp", { ipCidr });
  expect(failure?.property).toBe("ipCidr");
  expect(failure?.reason).toContain(says);
  expect(failure?.reason).toContain(expected);
});

test("in a list, each is named by its place", () => {
  const failures = checkOf("IpWhitelist", { addresses: bad.map(([address]) => address) });
  const said = Object.fromEntries(failures.map(({ property, reason }) => [property, reason]));
  for (const [index, [, says]] of bad.entries()) expect(said[`addresses[${index}]`]).toContain(says);
});
