import { setTimeout } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Emulator } from "../../../emulator";
import { Declarations } from "../../../provider/core/declarations";
import type { AnyResource } from "../../../provider/core/define";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { group } from "../../../provider/resources/group";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { rolesOf } from "../../cases/group-role-assignment";
import { policyOf } from "../../cases/object-grant";
import { accountOf, answers, freshEmulator } from "../../harness/emulators";
import { fetchOnce, request } from "../../harness/http";
import { createdBy, definitionOf, hostAt, inOneRun, inProcess } from "../../harness/in-process";
import type { Args } from "../../harness/lifecycle";

/** Resources of one stack that share a set of the platform. */

type Declared = readonly [type: string, args: object];
const note = { sourceType: "note", sourceId: "502", policy: [{ access: "allow" }] };
const grant = (user: unknown, action: string): Declared => [
  "ObjectGrant",
  { sourceType: "note", sourceId: "502", user, allow: [action] },
];
const reports = (location: string): Declared => ["FolderPolicy", { type: "notes", location, policy: [] }];
const packages = (...names: string[]): Declared => [
  "PackageSet",
  { envId: 403, sourceType: "python_package", packages: names },
];
const addresses: Declared = ["IpWhitelist", { addresses: ["198.51.100.1", "203.0.113.1/32"] }];
const analyst: Declared = ["GroupRoleAssignment", { groupId: 205, role: "analyst" }];
const operator: Declared = ["GroupMembership", { group: "operators", users: ["operator@analytics.example.com"] }];
const operators = ["Operator@analytics.example.com"];
const member = "member operator@analytics.example.com of group operators";

test.each<[key: string, property: string, one: Declared, two: Declared]>([
  ["address 203.0.113.1", "addresses", ["WhitelistedIp", { ipCidr: "203.0.113.1" }], addresses],
  ["policy of note/502", "sourceId", ["ObjectPolicy", note], ["ObjectPolicy", { ...note, policy: [] }]],
  ["grant of user 104 on note/502", "sourceId", grant(104, "read"), grant("104", "update")],
  ["policy of folder notes/Common/reports", "location", reports("Common/reports"), reports("/Common/reports/")],
  [
    "python_package scikit-learn of environment 403",
    "packages",
    packages("polars", "scikit-learn==1.5.0"),
    packages("Scikit_Learn==1.6.0"),
  ],
  ["role analyst of group 205", "role", analyst, analyst],
  ["role analyst of group 205", "roles", analyst, ["GroupRoles", { groupId: "205", roles: ["302", "analyst"] }]],
  [member, "users", operator, ["GroupMembership", { group: "operators", users: operators }]],
  [member, "name", operator, ["Group", { name: "operators", members: operators }]],
])("the %s twice in one program is an error at %s that names both", (key, property, [type, args], [other, its]) => {
  const isOnlyExtended = [type, other].some((one) => definitionOf(one).extended?.required);
  for (const extended of isOnlyExtended ? [true] : [false, true]) {
    const declared = inOneRun({ url: "http://127.0.0.1:9", tokens: {} }, { extended });
    const { life } = declared(definitionOf(type));
    // A resource that will be replaced is checked twice, and must not clash with itself.
    for (const _ of [1, 2]) expect(life.check({ ...args }, { who: "1", name: "one" }).failures).toEqual([]);
    const reason = `declares the ${key}, which ${type} "one" in this program also declares; declare it only once`;
    const { failures } = declared(definitionOf(other)).life.check({ ...its }, { who: "2", name: "two" });
    expect(failures).toEqual([{ property, reason }]);
  }
});

describe("what one resource has put there is nothing that others did", () => {
  const emulator = freshEmulator({ extended: true });
  const roles = { groupId: 205, roles: ["analyst"], exclusive: true };
  test.each<[AnyResource, Args, AnyResource, Args]>([
    [ipWhitelist, { addresses: ["192.0.2.1"], exclusive: true }, whitelistedIp, { ipCidr: "192.0.2.2" }],
    [groupRoles, roles, groupRoleAssignment, { groupId: 205, role: "data-engineer" }],
  ])("to a refresh of an exclusive $type", async (whole, args, single, other) => {
    const of = inOneRun(emulator, { extended: true });
    const all = await createdBy(of(whole), args);
    const one = await createdBy(of(single), other);
    const refresh = inOneRun(emulator, { extended: true });
    const found = refresh(whole).life.read(all.id, all.state);
    const [seen] = await Promise.all([found, refresh(single).life.read(one.id, one.state)]);
    expect(seen?.state).toEqual(all.state);
    // By itself, it sees what others did.
    const alone = await inOneRun(emulator, { extended: true })(whole).life.read(all.id, all.state);
    expect(alone?.state).not.toEqual(all.state);
    // An earlier version has recorded it.
    expect((await refresh(whole).life.read(all.id, alone!.state))?.state).toMatchObject(args);
  });
});

