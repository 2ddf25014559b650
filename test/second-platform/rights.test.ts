import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { permissionTexts, type SecondPlatform, startSecondPlatform } from ".";
import { api, Tester } from "./probes/tester";

let platform: SecondPlatform;
let t: Tester;

beforeEach(async () => {
  platform = await startSecondPlatform();
  t = new Tester(platform);
});
afterEach(() => t.close());

const spark = { command_type: "SparkCommand", language: "python", program: "print(1)" };
const element = { access: "allow", action: ["read"], condition: { svc_users: [14], svc_groups: [4] } };
const policyText = JSON.stringify([element]);

describe("permissions", () => {
  const account = { account: { name: "x" } };
  const objects = { source_id: "501", source_type: "note" };
  /** Operation, permission that allows it, whether system-user may. */
  const table: [string, string, unknown, string, boolean][] = [
    ["POST", api.whitelist, { ip_cidr: "192.0.2.5" }, "editing an account", true],
    ["GET", api.whitelist, undefined, "editing an account", true],
    ["DELETE", `${api.whitelist}/1`, undefined, "editing an account", true],
    ["POST", api.commands, spark, "submitting a command", true],
    ["GET", api.commands, undefined, "viewing the command history", true],
    ["POST", api.stores, {}, "creating a data store", false],
    ["POST", api.addPackages, { source_type: "r_package", package_names: "x" }, "updating an environment", true],
    ["DELETE", api.removePackages, { source_type: "r_package", package_names: "x" }, "updating an environment", true],
    ["PUT", api.rename, { name: "x", folder_id: "33" }, "submitting a command", true],
    ["PUT", api.folderPolicy, { location: "Common/archive", policy: policyText }, "submitting a command", true],
    ["POST", api.createAccount, account, "creating an account", true],
    ["POST", api.createAccount2, account, "creating an account", true],
    ["GET", api.account, undefined, "viewing an account's details", true],
    ["GET", api.users, undefined, "viewing an account's details", true],
    ["GET", api.emails, undefined, "viewing an account's details", true],
    ["GET", api.pending, undefined, "viewing an account's details", false],
    ["POST", api.enable, { svc_user_id: "16" }, "enabling users", true],
    ["GET", api.hive, undefined, "viewing Hive tables", false],
    ["POST", api.sensor, { schema: "default", table: "orders", columns: [] }, "creating a sensor", true],
    ["PUT", api.role(6, 1, "assign"), {}, "assigning roles to a group", true],
    ["PUT", api.role(4, 1, "unassign"), {}, "unassigning roles from a group", true],
    ["PUT", api.policy, { ...objects, policy: policyText }, "setting an object policy", false],
    ["GET", api.policy, objects, "viewing the object policy", true],
  ];

  it("follow the table of part 5", async () => {
    for (const [method, path, body, permission] of table) {
      const what = `${method} ${path}`;
      const status = async (token: string | undefined) => (await t.send(method, path, body, { token })).status;
      const before = platform.state();
      expect(await status(undefined), what).toBe(401);
      expect(await status(platform.tokens.powerless), what).toBe(403);
      const others = permissionTexts.filter((text) => text !== permission);
      const wrong = platform.tokenWith(others);
      expect(await status(wrong), what).toBe(403);
      expect(platform.state().whitelist, what).toEqual(before.whitelist);
      expect(platform.state().commands, what).toEqual(before.commands);
      expect(await status(platform.tokenWith([permission])), what).toBe(200);
    }
    const again = new Tester(await startSecondPlatform());
    for (const [method, path, body, , systemUser] of table) {
      const token = again.platform.tokens.systemUser;
      expect((await again.send(method, path, body, { token })).status, path).toBe(systemUser ? 200 : 403);
    }
    await again.close();
  });

  it("allow an object's owner and a folder's manager", async () => {
    const { owner, folderManager } = platform.tokens;
    expect((await t.put(api.policy, { ...objects, policy: policyText }, { token: owner })).status).toBe(200);
    const folder = (location: string) => ({ location, source_type: "Folder", type: "notes", policy: policyText });
    expect((await t.put(api.folderPolicy, folder("Common/archive"), { token: folderManager })).status).toBe(403);
    expect((await t.put(api.folderPolicy, folder("Common/reports"), { token: folderManager })).status).toBe(200);
  });

  it("keep the accounts apart", async () => {
    const token = platform.tokens.otherAccount;
    expect((await t.delete(`${api.whitelist}/1`, undefined, { token })).status).toBe(200);
    expect(platform.state().whitelist.map((one) => `${one.accountId}:${one.id}`)).toContain("101:1");
    expect((await t.send("GET", api.policy, objects, { token })).status).toBe(404);
    expect((await t.get(api.hive, { token })).json).toEqual(["secrets"]);
  });
});
