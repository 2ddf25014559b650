import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ipAddress, normaliseIp, sameIp } from "../../../provider/values/ip-address";

describe("addresses", () => {
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
    ["2001:DB8:0:0:0:0:0:7", "2001:db8::7"],
    ["2001:db8:0::0007", "2001:db8::7"],
    ["::ffff:203.0.113.7", "::ffff:cb00:7107"],
    ["203.0.113.7/32", "203.0.113.7"],
    ["2001:db8::7/128", "2001:db8::7"],
  ])("%s and %s are equal", (a, b) => {
    expect(sameIp(a, b)).toBe(true);
  });

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
});
