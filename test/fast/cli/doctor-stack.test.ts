import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFindings } from "../../../cli/doctor/stack";
import type { State } from "../../../cli/pulumi/stack";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { ownFolder } from "../../harness/folders";
import { clear, creating, dynamic, examineStack, imports, later, type Options } from "./doctor-state";
import { encrypted, of, prefix, providerOf, resource } from "./drift-state";
import { whitelist } from "./platform";

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
  for (const backend of ["file://./state", `file://${cwd}/state`])
    expect(locked(backend)).toMatchObject([
      {
        verdict: "warning",
        says: "locked by a run of ana on laptop since 2026-01-01T10:00:00Z: no other run can begin",
        fix: "pulumi cancel --stack dev   # if that run was killed; else wait for it",
      },
    ]);
  expect(locked("https://api.pulumi.com/ana")).toEqual([]);
});

describe("accounts", () => {
  const office = resource("WhitelistedIp", "office", "12", {}, { outputs: { accountId: 1001 } });

  test("resources of one account, a token of another", async () => {
    expect(await examine({ resources: [office] }, { token: "otherAdmin" })).toEqual([
      {
        area: "Stack",
        what: "account",
        verdict: "problem",
        says: `wrong account: the token for ${emulator.url} belongs to account 1002 (Research), but 1 resource of the stack belongs to account 1001`,
        fix: "pulumi config set --secret dataplatform:apiToken --stack dev   # use a token of the account that owns the resources",
      },
    ]);
    expect(await examine({ resources: [office] })).toMatchObject([
      { verdict: "ok", says: "the token and the resources belong to account 1001 (Analytics)" },
    ]);
  });

  test("a token of an explicit provider, which the configuration does not have", async () => {
    const urn = "urn:pulumi:dev::p::pulumi:providers:dataplatform::blue";
    const settings = { baseUrl: emulator.url, apiToken: emulator.tokens["otherAdmin"]! };
    const blue = { urn, type: "pulumi:providers:dataplatform", id: "1", inputs: settings, outputs: settings };
    const [finding] = await examine({ resources: [blue, { ...office, provider: `${urn}::1` }] });
    expect(finding!.fix).toMatch(/^pass apiToken .* to the provider blue, or, .*pulumi state delete --stack dev URN$/);
    const lab = resource("WhitelistedIp", "lab", "13", {}, { outputs: { accountId: 1002 }, provider: `${urn}::1` });
    expect((await examine({ resources: [blue, office, lab] })).map(({ says }) => says)).toEqual([
      "the token and the resources of the default provider belong to account 1001 (Analytics)",
      "the token and the resources of Provider blue belong to account 1002 (Research)",
      "permissions and the extended API are checked for the stack's own token only",
    ]);
  });

  test("a token or a stack that does not reveal its account", async () => {
    expect(await examine({ resources: [office] }, { token: "powerless" })).toMatchObject([
      { verdict: "info", says: "the resources belong to account 1001; the token's account is unknown" },
    ]);
    expect(await examine({ resources: [resource("EnabledUser", "ana", "107", {})] })).toEqual([]);
  });

  test("with a token of another account, nothing is reported as absent", async () => {
    const pending = [creating(resource("WhitelistedIp", "new", "", { ipCidr: "192.0.2.1" }))];
    const findings = await examine({ resources: [office], pending }, { token: "otherAdmin" });
    expect(findings.map(({ what, verdict }) => [what, verdict])).toEqual([
      ["account", "problem"],
      ["pending", "warning"],
    ]);
    expect(findings[1]!.says).toMatch(/^1 interrupted operation not looked up: .* token of the right account$/);
  });
});

describe("an interrupted create of an address", () => {
  const branch = (ipCidr: unknown) => resource("WhitelistedIp", "my branch", "", { ipCidr });

  test("that is listed in another spelling: suggests the import, and how to clear the pending operation", async () => {
    const id = await whitelist(emulator, "2001:db8::1");
    const findings = await examine({ pending: [creating(branch("2001:0DB8:0::1/128"))] });
    expect(findings).toEqual([
      {
        area: "Stack",
        what: "my branch",
        verdict: "problem",
        says: `WhitelistedIp, interrupted while creating: 2001:0DB8:0::1/128 is whitelisted (id ${id}), but it is not in the state`,
        fix: imports(`dataplatform:index:WhitelistedIp 'my branch' ${id}`),
      },
      expect.objectContaining({ what: "pending", verdict: "warning", fix: clear }),
    ]);
  });

  test("that is not listed", async () => {
    expect(await examine({ pending: [creating(dynamic(branch("192.0.2.7")))] })).toMatchObject([
      {
        verdict: "warning",
        says: 'WhitelistedIp, interrupted while creating: 192.0.2.7 is not whitelisted; the next "pulumi up" creates it',
        fix: clear,
      },
    ]);
  });

  test("that a later run created in the other mode", async () => {
    const id = await whitelist(emulator, "192.0.2.7");
    const resources = [{ ...resource("WhitelistedIp", "my branch", id, { ipCidr: "192.0.2.7" }), created: later }];
    const findings = await examine({ resources, pending: [creating(dynamic(branch("192.0.2.7")))] });
    expect(findings).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/already resolved: it is in the state/), fix: clear },
    ]);
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
    expect(enabled).toMatchObject({
      verdict: "warning",
      says: expect.stringMatching(/is enabled, but it is not in the state/),
      fix: imports(`dataplatform:index:EnabledUser ana ${email.toUpperCase()}`),
    });
    expect((await examine(user("nobody@example.com")))[0]).toMatchObject({ verdict: "warning", fix: clear });
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
    const pending = [
      creating(office, "updating"),
      creating(office, "deleting"),
      { type: "creating", resource: bucket },
    ];
    expect(await examine({ pending })).toMatchObject([
      {
        verdict: "warning",
        says: expect.stringMatching(/while updating: a refresh/),
        fix: expect.stringMatching(/^pulumi refresh --stack dev /),
      },
      { verdict: "warning", says: expect.stringMatching(/while deleting: a refresh/) },
      { what: "pending", verdict: "info", says: "1 interrupted operation of other providers not checked" },
    ]);
  });

  test("of what the API cannot show, a refresh would only forget it", async () => {
    const crew = resource("GroupRoles", "crew", "204", { groupId: 204, roles: ["analyst"] });
    expect(await examine({ pending: [creating(crew, "updating")] })).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/while updating: the API cannot show the roles of a group/) },
    ]);
  });

  test("an unreachable platform: only says that there are some", async () => {
    const pending = [creating(resource("WhitelistedIp", "office", "", { ipCidr: "192.0.2.1" }))];
    expect(await examine({ pending }, { usable: false })).toMatchObject([
      { what: "pending", verdict: "warning", says: expect.stringMatching(/^1 interrupted operation not looked up/) },
    ]);
    expect(await examine({}, { usable: false })).toEqual([]);
  });
});
