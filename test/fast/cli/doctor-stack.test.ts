import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFindings } from "../../../cli/doctor/stack";
import type { State, StateResource } from "../../../cli/pulumi/stack";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { ownFolder } from "../../harness/folders";
import { creating, dynamic, examineStack, imports, later, type Options, warning } from "./doctor-state";
import { encrypted, of, prefix, providerOf, resource, whitelist } from "./stacks";

const emulator = freshEmulator();

const examine = (state: Partial<State>, options?: Options) => examineStack(emulator, state, options);

test("a lock that a killed run has left in the backend's folder comes with the way out", () => {
  const cwd = ownFolder();
  const locked = (backend: string) => lockFindings(backend, { cwd, project: "shop", stack: "dev" }, " --stack dev");
  expect(locked("file://./state")).toEqual([]);
  const folder = join(cwd, "state/.pulumi/locks/organization/shop/dev");
  mkdirSync(folder, { recursive: true });
  const lock = { pid: 7, username: "ana", hostname: "laptop", timestamp: "2026-01-01T10:00:00Z" };
  writeFileSync(join(folder, "a5.json"), JSON.stringify(lock));
  writeFileSync(join(folder, "a5.json.attrs"), "{}");
  for (const backend of ["file://./state", `file://${cwd}/state`]) {
    const says = "locked by a run of ana on laptop since 2026-01-01T10:00:00Z: no other run can begin";
    const fix = "pulumi cancel --stack dev   # if that run was killed; else wait for it";
    expect(locked(backend)).toMatchObject([warning(says, fix)]);
  }
  expect(locked("https://api.pulumi.com/ana")).toEqual([]);
});

describe("accounts", () => {
  const office = resource("WhitelistedIp", "office", "12", {}, { outputs: { accountId: 1001 } });
  const said = async (resources: StateResource[], token = "admin") =>
    (await examine({ resources }, { token })).map(({ verdict, says }) => `${verdict}: ${says}`);

  test("resources of one account, a token of another; then nothing is reported as absent", async () => {
    const pending = [creating(resource("WhitelistedIp", "new", "", { ipCidr: "192.0.2.1" }))];
    const [account, absent] = await examine({ resources: [office], pending }, { token: "otherAdmin" });
    expect(account).toEqual({
      ...{ area: "Stack", what: "account", verdict: "problem" },
      says: `wrong account: the token for ${emulator.url} belongs to account 1002 (Research), but 1 resource of the stack belongs to account 1001`,
      fix: "pulumi config set --secret dataplatform:apiToken --stack dev   # use a token of the account that owns the resources",
    });
    expect(absent).toMatchObject({ what: "pending", verdict: "warning" });
    expect(absent!.says).toMatch(/^1 interrupted operation not looked up: .* token of the right account$/);
  });

  test("a token of an explicit provider, which the configuration does not have", async () => {
    const settings = { baseUrl: emulator.url, apiToken: emulator.tokens["otherAdmin"]! };
    const blue = { ...providerOf("pulumi:providers:dataplatform::blue", settings), outputs: settings };
    const [finding] = await examine({ resources: [blue, { ...office, ...of(blue) }] });
    expect(finding!.fix).toMatch(/^pass apiToken .* to the provider blue, or, .*pulumi state delete --stack dev URN$/);
    const lab = resource("WhitelistedIp", "lab", "13", {}, { outputs: { accountId: 1002 }, ...of(blue) });
    expect(await said([blue, office, lab])).toEqual([
      "ok: the token and the resources of the default provider belong to account 1001 (Analytics)",
      "ok: the token and the resources of Provider blue belong to account 1002 (Research)",
      "info: permissions and the extended API are checked for the stack's own token only",
    ]);
  });

  test("a token that is right, and a token or a stack that does not reveal its account", async () => {
    expect(await said([office])).toEqual(["ok: the token and the resources belong to account 1001 (Analytics)"]);
    const unknown = "info: the resources belong to account 1001; the token's account is unknown";
    expect(await said([office], "powerless")).toEqual([unknown]);
    expect(await said([resource("EnabledUser", "ana", "107", {})])).toEqual([]);
  });
});

