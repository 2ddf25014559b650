import { expect } from "vitest";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type LifecycleCase, same, update, withExtendedApi } from "../harness/lifecycle";

export const listIn = (state: EmulatorState) => accountIn(state).whitelist.map(({ ip_cidr }) => ip_cidr);
const expectListed = (state: EmulatorState, ...addresses: string[]) =>
  expect(listIn(state).toSorted()).toEqual(addresses.toSorted());
const path = "/api/v1.2/whitelist_ip";
const [office, vpn, home, foreign] = ["203.0.113.7", "2001:DB8::/48", "198.51.100.1", "192.0.2.99"];
const nothingWritten = { "whitelist.add": 0, "whitelist.delete": 0 };

export const life: LifecycleCase = {
  type: "IpWhitelist",
  args: { addresses: [office, vpn] },
  prepare: (emulator) => request(emulator, "POST", path, { ip_cidr: foreign }),
  present: (state, id) => {
    expect(id).toBe("1001");
    expectListed(state, foreign, vpn, office);
  },
  absent: (state) => expect(listIn(state).filter((address) => address !== foreign)).toEqual([]),
  // The platform does not know which resource was exclusive.
  imported: { addresses: [home, vpn] },
  kept: "the whitelist of account 1001 is now empty",
  drift: {
    make: (emulator) => {
      const entry = emulator.state().accounts[0]!.whitelist.find(({ ip_cidr }) => ip_cidr === vpn)!;
      return request(emulator, "DELETE", `${path}/${entry.id}`);
    },
  },
  disappear: (emulator) => {
    const entries = emulator.state().accounts[0]!.whitelist.filter(({ ip_cidr }) => ip_cidr !== foreign);
    return request(emulator, "DELETE", `${path}/${entries.map(({ id }) => id).join(",")}`);
  },
  changes: [
    same(
      "another order and another spelling",
      { addresses: ["2001:db8:0::/48", "203.0.113.7/32"], exclusive: false },
      nothingWritten,
    ),
    update(
      "one address for another",
      { addresses: [home, vpn] },
      { "whitelist.add": 1, "whitelist.delete": 1, "whitelist.list": 2 },
      (state, { text }) => {
        expectListed(state, foreign, home, vpn);
        expect(text).toContain(`will add 1 address: ${home}`);
        expect(text).toContain(`will remove 1 address: ${office}`);
      },
    ),
    update(
      "exclusive",
      { addresses: [home, vpn], exclusive: true },
      { "whitelist.add": 0, "whitelist.delete": 1 },
      (state, { text }) => {
        expectListed(state, home, vpn);
        expect(text).toContain(`will remove 1 address: ${foreign}`);
      },
    ),
  ],
  bad: [
    [{ addresses: [office, "1.2.3", vpn] }, "addresses[1]", '"1.2.3" is not an IP address; expected an IPv4'],
    [{ addresses: [] }, "addresses", "declare at least one address"],
    [{ addresses: ["1::1", office, "1:0::1"] }, "addresses", "contains duplicates: 1:0::1; list each address once"],
    [{ addresses: [office], keep: [vpn, vpn] }, "keep", "contains duplicates"],
    [{ addresses: [office], keep: ["me"] }, "keep[0]", '"me" is not an IP address'],
  ],
  badLater: { args: { addresses: [office, { $later: "1.2.3.256" }] }, says: '"1.2.3.256" is not an IP address' },
  forbidden: { token: "powerless", says: "editing an account" },
};

export const extended = withExtendedApi(life, {
  absent: life.absent,
  drift: life.drift,
  disappear: life.disappear,
  changes: [
    update("one address for another, through v2 of the whitelist", { addresses: [home, vpn] }, (state) =>
      expectListed(state, foreign, home, vpn),
    ),
    update("exclusive", { addresses: [home, vpn], exclusive: true }, (state) => expectListed(state, home, vpn)),
  ],
  imported: life.imported!,
  kept: life.kept!,
});
