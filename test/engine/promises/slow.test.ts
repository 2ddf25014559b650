import { expect, test } from "vitest";
import { accountOf, addressesOf, ownEmulator, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";
import { messagesOf } from "../../modes/promises/shared";

/* What other resources of the run do meanwhile, while the platform is slow; the rest is in test/modes/promises/declared-elsewhere.test.ts. */

const slow = sharedEmulator({ waitSeconds: 0, runSeconds: 1, extended: true });
test("what waits for a slow resource, and is gone by then because of an exclusive one, is put back", async () => {
  const own = await ownStack(slow, { config: { extendedApi: "true" } });
  const late = { dependsOn: ["job"] };
  const program = (name: string, address: string, role: string): Program => ({
    all: { type: "IpWhitelist", args: { addresses: [address], exclusive: true } },
    roles: { type: "GroupRoles", args: { groupId: 205, roles: [role], exclusive: true } },
    job: {
      type: "Command",
      args: { name, wait: true, tableRefresh: { dbName: "default", hiveTable: "daily_ticks" } },
    },
    one: { type: "WhitelistedIp", args: { ipCidr: "198.51.100.1" }, opts: late },
    more: { type: "IpWhitelist", args: { addresses: ["198.51.100.2"] }, opts: late },
    role: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" }, opts: late },
  });
  await expectOk(own.up(program("first", "198.51.100.8", "302")));
  await expectOk(own.up(program("second", "198.51.100.9", "303")));
  const expectAll = () => {
    expect(addressesOf(slow).sort()).toEqual(["198.51.100.1", "198.51.100.2", "198.51.100.9"]);
    expect(
      accountOf(slow)
        .groups.find(({ id }) => id === 205)!
        .roles.toSorted(),
    ).toEqual([301, 303]);
  };
  expectAll();
  expect((await expectOk(own.preview())).changed).toEqual({});
  await expectOk(own.operate("up", "--yes", "--skip-preview", "--refresh"));
  expectAll();
});

test("policies that move by one in a list, or change places, are those of the program while the platform is slow", async () => {
  const own = await ownStack(slow);
  const policies = (...clusters: readonly string[]): Program =>
    Object.fromEntries(
      clusters.map((sourceId, index) => {
        const policy = [{ access: "allow", action: ["read"], condition: { svcUsers: [Number(sourceId)] } }];
        return [`policy-${index}`, { type: "ObjectPolicy", args: { sourceType: "cluster", sourceId, policy } }];
      }),
    );
  const shown = () =>
    [511, 512, 513].map((sought) =>
      accountOf(slow)
        .objects.find(({ id }) => id === sought)!
        .policy?.flatMap(({ condition }) => condition?.svc_users ?? []),
    );
  await request(slow, "PUT", "/_emulator/state/objects", {
    source_type: "cluster",
    id: 513,
    name: "third",
    policy: [],
  });
  const original = shown();
  slow.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "latency", latencyMs: 300, probability: 0.5 }] });
  await expectOk(own.up(policies("511", "512", "513")));
  const moved = await expectOk(own.up(policies("512", "513")));
  // The engine tells nobody what the last one knows, until it deletes it.
  expect(messagesOf(moved)).toContain("destroy will not bring back the policy that cluster/513 had");
  expect(shown()).toEqual([original[0], [512], [513]]);
  await expectOk(own.up(policies("513", "512")));
  expect(shown()).toEqual([original[0], [512], [513]]);
  await expectOk(own.operate("destroy", "--yes", "--skip-preview"));
  expect(shown()).toEqual([original[0], original[1], [513]]);
});

test("an address that moves between the lists of two providers, with different tokens of one account", async () => {
  const emulator = await ownEmulator();
  const own = await ownStack(emulator);
  const providerOf = (user: string, opts = {}) => {
    const args = { baseUrl: emulator.url, apiToken: { $secret: emulator.tokens[user] } };
    return { type: "Provider", args, opts };
  };
  const list = (provider: string, addresses: readonly string[]) => ({
    type: "IpWhitelist",
    args: { addresses },
    opts: { provider },
  });
  const program = (west: readonly string[], east: readonly string[]): Program => ({
    one: providerOf("admin"),
    // Whoever comes before the process of the other one has started takes the address for somebody else's.
    two: providerOf("user", { dependsOn: ["one"] }),
    west: list("one", west),
    east: list("two", east),
  });
  await expectOk(own.up(program(["192.0.2.11", "192.0.2.12"], ["192.0.2.13"])));
  const listed = () => addressesOf(emulator).filter((address) => /^192\.0\.2\.1\d$/.test(address));
  await expectOk(own.up(program(["192.0.2.11"], ["192.0.2.12", "192.0.2.13"])));
  expect(listed().sort()).toEqual(["192.0.2.11", "192.0.2.12", "192.0.2.13"]);
  await expectOk(own.operate("destroy", "--yes", "--skip-preview"));
  expect(listed()).toEqual([]);
});