const shown = (id: number) => [{ access: "allow", action: ["read"], condition: { svc_users: [id] } }];
const mine = (id: number) => [{ access: "allow", action: ["read"], condition: { svcUsers: [id] } }];
const whole = (sourceId: string, id: number): Declared => [
  "ObjectPolicy",
  { sourceType: "note", sourceId, policy: mine(id) },
];
const part = (sourceId: string, user: number): Declared => [
  "ObjectGrant",
  { sourceType: "note", sourceId, user, allow: ["read"] },
];

const isHeld = async ({ url }: Emulator) =>
  (await (await fetchOnce(`${url}/_emulator/faults`)).text()).includes('"fired":1');
const extended = { extended: true };

/** The engine deletes one while another one, that takes over, is created already: a list that has moved by one. */
describe("what one resource gives up and another takes over in the same run", () => {
  const emulator = freshEmulator();
  test.each<[what: string, gives: Declared, takes: Declared, left: unknown]>([
    ["the policy of an object", whole("502", 101), whole("502", 102), shown(102)],
    ["a policy that has a grant", part("502", 104), whole("502", 102), shown(102)],
    ["a grant on a policy", whole("502", 101), part("502", 104), shown(104)],
  ])("%s", async (_, [type, args], [other, its], left) => {
    const { id, state } = await createdBy(inProcess(definitionOf(type), emulator), { ...args });
    const run = inOneRun(emulator);
    const [giver, taker] = [run(definitionOf(type)).life, run(definitionOf(other)).life];
    taker.check({ ...its }, { who: "taker", name: "taker" });
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "latency", latencyMs: 500, times: 1 }] });
    const deleting = giver.delete(id, state);
    await vi.waitUntil(() => isHeld(emulator), { timeout: 5_000 });
    await Promise.all([deleting, taker.create({ ...its })]);
    expect(policyOf(emulator.state(), 502)).toEqual(left);
  });
});

