import { describe, expect, test } from "vitest";
import { readable } from "../../../cli/drift/readable";
import { type DriftReport, exitCode, headline } from "../../../cli/drift/report";
import { accountOfToken } from "../../../cli/platform/accounts";
import { answers, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { hostAt } from "../../harness/in-process";
import { forTest } from "../../harness/shared";
import { driftOf, resource } from "./drift-state";
import { table } from "./rendered";

const emulator = freshEmulator();

const inputs = { ipCidr: "203.0.113.7" };
const office = (accountId: number) =>
  resource("WhitelistedIp", `office-${accountId}`, "77", inputs, { outputs: { ...inputs, accountId } });
const user = resource("EnabledUser", "ana", "nobody@example.com", { svcUserId: "nobody@example.com" });
const refuse = (...operations: string[]) => answers(emulator, operations, 403, "no");
const statuses = ({ resources }: DriftReport) => resources.map(({ name, status }) => [name, status]);

describe("a token of another account", () => {
  test("is an error that names both accounts, and nothing counts as gone", async () => {
    const report = await driftOf(emulator, [office(1001), user], "otherAdmin");
    expect(statuses(report)).toEqual([
      ["ana", "error"],
      ["office-1001", "error"],
    ]);
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

  test("when only some resources belong to another account, the others are read as usual", async () => {
    const report = await driftOf(emulator, [office(1001), office(1002), user]);
    expect(statuses(report)).toEqual([
      ["ana", "gone"],
      ["office-1001", "gone"],
      ["office-1002", "error"],
    ]);
    expect(exitCode(report)).toBe(1);
  });

  test.each([
    ["an IpWhitelist", "IpWhitelist", { addresses: ["192.0.2.1"] }],
    ["a command", "Command", { spark: {} }],
    ["a data store, which cannot be read", "DataStore", {}],
  ])("is found by %s", async (_, type, inputs) => {
    const state = resource(type, "it", "1", inputs, { outputs: { accountId: 1002, status: "done" } });
    const { resources, accountMismatches } = await driftOf(emulator, [state]);
    expect(resources[0]).toMatchObject({ status: "error", reason: expect.stringMatching(/belongs to account 1002/) });
    expect(accountMismatches).toHaveLength(1);
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
    emulator.setFaults({
      rules: [
        { operation: ["account.view", "commands.history"], kind: "respond", status: 403, body: "no" },
        { operation: "whitelist.list", kind: "respond", status: 200, body: { account_whitelisted_ips: [] } },
      ],
    });
    const report = await driftOf(emulator, [office(1001)]);
    const reason = /is not found, but .* it is in account 1001, and the token may not view its account/;
    expect(report.resources[0]).toMatchObject({ status: "unverifiable", reason: expect.stringMatching(reason) });
    expect(exitCode(report)).toBe(0);
  });
});
