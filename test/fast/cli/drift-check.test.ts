import { describe, expect, test } from "vitest";
import { readable } from "../../../cli/drift/readable";
import { type DriftReport, exitCode, headline } from "../../../cli/drift/report";
import { blindness, driftIn } from "../../../cli/pipeline/drift";
import { accountOfToken } from "../../../cli/platform/accounts";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { resources as definitions } from "../../../provider/resources";
import { setPolicy } from "../../cases/object-grant";
import { answers, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { hostAt } from "../../harness/in-process";
import { forTest } from "../../harness/shared";
import { driftOf, encrypted, of, prefix, providerOf, resource, table, whitelist } from "./stacks";

const emulator = freshEmulator();

const check = (state: StateResource[], token?: string, config?: StackConfig) => driftOf(emulator, state, token, config);

const only = ({ resources }: DriftReport) => resources[0]!;
const statuses = ({ resources }: DriftReport) => resources.map(({ name, status }) => `${name} ${status}`);
const readAll = [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }];

describe("what the platform returns", () => {
  test("as declared, even in another spelling; gone; not verifiable; other providers are only counted", async () => {
    const dynamic = "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp";
    const v6 = await whitelist(emulator, "2001:db8::1");
    emulator.clearRequests();
    const report = await check([
      { urn: `${prefix}pulumi:pulumi:Stack::shop-dev`, type: "pulumi:pulumi:Stack" },
      { urn: `${prefix}aws:s3:Bucket::logs`, type: "aws:s3:Bucket", id: "logs" },
      resource("WhitelistedIp", "v6", v6, { ipCidr: "2001:0db8:0:0::1" }),
      resource("WhitelistedIp", "gone", "77", { ipCidr: "192.0.2.77" }, { type: dynamic }),
      resource("GroupRoleAssignment", "role", "205/analyst", { groupId: "205", role: "analyst" }),
    ]);
    expect(report.summary).toMatchObject({ resources: 3, "as-declared": 1, gone: 1, unverifiable: 1, error: 0 });
    const found = report.resources.map(({ name, status, repair }) => `${name}: ${status} ${repair}`);
    expect(found).toEqual(["gone: gone create", "role: unverifiable undefined", "v6: as-declared undefined"]);
    expect(report.resources[1]!.reason).toBe("the API cannot show the roles of a group");
    expect(report).toMatchObject({ otherResources: 1, platforms: [emulator.url], project: "shop", stack: "dev" });
    expect(report.account).toEqual({ id: "1001", name: "Analytics" });
    expect(emulator.requests().counts).toEqual({ "account.view": 2, "whitelist.list": 1 });
  });

  test("what an update did before it was refused is more than was declared", async () => {
    await whitelist(emulator, "192.0.2.1");
    await whitelist(emulator, "192.0.2.2");
    const inputs = { addresses: ["192.0.2.1"] };
    // As the engine keeps it: the inputs of before, and what was done.
    const outputs = { addresses: ["192.0.2.1", "192.0.2.2"], accountId: 1001 };
    expect(only(await check([resource("IpWhitelist", "all", "1001", inputs, { outputs })]))).toMatchObject({
      status: "drifted",
      properties: [{ property: "addresses", declared: inputs.addresses, actual: outputs.addresses }],
    });
  });

  test("a policy changed by hand, down to the element that differs", async () => {
    const policy = resource("ObjectPolicy", "p", "note/501", { sourceType: "note", sourceId: "501", policy: readAll });
    expect(only(await check([policy])).status).toBe("as-declared");
    const actual = [{ access: "deny", action: ["read"] }];
    await setPolicy(emulator, actual);
    expect(only(await check([policy]))).toMatchObject({
      ...{ status: "drifted", repair: "update" },
      properties: [{ property: "policy", declared: readAll, actual, secret: false }],
    });
  });

  test("an input that is no longer met drifts, by the output that shows it; one that never was met does not", async () => {
    const inputs = { schema: "sales", table: "orders", columns: [{ column: "region", values: ["mars"] }], wait: true };
    const sensor = (ready: boolean) =>
      resource("PartitionSensor", "s", "sales.orders/region=mars", inputs, { outputs: { ...inputs, ready } });
    expect(only(await check([sensor(true)]))).toMatchObject({
      status: "drifted",
      properties: [{ property: "ready", declared: true, actual: false }],
    });
    expect(only(await check([sensor(false)])).status).toBe("as-declared");
    // A read that keeps the state with a warning verifies nothing.
    const lost = resource("PartitionSensor", "s", "sales.lost/region=mars", { ...inputs, table: "lost" });
    const found = only(await check([{ ...lost, outputs: { ...lost.inputs, ready: false } }]));
    expect(found).toMatchObject({ status: "unverifiable", reason: expect.stringMatching(/lost/) });
  });

  test("an imported account if the token is its own; not what is deleted, only read, or a component", async () => {
    const report = await check([
      resource("Account", "account", "1001", { name: "Analytics" }),
      resource("Account", "other", "1002", { name: "Other" }),
      resource("WhitelistedIp", "old", "1", { ipCidr: "192.0.2.1" }, { delete: true }),
      resource("WhitelistedIp", "read", "2", { ipCidr: "192.0.2.2" }, { external: true }),
      resource("TeamEnvironment", "blue", "", {}, { custom: false }),
    ]);
    expect(statuses(report)).toEqual(["other unverifiable", "account as-declared"]);
  });
});