describe("what one resource gives up stays if another one declares it", () => {
  const emulator = freshEmulator({ extended: true });

  test("a group of which only the roles are declared nowhere else", async () => {
    const { id, state } = await createdBy(inProcess(group, emulator, extended), { name: "team-a", roles: ["analyst"] });
    const run = inOneRun(emulator, extended);
    const [giver, taker] = [run(group), run(group)];
    const args = { name: "team-a", adopt: true, members: [102] };
    taker.life.check({ ...args }, { who: "y", name: "y" });
    await taker.life.create({ ...args });
    await giver.life.delete(id, state);
    expect(giver.said.infos.join()).toContain('group team-a is left, because Group "y" declares it');
    expect(accountOf(emulator).groups.map(({ name }) => name)).toContain("team-a");
  });

  test("an address that is declared, unchanged, while it is being removed", async () => {
    const office = await createdBy(inProcess(ipWhitelist, emulator), { addresses: ["192.0.2.1", "192.0.2.2"] });
    const vpn = await createdBy(inProcess(ipWhitelist, emulator), { addresses: ["192.0.2.2"], adopt: true });
    const run = inOneRun(emulator);
    const [changing, late] = [run(ipWhitelist).life, run(ipWhitelist).life];
    changing.diff(office.state, { addresses: ["192.0.2.1"] });
    emulator.setFaults({ rules: [{ operation: "whitelist.delete", kind: "latency", latencyMs: 500, times: 1 }] });
    const updating = changing.update(office.id, office.state, { addresses: ["192.0.2.1"] });
    await vi.waitUntil(() => isHeld(emulator), { timeout: 5_000 });
    const inputs = { addresses: ["192.0.2.2"], adopt: true };
    late.check({ ...inputs }, { who: "vpn", name: "vpn", old: inputs });
    const { changed } = late.diff(vpn.state, inputs);
    expect(changed).toEqual(["addresses"]);
    await Promise.all([updating, late.update(vpn.id, vpn.state, inputs)]);
    expect(accountOf(emulator).whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(["192.0.2.1", "192.0.2.2"]);
  });
});

describe("without the extended API", () => {
  const emulator = freshEmulator();

  test("a message about one resource does not name what is a secret in another", async () => {
    const host = { ...hostAt(emulator).host, declarations: new Declarations() };
    const said: string[] = [];
    host.log = { info: (message) => void said.push(message), warn: (message) => void said.push(message) };
    const secret = new Lifecycle(whitelistedIp, host, [["ipCidr"]]);
    secret.check({ ipCidr: "192.0.2.77" }, { who: "1", name: "office" });
    await secret.create({ ipCidr: "192.0.2.77" });
    const args = { addresses: ["192.0.2.1"], exclusive: true };
    await new Lifecycle(ipWhitelist, host).create(args);
    expect(said.join()).toContain("left on the whitelist because this run declares it elsewhere: address [secret]");
  });

  test("a delete that is cancelled in its middle is finished: no state can keep a part of it", async () => {
    const inputs = { groupId: 205, roles: ["analyst", "data-engineer"] };
    const { id, state } = await inProcess(groupRoles, emulator).life.create(inputs);
    emulator.setFaults({ rules: [{ operation: "groups.unassignRole", kind: "latency", latencyMs: 100 }] });
    const stop = new AbortController();
    const { life } = inProcess(groupRoles, emulator, { signal: stop.signal });
    const deleting = life.delete(id, state);
    await setTimeout(50);
    stop.abort();
    await deleting;
    expect(rolesOf(emulator.state(), 205)).toEqual([]);
    await expect(life.delete(id, state)).rejects.toThrow("cancelled");
  });

  /** An address has its record's id from the platform, which may give it anew: after a restore, or if added by hand. */
  describe.each([
    [whitelistedIp, { ipCidr: "192.0.2.7" }],
    [ipWhitelist, { addresses: ["192.0.2.7"] }],
  ])("$type", (definition, args) => {
    const at = "2026-01-01T00:00:00Z";
    const entry = (id: number, ip_cidr: string) =>
      request(emulator, "PUT", "/_emulator/state/whitelist", { id, ip_cidr, created_at: at, updated_at: at });
    const replaced = async (...now: string[]) => {
      const made = await createdBy(inProcess(definition, emulator), args);
      const { id } = accountOf(emulator).whitelist[0]!;
      await request(emulator, "DELETE", `/_emulator/state/whitelist/${id}`);
      for (const [index, address] of now.entries()) await entry(id + index, address);
      return inProcess(definition, emulator).life.delete(made.id, made.state);
    };
    const listed = () => accountOf(emulator).whitelist.map(({ ip_cidr }) => ip_cidr);

    test("leaves an address of others that has got its id", async () => {
      await replaced("192.0.2.91");
      expect(listed()).toEqual(["192.0.2.91"]);
    });

    test("removes its address, whatever id that has got", async () => {
      await replaced("192.0.2.91", "192.0.2.7");
      expect(listed()).toEqual(["192.0.2.91"]);
    });

    test("is destroyed while the list does not show it yet", async () => {
      const { id, state } = await inProcess(definition, emulator).life.create(args);
      answers(emulator, "whitelist.list", 200, { account_whitelisted_ips: [] }, { times: 2 });
      await inProcess(definition, emulator).life.delete(id, state);
      expect(listed()).toEqual([]);
    });
  });
});

describe("what the account does not have is told at preview", () => {
  const freshOne = freshEmulator({ extended: true });
  const missing: readonly Declared[] = [
    ["GroupRoles", { groupId: 205, roles: ["analyst", "301", "analist"] }],
    ["GroupRoleAssignment", { groupId: 205, role: "analist" }],
    ["Group", { name: "new", members: ["OPERATOR@analytics.example.com"], roles: ["analyst", "analist"] }],
    ["GroupMembership", { group: 205, users: ["104", "analist@analytics.example.com"] }],
  ];

  test.each(missing)("of a %s", async (type, args) => {
    const { life, said } = inProcess(definitionOf(type), freshOne, extended);
    await life.foresee(undefined, { ...args });
    const what = type === "GroupMembership" ? "user analist@analytics.example.com" : "role analist";
    const where = type === "GroupMembership" ? "getUsers" : "getRoles";
    expect(said.warnings).toContain(
      `${type}: the account has no ${what}, so "pulumi up" will probably fail; ${where} returns those that it has`,
    );
  });

  test("but a role that the program makes, and one that a list in part may hide, is not", async () => {
    const run = inOneRun(freshOne, extended);
    run(definitionOf("Role")).life.check({ name: "analist", policies: [] }, { who: "r", name: "r" });
    const { life, said } = run(groupRoles);
    await life.foresee(undefined, { groupId: 205, roles: ["analist"] });
    const unread = { id: "?", name: 7 };
    answers(freshOne, "roles.list", 200, { roles: [{ id: 301, name: "analyst" }, unread] });
    const other = inProcess(groupRoles, freshOne, extended);
    await other.life.foresee(undefined, { groupId: 205, roles: ["analist"] });
    expect([...said.warnings, ...other.said.warnings].join()).not.toContain("has no role");
  });

  test("and so is a group that is not there", async () => {
    const { life, said } = inProcess(groupRoleAssignment, freshOne, extended);
    await life.foresee(undefined, { groupId: 299, role: "analyst" });
    expect(said.warnings.join()).toContain("there is no group 299; check its id or name");
  });
});
