import { expect } from "vitest";
import { request } from "../harness/http";
import {
  accountIn,
  type EmulatorState,
  type LifecycleCase,
  replace,
  same,
  update,
  withExtendedApi,
} from "../harness/lifecycle";

const addresses = (state: EmulatorState): string[] => accountIn(state).whitelist.map(({ ip_cidr }) => ip_cidr);

export const life: LifecycleCase = {
  type: "WhitelistedIp",
  args: { ipCidr: "2001:DB8::7" },
  present: (state) => expect(addresses(state)).toHaveLength(1),
  absent: (state) => expect(addresses(state)).toEqual([]),
  disappear: (emulator, id) => request(emulator, "DELETE", `/api/v1.2/whitelist_ip/${id}`),
  changes: [
    same("the same address in another spelling", { ipCidr: "2001:db8:0::0007" }, { "whitelist.add": 0 }),
    replace("another address", { ipCidr: "203.0.113.8" }, { "whitelist.add": 1, "whitelist.delete": 1 }, (state) =>
      expect(addresses(state)).toEqual(["203.0.113.8"]),
    ),
    update("adopt", { ipCidr: "203.0.113.8", adopt: true }, { "whitelist.add": 0, "whitelist.delete": 0 }),
  ],
  bad: [
    [{ ipCidr: "203.0.113" }, "ipCidr", '"203.0.113" is not an IP address; expected'],
    [{ ipCidr: "203.0.113.7", description: "office" }, "description", 'is "office", which needs the extended API; set'],
    [{ ipCidr: "203.0.113.7", description: "x".repeat(256) }, "description", "has 256 characters; use at most 255"],
    [{}, "ipCidr", "is required"],
    [{ ipCidr: "203.0.113.7", ip_cidr: "203.0.113.7" }, "ip_cidr", "did you mean ipCidr?"],
  ],
  badLater: { args: { ipCidr: { $later: "203.0.113.256" } }, says: '"203.0.113.256" is not an IP address' },
  forbidden: { token: "powerless", says: "editing an account" },
  // adopt is our own option, which the platform does not return.
  imported: { ipCidr: "203.0.113.8" },
};

const described = (state: EmulatorState) =>
  accountIn(state).whitelist as readonly { ip_cidr: string; description?: string }[];

export const extended = withExtendedApi(life, {
  args: { ipCidr: "203.0.113.7", description: "office" },
  present: (state) => expect(described(state)).toMatchObject([{ ip_cidr: "203.0.113.7", description: "office" }]),
  absent: (state) => expect(addresses(state)).toEqual([]),
  disappear: (emulator, id) => request(emulator, "DELETE", `/api/v2/accounts/whitelist_ip/${id}`),
  changes: [
    replace("another description", { ipCidr: "203.0.113.7", description: "head office" }, (state, { text }) => {
      expect(described(state)).toMatchObject([{ ip_cidr: "203.0.113.7", description: "head office" }]);
      expect(text).toContain("203.0.113.7 is removed from the whitelist and added again");
    }),
    replace("another address", { ipCidr: "203.0.113.8", description: "head office" }, (state) =>
      expect(addresses(state)).toEqual(["203.0.113.8"]),
    ),
  ],
});
