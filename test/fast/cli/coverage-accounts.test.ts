import { beforeEach, describe, expect, test } from "vitest";
import { readable } from "../../../cli/drift/coverage/readable";
import { exitCode, headline } from "../../../cli/drift/coverage/report";
import type { StateResource } from "../../../cli/pulumi/stack";
import { answers, freshEmulator, ownEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { encryptedSecret } from "../../harness/secret-values";
import { forTest } from "../../harness/shared";
import { startSecondPlatform } from "../../second-platform";
import { countOf, coverageOf, extendedApi, fileOf, stackOf, unmanaged } from "./coverage-state";
import { configOf, encrypted, of, prefix, providerOf, resource, table, whitelist } from "./stacks";

const emulator = freshEmulator();
beforeEach(async () => {
  for (const address of ["203.0.113.7", "203.0.113.8"]) await whitelist(emulator, address);
});

/** In the state of account 1001, unless another one is given. */
const address = (name: string, ipCidr: unknown, more: Partial<StateResource> = {}, accountId = 1001) =>
  resource("WhitelistedIp", name, "none", { ipCidr }, { outputs: { ipCidr, accountId }, ...more });
const office = address("office", "203.0.113.7");
const branch = address("branch", "203.0.113.8");

const research = () => {
  const inputs = { baseUrl: emulator.url, apiToken: encrypted(emulator.tokens["otherAdmin"]) };
  return providerOf("pulumi:providers:dataplatform::research", inputs);
};
const lab = () => address("lab", "192.0.2.10", of(research()), 1002);

describe("several stacks", () => {
  test("count together, and the report names all of them", async () => {
    const config = configOf(emulator);
    const report = await coverageOf(stackOf(config, [office]), stackOf(config, [branch], "prod"));
    expect(countOf(report, "address")).toEqual([2, 2]);
    expect(report.stacks).toEqual(["dev", "prod"].map((stack) => ({ project: "shop", stack, resources: 1 })));
    expect(report.accounts, "one account, although two stacks name it").toHaveLength(1);
    expect(table(readable(report))).toContain(": 2 stacks looked at\n");
  });

  test("two tokens of one account count once, and one may read what the other may not", async () => {
    const platform = forTest(await startSecondPlatform());
    const viewer = platform.tokenWith(["viewing an account's details"]);
    const alone = await coverageOf(stackOf(configOf(platform, viewer)));
    expect(alone.unread).toMatchObject([{ what: "the whitelist" }]);
    const both = await coverageOf(stackOf(configOf(platform, viewer)), stackOf(configOf(platform), [], "prod"));
    expect(both.accounts).toHaveLength(1);
    expect(both.unread).toEqual([]);
    expect(both.kinds).toEqual((await coverageOf(stackOf(configOf(platform)))).kinds);
  });

  test("a state file adds to what is managed, by id where the address is encrypted; of other accounts it adds nothing", async () => {
    const id = await whitelist(emulator, "203.0.113.9");
    const hidden = { ...address("hidden", encryptedSecret("v1:x")), id };
    const theirs = address("theirs", "203.0.113.7", {}, 1002);
    const config = configOf(emulator);
    expect(countOf(await coverageOf(stackOf(config), fileOf([hidden])), "address")).toEqual([1, 3]);
    expect(countOf(await coverageOf(stackOf(config), fileOf([theirs])), "address")).toEqual([0, 3]);
    const old = resource("WhitelistedIp", "old", "none", { ipCidr: "203.0.113.7" });
    expect(countOf(await coverageOf(stackOf(config), fileOf([old])), "address"), "the only account").toEqual([1, 3]);
    const report = await coverageOf(stackOf(config, [research(), lab(), office]), fileOf([old]));
    expect(report.notes[0]).toMatch(/^1 resource of other\.json does not say which account/);
  });
});

describe("several accounts", () => {
  test("each explicit provider's account is counted by itself; an import names the provider", async () => {
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.99" }, emulator.tokens["otherAdmin"]);
    const report = await coverageOf(stackOf(configOf(emulator), [research(), lab(), office]));
    expect(report.accounts.map(({ id, name }) => `${id} ${name}`)).toEqual(["1001 Analytics", "1002 Research"]);
    const other = report.unmanaged.find(({ what }) => what === "192.0.2.99")!;
    expect(other.account).toBe(1);
    expect(other.import!.command).toContain(` --provider research=${research().urn} --stack dev `);
    expect(JSON.stringify(report)).not.toContain(emulator.tokens["otherAdmin"]);
    expect(table(readable(report))).toMatch(/account 1002 \(Research\) at http:\S+ +\d +\d +\d +\d/);
  });

  test("the same address in another account is not managed by it, but an account is that its token has created", async () => {
    const made = resource("Account", "research", "1002", { name: "Research" });
    for (const other of [lab(), address("moved", "203.0.113.7", of(research()), 1002)]) {
      const report = await coverageOf(stackOf(configOf(emulator), [research(), other, branch, made]));
      expect(unmanaged(report, "address")).toContain("203.0.113.7");
      expect(countOf(report, "account")).toEqual([1, 2]);
      expect(unmanaged(report, "account")).toEqual(["Analytics"]);
    }
  });

  test("a provider without settings is an error about its account only", async () => {
    const lost = address("lost", "192.0.2.1", { provider: `${prefix}pulumi:providers:dataplatform::gone::p1` });
    const report = await coverageOf(stackOf(configOf(emulator), [lost, office]));
    const why = expect.stringMatching(/not in the state/);
    expect(report.unread).toEqual([{ what: "the account of provider gone of dev", why }]);
    expect(exitCode(report)).toBe(1);
    expect(countOf(report, "address")).toEqual([1, 2]);
  });

  test("a token of another account: both accounts are named, and nothing of that account is counted", async () => {
    const report = await coverageOf(stackOf(configOf(emulator, "otherAdmin"), [office]));
    expect(report.accounts).toEqual([]);
    expect(report.unmanaged).toEqual([]);
    expect(headline(report)).toMatch(/^Wrong account: .* account 1002 \(Research\), but 1 resource .* account 1001$/);
    expect(exitCode({ ...report, minimum: 0 })).toBe(1);
    const text = table(readable(report));
    expect(text).toContain("Use a token of account 1001: pulumi config set --secret dataplatform:apiToken --stack dev");
    expect(text).not.toContain("dataplatform export");
  });
});

describe("what cannot be listed", () => {
  test("is named, with the number of resources, and never counted as managed", async () => {
    const state = [
      resource("DataStore", "d", "1", { dbName: "x", dbHost: "y" }),
      resource("GroupRoleAssignment", "r", "204/analyst", { groupId: "204", role: "analyst" }),
      resource("Folder", "f", "notes/a", { type: "notes", location: "a" }),
      resource("ObjectPolicy", "p", "note/501", { sourceType: "note", sourceId: "501", policy: [] }),
    ];
    const report = await coverageOf(stackOf(configOf(emulator), state));
    expect(report.summary.managed).toBe(0);
    const declared = Object.fromEntries(report.cannotBeListed.map((one) => [one.what, one.declared]));
    expect(declared).toMatchObject({
      "data stores": 1,
      "roles of groups": 1,
      groups: 0,
      "folders and their policies": 1,
      "policies of notebooks, clusters, schedulers and environments": 1,
      "packages of environments": 0,
    });
    expect(report.cannotBeListed[0]!.why).toMatch(/the extended API can \(dataplatform:extendedApi\)/);
    expect(table(readable(report))).toContain("pulumi config set dataplatform:extendedApi true --stack dev");
    expect(exitCode(report)).toBe(0);
  });

  test("an explicit provider without the extended API is named: it does not read the stack's configuration", async () => {
    const report = await coverageOf(stackOf(configOf(emulator, "admin", extendedApi), [research(), lab(), office]));
    const text = table(readable(report));
    expect(text).toContain("the extended API can (set extendedApi on Provider research (Python: extended_api))");
    expect(text).not.toContain("pulumi config set dataplatform:extendedApi");
  });

  test("a list that the token may not read is an error, with the missing permission", async () => {
    answers(emulator, "whitelist.list", 403, "no");
    const report = await coverageOf(stackOf(configOf(emulator)));
    expect(report.unread).toEqual([{ what: "the whitelist", why: expect.stringMatching(/403.*editing an account/) }]);
    expect(countOf(report, "address")).toBeUndefined();
    expect(exitCode(report)).toBe(1);
    expect(headline(report)).toMatch(/; 1 list could not be read$/);
  });

  test("an installation lacks some lists: these are named, the others counted", async () => {
    const platform = await ownEmulator({ extended: ["groups.list", "groups.roles", "roles.list"] });
    const report = await coverageOf(stackOf(configOf(platform, "admin", extendedApi)));
    const unlisted = Object.fromEntries(report.cannotBeListed.map(({ what, why }) => [what, why]));
    expect(unlisted["data stores"]).toMatch(/cannot list the data stores/);
    expect(unlisted).not.toHaveProperty("roles");
    for (const kind of ["group", "group-role"] as const) expect(countOf(report, kind), kind).toBeDefined();
    expect(countOf(report, "data-store")).toBeUndefined();
    expect(exitCode(report)).toBe(0);
  });
});

test("what a stack keeps secret is not shown, even where the platform shows it elsewhere", async () => {
  const extended = await ownEmulator({ extended: true });
  const hidden = resource("Group", "g", "204", { name: encrypted("analysts") });
  const report = await coverageOf(stackOf(configOf(extended, "admin", extendedApi), [hidden]));
  expect(countOf(report, "group")).toEqual([1, 3]);
  expect(unmanaged(report, "member")).toContain("[secret]");
  expect(JSON.stringify(report)).not.toContain("analysts");
  const { accounts } = extended.state({ secrets: true });
  for (const { token } of accounts.flatMap(({ users }) => users)) expect(JSON.stringify(report)).not.toContain(token);
});
