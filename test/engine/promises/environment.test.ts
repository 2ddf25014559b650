import { expect, test } from "vitest";
import { freshEmulator, writesTo } from "../../harness/emulators";
import type { Program, TestStack } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0 });

const account = { name: "blue", storageAccessKey: "canary-key", storageSecretKey: "canary-secret" };
const store = { name: "orders", dbHost: "h", dbName: "n", dbPasswd: "canary-passwd" };
const policy = [
  { access: "allow", action: ["read"], condition: { svcGroups: [205] } },
  { access: "deny", action: ["all", "manage"], condition: { svcGroups: [205] } },
];
/** `manage` is denied by name, because `all` does not cover it. */
const managed = [
  { access: "allow", action: ["read", "manage"], condition: { svcGroups: [205] } },
  { access: "deny", action: ["all"], condition: { svcGroups: [205] } },
];
const refresh = { tableRefresh: { dbName: "default", hiveTable: "daily_ticks" } };

/** The resources of an environment, each by itself. */
const apart: Program = {
  account: { type: "Account", args: account },
  inAccount: { type: "Provider", args: { apiToken: { $ref: "account.authenticationToken" } } },
  whitelist: { type: "IpWhitelist", args: { addresses: ["203.0.113.7"] }, opts: { provider: "inAccount" } },
  orders: { type: "DataStore", args: store },
  "205-analyst": { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
  notebook: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "501", policy } },
  managed: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "502", policy: managed } },
  load: { type: "Command", args: refresh },
};

const together: Program = {
  blue: {
    type: "TeamEnvironment",
    args: {
      account,
      whitelist: { addresses: ["203.0.113.7"] },
      dataStores: { orders: store },
      groups: { analysts: { id: 205, roles: ["analyst"] } },
      objectPolicies: {
        churn: { sourceId: "501", teamMay: ["read"] },
        plan: { sourceId: "502", teamMay: ["read", "manage"] },
      },
      jobs: { load: refresh },
      movedFrom: {
        account: "account",
        accountProvider: "inAccount",
        whitelist: "whitelist",
        "dataStores.orders": "orders",
        "groups.analysts.roles.analyst": "205-analyst",
        "objectPolicies.churn": "notebook",
        "objectPolicies.plan": "managed",
        "jobs.load": "load",
      },
    },
  },
};

const idsOf = async (stack: TestStack) =>
  (await stack.exportState()).resources.flatMap(({ type, id }) => (id ? [`${type.split(/[:/]/).at(-1)} ${id}`] : []));

test("resources move into an environment, and on to the plugin, and nothing is sent", async () => {
  const stack = await ownStack(emulator);
  await expectOk(stack.up(apart));
  const before = await idsOf(stack);
  emulator.clearRequests();
  const moved = await expectOk(stack.up(together));
  expect(moved.changed).toEqual({ blue: "create" });
  expect((await idsOf(stack)).sort()).toEqual(before.sort());
  stack.configure({ mode: "plugin" });
  expect((await expectOk(stack.preview())).changed).toEqual({});
  expect(writesTo(emulator)).toEqual([]);
  expect((await stack.exportState()).text).not.toContain("canary-");
});

test("another account, because of a property that the API cannot change: what belongs to it goes with it", async () => {
  const stack = await ownStack(emulator);
  const green = (name: string): Program => ({
    green: {
      type: "TeamEnvironment",
      args: {
        account: { name },
        inNewAccount: ["whitelist", "dataStores"],
        whitelist: { addresses: ["203.0.113.7"] },
        dataStores: { orders: store },
      },
    },
  });
  const replaced = ["green-account", "green-whitelist", "green-orders"].map((name) => [
    name,
    expect.stringMatching(/replace/),
  ]);
  const accountCalled = (name: string) => emulator.state().accounts.find((one) => one.name === name)!;
  await expectOk(stack.up(green("green")));
  expect((await expectOk(stack.preview(green("lime")))).changed).toMatchObject(Object.fromEntries(replaced));
  // Refused in the middle: the provider is the new account's already, and the next run still finds what was the old one's.
  emulator.setFaults({ rules: [{ operation: "whitelist.add", kind: "respond", status: 403 }] });
  expect((await stack.up()).code).not.toBe(0);
  emulator.clearFaults();
  expect((await expectOk(stack.up())).changed).toMatchObject(Object.fromEntries(replaced));
  expect(emulator.state().accounts.filter(({ name }) => name === "lime")).toHaveLength(1);
  expect(accountCalled("green").whitelist).toEqual([]);
  const lime = accountCalled("lime");
  expect(lime.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(["203.0.113.7"]);
  expect(lime.dataStores).toHaveLength(1);
  expect((await expectOk(stack.preview())).changed).toEqual({});
  await expectOk(stack.destroy());
});