describe("errors", () => {
  test("an unreadable resource is an error, with the reason", async () => {
    await whitelist(emulator, "192.0.2.1");
    const address = resource("WhitelistedIp", "a", "1", { ipCidr: "192.0.2.1" });
    const { resources } = await check([address, resource("FutureThing", "b", "1", {})], "powerless");
    expect(resources.map(({ status, reason }) => `${status}: ${reason}`)).toEqual([
      expect.stringMatching(/^error: .*has no type FutureThing; update the package/),
      expect.stringMatching(/^error: .*403.*editing an account/),
    ]);
  });

  test("missing settings are one error, or none if nothing needs to be read", async () => {
    const config = { "dataplatform:apiToken": {} };
    const failing = check([resource("WhitelistedIp", "a", "1", { ipCidr: "192.0.2.1" })], "admin", config);
    await expect(failing).rejects.toThrow(/not configured; missing:\n {2}dataplatform:apiToken/);
    const unreadable = resource("GroupRoleAssignment", "role", "205/analyst", { groupId: "205", role: "analyst" });
    expect((await check([unreadable], "admin", config)).summary.unverifiable).toBe(1);
  });
});

test("every resource that cannot be read says what the API cannot show", async () => {
  const unseen = definitions.filter(({ read }) => !read);
  expect(unseen).not.toEqual([]);
  for (const { type, limits } of unseen) {
    expect(limits.thing, type).toMatch(/^(an?|the) [^.]+$/);
    const reason = `the API cannot show ${limits.thing}`;
    expect(only(await check([resource(type, "it", "1", {})]))).toMatchObject({ reason });
  }
});

test("a resource is read with the settings of its explicit provider, else with the stack's", async () => {
  const provider = (name: string, inputs = {}) => providerOf(`pulumi:providers:dataplatform::${name}`, inputs);
  const ours = await whitelist(emulator, "203.0.113.7");
  const research = provider("research", { baseUrl: emulator.url, apiToken: encrypted("research-admin") });
  // A program declared it, so it has a parent, whatever its name says.
  const parent = "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev";
  const disguised = { ...provider("default_7", research.inputs), parent };
  const engines = provider("default_0_1_0");
  /** Of an account, which its own provider's token must belong to. */
  const address = (name: string, id: string, ipCidr: string, accountId: number, by: StateResource) =>
    resource("WhitelistedIp", name, id, { ipCidr }, { outputs: { ipCidr, accountId }, ...of(by) });
  const report = await check([
    ...[research, disguised, engines],
    address("theirs", "1", "192.0.2.10", 1002, research),
    address("theirs-too", "1", "192.0.2.10", 1002, disguised),
    address("ours", ours, "203.0.113.7", 1001, engines),
    resource("WhitelistedIp", "lost", "1", { ipCidr: "203.0.113.7" }, of(provider("nowhere"))),
  ]);
  expect(statuses(report)).toEqual([
    ...["lost error", "ours as-declared", "theirs as-declared", "theirs-too as-declared"],
  ]);
  expect(report).not.toHaveProperty("accountMismatches");
  expect(JSON.stringify(report)).not.toContain("research-admin");
});

test("what the program marked as secret is masked in differences and reasons", async () => {
  const hidden = "192.0.2.55";
  for (const address of [hidden, "192.0.2.56"]) await whitelist(emulator, address);
  const addresses = { addresses: encrypted([hidden]), exclusive: true };
  const drifted = await check([resource("IpWhitelist", "all", "1001", addresses)]);
  expect(only(drifted).properties).toMatchObject([{ declared: "[secret]", actual: "[secret]", secret: true }]);
  expect(JSON.stringify(drifted)).not.toContain("192.0.2.5");
  const inputs = { ipCidr: encrypted(hidden) };
  const failed = await check([resource("WhitelistedIp", "a", hidden, inputs)], "bad-token-value");
  expect(only(failed).status).toBe("error");
  expect(only(failed).reason).not.toMatch(/bad-token-value|192\.0\.2\.55/);
});

