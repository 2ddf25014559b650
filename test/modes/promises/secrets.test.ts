import { describe, expect, test } from "vitest";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import type { Outcome, Program, ResourceSpec } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";
import { messagesOf, quick } from "./shared";

/** Secret inputs, valid or not, marked by the definition or the program, appear in no output, id or state. */

const secret = (value: unknown) => ({ $secret: value });
const pem = "-----BEGIN KEY-----\nCanaryPrivateKeyLine0123456789\n-----END KEY-----\n";

const gateway = { gatewayIp: "10.0.0.1", gatewayUsername: "jump", gatewayPrivateKey: pem };
const store = { dbHost: "db.example.com", dbName: "sales", dbLocation: "us-east-1", ...gateway };
const grant = { sourceType: "note", sourceId: secret("CanaryNote"), user: 104, allow: secret(["CanaryAction"]) };

/** Each fails at preview, and its canary must not be printed with the failure. */
const bad: readonly [what: string, flag: string, it: ResourceSpec, says: RegExp][] = [
  [
    "a secret of the definition",
    "--diff",
    { type: "DataStore", args: store },
    /gatewayPrivateKey is allowed only when dbLocation is .*on-premise/,
  ],
  ["secrets of the program", "--json", { type: "ObjectGrant", args: grant }, /allow.*expected one of/],
];

/** Valid values, each marked as secret by the program. All but the record ids are canaries. */
const good: Program = {
  ip: { type: "WhitelistedIp", args: { ipCidr: secret("203.0.113.73") } },
  ips: { type: "IpWhitelist", args: { addresses: [secret("198.51.100.73")], keep: secret(["198.51.100.74"]) } },
  role: { type: "GroupRoleAssignment", args: { groupId: 205, role: secret("security-officer") } },
  roles: { type: "GroupRoles", args: { groupId: 206, roles: secret(["data-engineer"]) } },
  grant: {
    type: "ObjectGrant",
    args: { sourceType: "note", sourceId: "502", user: 104, allow: secret(["read", "manage"]), deny: ["delete"] },
  },
  packages: {
    type: "PackageSet",
    args: { envId: 403, sourceType: "python_package", packages: secret(["canarypackage==1.0.0"]) },
  },
  user: { type: "EnabledUser", args: { svcUserId: secret("disabled@analytics.example.com") } },
  folder: {
    type: "Folder",
    args: { folderId: "704", type: "notebook_dashboards", name: secret("CanaryName"), location: "Common/boards" },
  },
  policy: {
    type: "FolderPolicy",
    args: { type: "notes", location: secret("Common/reports"), policy: [{ access: "allow" }] },
  },
  store: {
    type: "DataStore",
    args: {
      name: secret("CanaryStore"),
      dbHost: secret("canary.example.com"),
      dbName: "sales",
      dbPasswd: "Canary-Passwd",
    },
  },
  command: { type: "Command", args: { spark: { sql: secret("select CanarySql") }, label: secret("CanaryLabel") } },
  sensor: {
    type: "PartitionSensor",
    args: { schema: "default", table: secret("daily_ticks"), columns: [{ column: "dt", values: ["2024-01-01"] }] },
  },
  account: { type: "Account", args: { name: secret("CanaryTeam"), subAccountCreation: true } },
};
const canaries = [
  ...[
    "203.0.113.73",
    "198.51.100.73",
    "198.51.100.74",
    "security-officer",
    "data-engineer",
    "canarypackage",
    "disabled@analytics",
  ],
  ...["disabled%40analytics", "Common/reports", "Common%2Freports", "daily_ticks", "canary.example.com"],
  ...["CanaryName", "CanaryStore", "Canary-Passwd", "CanarySql", "CanaryLabel", "CanaryTeam"],
];

describe(`in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });

  test.each(bad)("a bad value beside %s (preview %s)", async (_, flag, it, says) => {
    stack.write({ it });
    const outcome = await stack.operate("preview", flag);
    expect(outcome.code).not.toBe(0);
    expect(outcome.text.replaceAll('\\\\"', '"')).toMatch(says);
    expect(outcome.text).not.toContain("Canary");
  });

  test("a wrong argument of a function that is marked as secret is not printed, and nothing is sent", async () => {
    const spark = { program: secret("CanarySql"), language: secret("CanaryLanguage") };
    stack.write({ call: { type: "submitCommand", args: { spark, timeout: secret("CanaryTimeout") } } });
    const outcome = await stack.preview();
    expect(outcome.code).not.toBe(0);
    expect(outcome.text).toMatch(/must be a number/);
    expect(outcome.text).not.toContain("Canary");
    expect(emulator.requests().counts["commands.submit"]).toBeUndefined();
  });

  const found = (text: string) => canaries.filter((canary) => text.includes(canary));

  async function expectSilence(outcome: Outcome): Promise<void> {
    expect(found(outcome.text), outcome.text).toEqual([]);
    const { resources, text } = await stack.exportState();
    for (const { id, inputs, outputs, urn } of resources)
      expect(found(JSON.stringify([id, inputs, outputs])), urn).toEqual([]);
    expect(found(text)).toEqual([]);
  }

  const chapter = story();
  chapter("valid values marked as secret appear in no output, id or state", async () => {
    await expectSilence(await expectOk(stack.up(good)));
    expect(addressesOf(emulator).sort()).toEqual(["198.51.100.73", "203.0.113.73"]);
    const { stdout } = await stack.pulumi("stack", "export", "--show-secrets", "--stack", "test");
    expect(found(stdout), "present for those who may see secrets").toEqual(
      expect.arrayContaining(canaries.filter((canary) => !canary.includes("%"))),
    );
    await expectSilence(await expectOk(stack.refresh()));
  });

  chapter("nor in messages about platform errors, however the platform spells them", async () => {
    const refuse = (operation: string, said: string) => ({
      ...{ operation, kind: "respond" as const, status: 422 },
      body: { error: { error_code: 422, error_message: `refused: ${said}` } },
    });
    emulator.setFaults({
      rules: [
        refuse("package.add", "CANARYPACKAGE == 2.0.0"),
        refuse("folders.policy", encodeURIComponent("Common/reports")),
        refuse("dbTaps.create", Buffer.from("Canary-Passwd").toString("base64")),
        refuse("account.createV2", "C a n a r y T e a m 2"),
      ],
    });
    const changed = (name: string, args: object) => ({
      [name]: { ...good[name]!, args: { ...good[name]!.args, ...args } },
    });
    stack.write({
      ...good,
      ...changed("packages", { packages: secret(["canarypackage==2.0.0"]) }),
      ...changed("policy", { policy: [{ access: "deny" }] }),
      ...changed("store", { dbName: "sales2" }),
      ...changed("account", { name: secret("CanaryTeam2") }),
    });
    const outcome = await stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
    emulator.clearFaults();
    expect(outcome.code).not.toBe(0);
    expect(messagesOf(outcome).match(/\(422\)/g)).toHaveLength(4);
    expect(outcome.text).not.toMatch(/canarypackage|CANARYPACKAGE|Common%2Freports|Q2FuYXJ5|C a n a r y/);
    await expectSilence(outcome);
  });

  chapter("nor in the output of destroy", async () => {
    await expectSilence(await expectOk(stack.destroy()));
    expect(addressesOf(emulator).sort()).toEqual([]);
  });
});
