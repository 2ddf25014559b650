import { describe, expect, test } from "vitest";
import type { Unmanaged } from "../../../cli/drift/coverage/report";
import { plan } from "../../../cli/export/declare";
import type { Declaration } from "../../../cli/export/known";
import { readEnvironment } from "../../../cli/export/read";
import { Reader } from "../../../cli/platform/connect";
import { Names } from "../../../cli/pulumi/names";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { readSettings } from "../../../provider/api/settings";
import { freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { forTest, shared } from "../../harness/shared";
import { startSecondPlatform } from "../../second-platform";
import { countOf, coverageOf, extendedApi, stackOf, unmanaged } from "./coverage-state";
import { configOf, quiet, resource, whitelist } from "./stacks";

const emulator = freshEmulator();
const extended = freshEmulator({ extended: true });
const second = shared(() => startSecondPlatform());

const withExtendedApi = () => configOf(extended, "admin", extendedApi);

/** What `dataplatform export` would declare. */
async function exported(config: StackConfig): Promise<readonly Declaration[]> {
  const { client } = forTest(new Reader(readSettings((name) => config[`dataplatform:${name}`]?.value)));
  const account = { platform: client.settings.baseUrl, id: undefined, name: undefined, clients: [client] };
  const wanted = { skip: ["tables" as const], objects: [], managers: { holders: [], accountHolders: [] } };
  const read = await readEnvironment({ ...account, holders: [], adopter: {} }, wanted, quiet());
  return plan(read, new Names()).declarations;
}

describe.each([
  ["the emulator", () => configOf(emulator)],
  ["the emulator with the extended API", withExtendedApi],
  ["the second platform", () => configOf(second)],
])("%s", (_, config) => {
  test("nothing is managed: what an export would declare, with the same ids", async () => {
    const report = await coverageOf(stackOf(config()));
    const imports = report.unmanaged.flatMap((one) => (one.import ? [one.import] : []));
    const keys = (all: readonly { readonly type: string; readonly id: string }[]) =>
      [...new Set(all.map(({ type, id }) => `${type} ${id}`))].sort();
    expect(keys(imports)).toEqual(keys(await exported(config())));
    expect(report.summary).toMatchObject({ managed: 0, percent: 0 });
    expect(report.unread).toEqual([]);
  });

  test("everything that an export declares is managed", async () => {
    const state = (await exported(config())).map(({ type, name, id, inputs }) => resource(type, name, id, inputs));
    const report = await coverageOf(stackOf(config(), state));
    // An export does not declare the members and roles of system groups, and no program can declare a role called "4".
    const isLeft = ({ what, note = "" }: Unmanaged) =>
      / (in|of) (system-\w+|dashboard-user)$/.test(what) || note.startsWith("cannot be declared");
    expect(report.unmanaged.filter((one) => !isLeft(one))).toEqual([]);
    expect(report.summary.managed).toBeGreaterThan(5);
  });
});

test("sends reading calls only, two for each group", async () => {
  extended.clearRequests();
  await coverageOf(stackOf(withExtendedApi()));
  const { requests, counts } = extended.requests();
  expect([...new Set(requests.map(({ method }) => method))]).toEqual(["GET"]);
  expect(counts).toMatchObject({ "groups.users": 6, "groups.roles": 6 });
});

describe("by meaning, not by spelling", () => {
  test("addresses: a prefix of one address, IPv6, lists of them, and the id of one that was changed", async () => {
    for (const address of ["203.0.113.7", "2001:db8::1", "198.51.100.0/24", "192.0.2.2"])
      await whitelist(emulator, address);
    const changed = await whitelist(emulator, "192.0.2.1");
    const state = [
      resource("WhitelistedIp", "a", "gone", { ipCidr: "203.0.113.7/32" }),
      resource("IpWhitelist", "b", "1001", { addresses: ["2001:0DB8:0:0::1", "198.51.100.0/24"] }),
      resource("WhitelistedIp", "c", changed, { ipCidr: "192.0.2.99" }),
    ];
    const report = await coverageOf(stackOf(configOf(emulator), state));
    expect(countOf(report, "address")).toEqual([4, 5]);
    const left = report.unmanaged.find(({ what }) => what === "192.0.2.2")!;
    expect(left.import).toMatchObject({ type: "WhitelistedIp", name: "ip-192-0-2-2", id: left.id });
    expect(left.import!.command).toBe(
      `pulumi import --generate-code=false --stack dev dataplatform:index:WhitelistedIp ip-192-0-2-2 ${left.id}`,
    );
  });

  test("an exclusive whitelist would remove the others, but for those it keeps", async () => {
    for (const last of [7, 8, 9]) await whitelist(emulator, `203.0.113.${last}`);
    const inputs = { addresses: ["203.0.113.7"], exclusive: true, keep: ["203.0.113.9/32"] };
    const report = await coverageOf(stackOf(configOf(emulator), [resource("IpWhitelist", "all", "1001", inputs)]));
    const of = (address: string) => report.unmanaged.find(({ what }) => what === address)!;
    expect(of("203.0.113.8")).not.toHaveProperty("import");
    const why = /next "pulumi up" of shop\/dev removes it, because IpWhitelist all is exclusive/;
    expect(of("203.0.113.8").note).toMatch(why);
    expect(of("203.0.113.9")).toHaveProperty("import");
  });

  test("users by id or by e-mail address in any case; disabled ones are not counted", async () => {
    const users = [101, "USER@analytics.example.com", "107"];
    const state = users.map((svcUserId) => resource("EnabledUser", `${svcUserId}`, `${svcUserId}`, { svcUserId }));
    const report = await coverageOf(stackOf(configOf(emulator), state));
    expect(countOf(report, "user")).toEqual([2, 6]);
    expect(report.notCounted).toContainEqual({ what: "1 disabled user", why: expect.stringMatching(/would enable/) });
  });

  test("roles and groups by id or name; system ones are not counted", async () => {
    const state = [
      resource("Role", "a", "301", { name: "renamed", policies: [] }),
      resource("Role", "b", "data-engineer", { name: "data-engineer", policies: [] }),
      resource("Group", "c", "analysts", { name: "analysts" }),
    ];
    const report = await coverageOf(stackOf(withExtendedApi(), state));
    expect(countOf(report, "role")).toEqual([2, 6]);
    expect(countOf(report, "group")).toEqual([1, 3]);
    expect(unmanaged(report, "group").sort()).toEqual(["engineers", "operators"]);
  });

  test("members and roles of groups, by whatever declares them", async () => {
    const config = withExtendedApi();
    const bare = await coverageOf(stackOf(config));
    // 101 and 102 in the system groups, 104 in analysts, 105 in operators; analyst and data-engineer.
    expect(countOf(bare, "member")).toEqual([0, 4]);
    expect(countOf(bare, "group-role")).toEqual([0, 2]);
    const admins = { group: 201, users: ["admin@analytics.example.com", "nobody@example.com"] };
    const state = [
      resource("Group", "a", "204", { name: "analysts", members: ["ANALYST@analytics.example.com"], roles: [301] }),
      resource("GroupMembership", "b", "operators", { group: "operators", users: [105] }),
      resource("GroupMembership", "c", "201", admins),
      resource("GroupRoleAssignment", "d", "206/data-engineer", { groupId: 206, role: "data-engineer" }),
    ];
    const report = await coverageOf(stackOf(config, state));
    expect(unmanaged(report, "member")).toEqual(["user@analytics.example.com in system-user"]);
    expect(countOf(report, "member")).toEqual([3, 4]);
    expect(countOf(report, "group-role")).toEqual([2, 2]);
    const roles = resource("GroupRoles", "r", "204", { groupId: "204", roles: ["301"] });
    expect(countOf(await coverageOf(stackOf(config, [roles])), "group-role")).toEqual([1, 2]);
  });
});

test("how to adopt members and roles of groups depends on what manages the group", async () => {
  await request(extended, "PUT", "/api/v1.2/groups/204/svc_users/101,102/add", {});
  await request(extended, "PUT", "/api/v1.2/groups/204/roles/302/assign", {});
  const config = withExtendedApi();
  const adoption = async (...state: StateResource[]) => {
    const report = await coverageOf(stackOf(config, state));
    const of = (what: string) => report.unmanaged.find((one) => one.what === what)!;
    return { member: of("user@analytics.example.com in analysts"), role: of("account-editor of analysts") };
  };
  const none = await adoption();
  expect(none.member).toMatchObject({ id: "204", note: "comes with the import of group analysts" });
  expect(none.role).toMatchObject({ id: "204/account-editor", note: "comes with the import of group analysts" });
  const lists = await adoption(
    resource("Group", "g", "204", { name: "analysts", members: ["104"], roles: ["analyst"] }),
  );
  expect(lists.member.note).toMatch(/next "pulumi up" of shop\/dev removes it; .* members of Group g$/);
  expect(lists.role.note).toMatch(/next "pulumi up" of shop\/dev removes it; .* roles of Group g$/);
  const open = await adoption(resource("Group", "g", "204", { name: "analysts" }));
  expect(open.member.import).toMatchObject({ type: "GroupMembership", id: "analysts", name: "members-analysts-2" });
  expect(open.role.import).toMatchObject({ type: "GroupRoleAssignment", id: "204/account-editor" });
  const some = await adoption(
    resource("GroupMembership", "m", "204", { group: "204", users: ["104"] }),
    resource("GroupRoles", "r", "204", { groupId: 204, roles: ["analyst"] }),
  );
  expect(some.member.note).toBe("add it to GroupMembership m of shop/dev");
  expect(some.role.note).toBe("add it to GroupRoles r of shop/dev");
});
