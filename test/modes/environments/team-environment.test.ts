import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshEmulator, writesTo } from "../../harness/emulators";
import type { Program, TestStack } from "../../harness/stack";
import { expectOk, mode, ownStack } from "../../harness/stacks";

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

describe(`in ${mode} mode`, () => {
  test("resources move into an environment, and on to the plugin, and nothing is sent", async () => {
    const stack = await ownStack(emulator, { mode });
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
    const stack = await ownStack(emulator, { mode });
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
});

/** What data cannot say: transforms, and reaching children. */
const program = `
const pulumi = require("@pulumi/pulumi");
const dataplatform = require("pulumi-dataplatform");
const provider = new dataplatform.Provider("ours", { baseUrl: process.env.PLATFORM, apiToken: process.env.TOKEN, retries: 1 });
const transform = ({ type, props, opts }) =>
  type.endsWith(":DataStore") ? { props: { ...props, port: 5433 }, opts } : undefined;
const blue = new dataplatform.TeamEnvironment(
  "blue",
  {
    account: { name: "blue" },
    inNewAccount: ["whitelist", "dataStores"],
    whitelist: { addresses: pulumi.output(["203.0.113.7"]), wayBackIn: ["198.51.100.10"], exclusive: true },
    dataStores: { orders: { dbHost: "h", dbName: "n", dbPasswd: pulumi.secret("canary-passwd") } },
  },
  { provider, transforms: [transform] },
);
new dataplatform.WhitelistedIp("extra", { ipCidr: "203.0.113.8" }, { provider: blue.accountProvider, dependsOn: blue });
exports.store = blue.dataStores.orders.assignedName;
exports.addresses = blue.whitelist.addresses;
`;

// The mode makes no difference to these: once is enough, with the release's tier.
if (mode === "plugin") {
  test("its provider and its transforms reach its children, and so does the program", async () => {
    const env = {
      PLATFORM: emulator.url,
      TOKEN: emulator.tokens["admin"]!,
      DATAPLATFORM_BASE_URL: "",
      DATAPLATFORM_API_TOKEN: "",
    };
    const stack = await ownStack(emulator, { env });
    writeFileSync(join(stack.folder, "index.js"), program);
    await expectOk(stack.up());
    expect(await stack.outputs()).toEqual({ store: "orders", addresses: ["203.0.113.7", "198.51.100.10"] });
    const [parent, , team] = emulator.state({ secrets: true }).accounts;
    expect(parent!.dataStores).toEqual([]);
    expect(team!.dataStores).toEqual([
      expect.objectContaining({ name: "orders", port: 5433, db_passwd: "canary-passwd" }),
    ]);
    expect(team!.whitelist.map(({ ip_cidr }) => ip_cidr).sort()).toEqual([
      "198.51.100.10",
      "203.0.113.7",
      "203.0.113.8",
    ]);
    const { resources } = await stack.exportState();
    expect(resources.find(({ type }) => type.endsWith(":DataStore"))!.type).toBe("dataplatform:index:DataStore");
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  test("what is wrong with its arguments or its parts is one error, before anything is created; outputs are none", async () => {
    const stack = await ownStack(emulator);
    const stores = { orders: { ...store, dbHost: { $later: "h" } } };
    const blue = (args: object): Program => ({ blue: { type: "TeamEnvironment", args: { ...args } } });
    await expectOk(stack.up(blue({ dataStores: stores })));
    const wrong = await stack.preview(
      blue({ datastores: stores, whitelist: { waybackIn: [] }, groups: { a: { id: 205, roles: "analyst" } } }),
    );
    expect(wrong.code).not.toBe(0);
    expect(wrong.text).toContain("TeamEnvironment blue: datastores is not a known property; did you mean dataStores?");
    expect(wrong.text).toContain("whitelist.waybackIn is not a known property; did you mean wayBackIn?");
    expect(wrong.text).toContain('groups.a.roles must be an array, but is "analyst"; write it as ["analyst"]');
    expect(wrong.text).not.toMatch(/TypeError|IpWhitelist|\bat new TeamEnvironment/);
    const folderPolicies = { a: { type: "notes", location: "Common/a", teamMay: ["read"] } };
    const parts = await stack.preview(blue({ inNewAccount: ["groups"], folderPolicies }));
    expect(parts.code).not.toBe(0);
    expect(parts.text).toContain("TeamEnvironment blue: inNewAccount is set, but there is no new account");
    expect(parts.text).toContain("folderPolicies.a.teamMay is about the groups of the environment, and there are none");
  });
}