describe("an interrupted create of an address", () => {
  const branch = (ipCidr: unknown) => resource("WhitelistedIp", "my branch", "", { ipCidr });

  test("that is listed in another spelling: suggests the import, and how to clear the pending operation", async () => {
    const id = await whitelist(emulator, "2001:db8::1");
    const says = `WhitelistedIp, interrupted while creating: 2001:0DB8:0::1/128 is whitelisted (id ${id}), but it is not in the state`;
    const fix = imports(`dataplatform:index:WhitelistedIp 'my branch' ${id}`);
    expect(await examine({ pending: [creating(branch("2001:0DB8:0::1/128"))] })).toMatchObject([
      { area: "Stack", what: "my branch", verdict: "problem", says, fix },
      { what: "pending", ...warning("") },
    ]);
  });

  test("that is not listed, or that a later run created in the other mode", async () => {
    const says = '192.0.2.7 is not whitelisted; the next "pulumi up" creates it';
    const pending = [creating(dynamic(branch("192.0.2.7")))];
    expect(await examine({ pending })).toMatchObject([warning(`WhitelistedIp, interrupted while creating: ${says}`)]);
    const id = await whitelist(emulator, "192.0.2.7");
    const resources = [{ ...resource("WhitelistedIp", "my branch", id, { ipCidr: "192.0.2.7" }), created: later }];
    expect(await examine({ resources, pending })).toMatchObject([warning("already resolved: it is in the state")]);
  });

  test("that is secret is looked up but never printed", async () => {
    const id = await whitelist(emulator, "192.0.2.55");
    const findings = await examine({ pending: [creating(branch(encrypted("192.0.2.55")))] });
    expect(findings[0]).toMatchObject({ verdict: "problem", says: expect.stringMatching(/\[secret\] is whitelisted/) });
    expect(findings[0]!.fix).toContain(` ${id} `);
    expect(JSON.stringify(findings)).not.toContain("192.0.2.55");
  });

  test("in a component, with an explicit provider, in a project that does not set the plugin's folder", async () => {
    const id = await whitelist(emulator, "192.0.2.7");
    const parent = `${prefix}my:network:Office::hq`;
    const own = { baseUrl: emulator.url, apiToken: encrypted(emulator.tokens["admin"]) };
    const here = providerOf("my:network:Office$pulumi:providers:dataplatform::here", own);
    const operation = creating({ ...branch("192.0.2.7"), ...of(here) });
    const pending = [{ ...operation, resource: { ...operation.resource, parent } }];
    const [plugin, finding] = await examine({ resources: [here], pending }, { pluginFix: "add it", onStack: "" });
    expect(plugin).toMatchObject({ what: "plugin", verdict: "problem", fix: "add it" });
    expect(finding!.fix).toBe(
      `pulumi import dataplatform:index:WhitelistedIp 'my branch' ${id} --protect=false --generate-code=false --parent parent=${parent} --provider 'provider=${here.urn}'`,
    );
  });

  test("when the token may not list: says why, and what to do", async () => {
    const [finding] = await examine({ pending: [creating(branch("192.0.2.7"))] }, { token: "powerless" });
    expect(finding).toMatchObject({ verdict: "problem", says: expect.stringMatching(/403.*editing an account/) });
    expect(finding!.fix).toMatch(/^check the platform's user interface first\. If it exists: pulumi import .* <id> /);
  });
});

describe("other interrupted operations", () => {
  test("an enabled user, and one who is not", async () => {
    const user = (svcUserId: unknown) => ({ pending: [creating(resource("EnabledUser", "ana", "", { svcUserId }))] });
    const { users } = accountOf(emulator);
    const { email } = users.find(({ alias }) => alias === "analyst")!;
    const [enabled] = await examine(user(email.toUpperCase()));
    const fix = imports(`dataplatform:index:EnabledUser ana ${email.toUpperCase()}`);
    expect(enabled).toMatchObject(warning("is enabled, but it is not in the state", fix));
    expect((await examine(user("nobody@example.com")))[0]).toMatchObject(warning(""));
    const secret = await examine(user(encrypted(email)));
    expect(secret[0]!.fix).toContain("EnabledUser ana <id> ");
    expect(JSON.stringify(secret)).not.toContain(email);
  });

  test.each([
    ["Account", { name: "Team", storageSecretKey: encrypted("hidden") }, /account Team.*creates a second one/],
    ["DataStore", { dbName: "crm", dbHost: "db1", dbPasswd: encrypted("hidden") }, /database crm at db1/],
    ["GroupRoleAssignment", { groupId: 204, role: "analyst" }, /role analyst of group 204.*which is safe/],
    ["ObjectPolicy", { sourceType: "note", sourceId: "501" }, /note 501.*which is safe/],
    ["PackageSet", { envId: "401" }, /environment 401.*which is safe/],
    ["IpWhitelist", { addresses: ["192.0.2.1"] }, /192\.0\.2\.1.*which is safe/],
  ])("%s cannot be looked up: says what the next up does", async (type, inputs, says) => {
    const isSafe = says.source.endsWith("is safe");
    const verdict = isSafe ? "warning" : "problem";
    const fix = isSafe ? /^pulumi refresh --clear/ : /^check the platform's user interface/;
    emulator.clearRequests();
    const findings = await examine({ pending: [creating(resource(type, "r", "", inputs))] });
    expect(findings[0]).toMatchObject({ verdict, says: expect.stringMatching(says), fix: expect.stringMatching(fix) });
    expect(JSON.stringify(findings)).not.toContain("hidden");
    expect(emulator.requests().requests).toEqual([]);
  });

  test("updates and deletes are resolved by a refresh; those of other providers are counted", async () => {
    const bucket = { urn: `${prefix}aws:s3:Bucket::logs`, type: "aws:s3:Bucket" };
    const office = resource("WhitelistedIp", "office", "1", { ipCidr: "192.0.2.1" });
    const ours = ["updating", "deleting"].map((type) => creating(office, type));
    const findings = await examine({ pending: [...ours, { type: "creating", resource: bucket }] });
    expect(findings.map(({ verdict, what, says }) => `${verdict} ${what}: ${says}`)).toEqual([
      expect.stringMatching(/^warning office: .*while updating: a refresh/),
      expect.stringMatching(/^warning office: .*while deleting: a refresh/),
      "info pending: 1 interrupted operation of other providers not checked",
    ]);
    expect(findings[0]!.fix).toMatch(/^pulumi refresh --stack dev /);
    const known = (await examine({ resources: [office], pending: ours })).find(({ what }) => what === "office")!;
    expect(known.fix, "of nothing else").toContain(`pulumi refresh --target ${office.urn} --stack dev `);
    const crew = resource("GroupRoles", "crew", "204", { groupId: 204, roles: ["analyst"] });
    const [unseen] = await examine({ pending: [creating(crew, "updating")] });
    expect(unseen!.says).toMatch(/while updating: the API cannot show the roles of a group/);
  });

  test("an unreachable platform: only says that there are some", async () => {
    const pending = [creating(resource("WhitelistedIp", "office", "", { ipCidr: "192.0.2.1" }))];
    const [finding] = await examine({ pending }, { usable: false });
    expect(finding).toMatchObject({ what: "pending", verdict: "warning" });
    expect(finding!.says).toMatch(/^1 interrupted operation not looked up/);
    expect(await examine({}, { usable: false })).toEqual([]);
  });
});
