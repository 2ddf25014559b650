import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { resources } from "../../../provider/resources";
import { expectOk } from "../../harness/outcomes";
import { type Program, TestStack } from "../../harness/stack";
import { story } from "../../harness/story";

const policy = [{ access: "allow", action: ["read"], condition: { svcGroups: [204] } }, { access: "deny" }];

/** One of each type, with secrets, omitted defaults and nested values. */
const program: Program = {
  whitelistedIp: { type: "WhitelistedIp", args: { ipCidr: "2001:DB8::7" } },
  ipWhitelist: { type: "IpWhitelist", args: { addresses: ["203.0.113.8", "198.51.100.0/24"] } },
  account: {
    type: "Account",
    args: { name: "Blue", storageAccessKey: "canary-key", storageSecretKey: "canary-secret" },
  },
  dataStore: {
    type: "DataStore",
    args: {
      dbType: "postgresql",
      dbHost: "h",
      dbName: "n",
      dbUser: "u",
      dbPasswd: "canary-passwd",
      dbLocation: "eu-west-1",
    },
  },
  groupRoleAssignment: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
  groupRoles: { type: "GroupRoles", args: { groupId: 206, roles: ["analyst", "302"] } },
  objectPolicy: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "501", policy } },
  objectGrant: { type: "ObjectGrant", args: { sourceType: "note", sourceId: "502", user: 104, allow: ["read"] } },
  folderPolicy: { type: "FolderPolicy", args: { type: "notes", location: "Common/reports", policy } },
  folderGrant: {
    type: "FolderGrant",
    args: { type: "notes", location: "Common/reports/weekly", group: 204, allow: ["read"] },
  },
  packageSet: {
    type: "PackageSet",
    args: { envId: 401, sourceType: "python_package", packages: ["pyarrow", { name: "xgboost", version: "2.1.1" }] },
  },
  partitionSensor: {
    type: "PartitionSensor",
    args: { schema: "default", table: "page_views", columns: [{ column: "dt", values: ["2024-01-01"] }] },
  },
  enabledUser: { type: "EnabledUser", args: { svcUserId: "107" } },
  folder: {
    type: "Folder",
    args: { folderId: "704", type: "notebook_dashboards", location: "Common/boards", name: "dashboards" },
  },
  command: { type: "Command", args: { spark: { sql: "select 1" }, name: "once", tags: ["a"] } },
  group: { type: "Group", args: { name: "builders", members: ["user@analytics.example.com"], roles: ["analyst"] } },
  groupMembership: { type: "GroupMembership", args: { group: 206, users: [105, "OWNER@analytics.example.com"] } },
  role: { type: "Role", args: { name: "reporter", policies: [{ access: "allow", resource: "note" }] } },
};

const idsByName = (state: Awaited<ReturnType<TestStack["exportState"]>>) =>
  Object.fromEntries(state.resources.map(({ urn, id }) => [urn.split("::").at(-1), id]));
const names = Object.keys(program);
const sent = (emulator: Emulator) => emulator.requests().requests.map(({ method, path }) => `${method} ${path}`);

test("covers every resource", () => {
  const types = Object.values(program).map(({ type }) => type);
  expect(types.sort()).toEqual(resources.map(({ type }) => type).sort());
});

describe.each([
  { from: "dynamic", to: "plugin" },
  { from: "plugin", to: "dynamic" },
] as const)("a stack made in $from mode", ({ from, to }) => {
  let emulator: Emulator;
  let stack: TestStack;
  beforeAll(async () => {
    emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
    const config = { extendedApi: "true" };
    stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]!, mode: from, config });
    await expectOk(stack.up(program));
  });
  afterAll(async () => {
    stack?.remove();
    await emulator?.close();
  });

  const chapter = story();
  chapter(`moves to ${to} mode with the same ids, nothing replaced and nothing sent`, async () => {
    const before = await stack.exportState();
    emulator.clearRequests();
    stack.configure({ mode: to, extendedApi: "true" });
    const moved = await expectOk(stack.up());
    expect(sent(emulator)).toEqual([]);
    // Back in dynamic mode, the __provider text is added to the state: an update that sends nothing.
    const update = Object.fromEntries(names.map((name) => [name, "update"]));
    expect(moved.changed).toEqual(to === "plugin" ? {} : update);
    const after = await stack.exportState();
    expect(idsByName(after)).toEqual(idsByName(before));
    for (const { type } of after.resources)
      expect(type).toMatch(to === "plugin" ? /^dataplatform:index:/ : /^pulumi-nodejs:dynamic\/dataplatform:/);
    expect(after.text).not.toContain("canary");
  });

  chapter("refresh and preview then show no changes", async () => {
    const refreshed = await expectOk(stack.refresh());
    expect(Object.keys(refreshed.summary), refreshed.text).toEqual(["same"]);
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  chapter(`is destroyed in ${to} mode`, async () => {
    await expectOk(stack.destroy());
    expect((await stack.exportState()).resources).toEqual([]);
    expect(emulator.state().accounts[0]!.whitelist).toEqual([]);
  });
});