test("a pipeline tells what a token may not read from a token that reads nothing", async () => {
  const state = [resource("WhitelistedIp", "office", "7", { ipCidr: "192.0.2.1" })];
  const why = async (token: string) => blindness(driftIn((await check(state, token)).resources));
  expect(await why("powerless")).toEqual([]);
  expect(await why("no-such-token")).toEqual([
    "not verifiable: the platform rejected the token (401): give this job a valid one",
  ]);
  const away = await driftOf({ ...emulator, url: "http://127.0.0.1:9" }, state, "admin", {});
  expect(blindness(driftIn(away.resources))[0]).toMatch(/^not verifiable: cannot reach http:\/\/127\.0\.0\.1:9/);
});

const inputs = { ipCidr: "203.0.113.7" };
const office = (accountId: number) =>
  resource("WhitelistedIp", `office-${accountId}`, "77", inputs, { outputs: { ...inputs, accountId } });
const user = resource("EnabledUser", "ana", "nobody@example.com", { svcUserId: "nobody@example.com" });
const refuse = (...operations: string[]) => answers(emulator, operations, 403, "no");

describe("a token of another account", () => {
  test("is an error that names both accounts, and nothing counts as gone", async () => {
    const report = await check([office(1001), user], "otherAdmin");
    expect(statuses(report)).toEqual(["ana error", "office-1001 error"]);
    expect(report.resources[1]!.reason).toBe(
      "it belongs to account 1001, but the token belongs to account 1002 (Research), so it cannot be checked",
    );
    expect(report.resources[0]!.reason).toMatch(/^the other resources belong to account 1001, but the token/);
    expect(report.accountMismatches).toMatchObject([
      { platform: emulator.url, token: { id: "1002", name: "Research" }, resourceAccounts: ["1001"] },
    ]);
    expect(exitCode(report)).toBe(1);
    expect(headline(report)).toBe(
      `Wrong account: the token for ${emulator.url} belongs to account 1002 (Research), but 2 resources of the stack belong to account 1001`,
    );
    const text = table(readable(report));
    expect(text).toContain("pulumi config set --secret dataplatform:apiToken --stack dev");
    expect(text).not.toContain("pulumi up --refresh");
  });

  test("is found by every type that has an account; what belongs to the token's is read as usual", async () => {
    const more = { outputs: { accountId: 1002, status: "done" } };
    const types = { IpWhitelist: { addresses: ["192.0.2.1"] }, Command: { spark: {} }, DataStore: {} };
    const others = Object.entries(types).map(([type, inputs]) => resource(type, type, "1", inputs, more));
    const report = await check([office(1001), office(1002), user, ...others]);
    const wrong = ["office-1002", "Command", "DataStore", "IpWhitelist"].map((name) => `${name} error`);
    expect(statuses(report).sort()).toEqual(["ana gone", "office-1001 gone", ...wrong].sort());
    for (const { reason } of report.resources.filter(({ status }) => status === "error"))
      expect(reason).toMatch(/belongs to account 1002/);
    expect([report.accountMismatches?.length, exitCode(report)]).toEqual([1, 1]);
  });
});

describe("the account of a token", () => {
  const accountOf = (token: string) => accountOfToken(forTest(hostAt(emulator, { token, retries: 0 }).client));

  test("comes from the account, else from the whitelist, else from the command history", async () => {
    expect(await accountOf("otherAdmin")).toEqual({ id: "1002", name: "Research" });
    refuse("account.view");
    expect(await accountOf("otherAdmin")).toEqual({ id: "1002" });
    refuse("account.view", "whitelist.list");
    expect(await accountOf("admin"), "nothing was ever submitted").toBeUndefined();
    const command = { command_type: "SparkCommand", language: "sql", sql: "select 1" };
    await request(emulator, "POST", "/api/v1.2/commands/", command);
    expect(await accountOf("admin")).toEqual({ id: "1001" });
  });

  test("unknown: what is not found may be in another account", async () => {
    expect(await accountOf("powerless")).toBeUndefined();
    const refused = { operation: ["account.view", "commands.history"], kind: "respond" as const, status: 403 };
    const empty = { kind: "respond" as const, status: 200, body: { account_whitelisted_ips: [] } };
    emulator.setFaults({ rules: [refused, { ...empty, operation: "whitelist.list" }] });
    const report = await check([office(1001)]);
    const reason = /is not found, but .* it is in account 1001, and the token may not view its account/;
    expect(report.resources[0]).toMatchObject({ status: "unverifiable", reason: expect.stringMatching(reason) });
    expect(exitCode(report)).toBe(0);
  });
});
