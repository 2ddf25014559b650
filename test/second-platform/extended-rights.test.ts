import { describe, expect, it } from "vitest";
import { extendedNames, extendedPermissionTexts, permissionTexts, startSecondPlatform } from ".";
import { xapi } from "./probes/extended/paths";
import { api, Tester } from "./probes/tester";

const policies = JSON.stringify([{ resource: "all", action: ["read"], access: "allow" }]);
const folder = { location: "Common/reports", source_type: "Folder", type: "notes" };
const environment = { source_id: "41", source_type: "environment", policy: "[]" };
const invitation = { invitee_email: "x@acme.example", account: "101" };

/** Method, path, body, permission that allows it, whether system-user may. */
const table: [string, string, unknown, string, boolean][] = [
  ["GET", api.stores, undefined, "viewing all data stores", true],
  ["GET", xapi.store(301), undefined, "viewing a data store's details", true],
  ["PUT", xapi.store(301), { db_host: "x" }, "editing a data store", false],
  ["DELETE", xapi.store(301), undefined, "deleting a data store", false],
  ["GET", xapi.groups, undefined, "viewing groups", true],
  ["GET", xapi.group(4), undefined, "viewing groups", true],
  ["POST", xapi.groups, { name: "x" }, "creating a group", true],
  ["PUT", xapi.group(4), { name: "x" }, "updating a group", true],
  ["DELETE", xapi.group(4), undefined, "deleting a group", true],
  ["PUT", xapi.memberChange(4, "11", "add"), {}, "adding users to a group", true],
  ["PUT", xapi.memberChange(4, "14", "remove"), {}, "deleting users from a group", true],
  ["GET", xapi.groupUsers(4), undefined, "viewing users of a group", true],
  ["GET", xapi.groupRoles(4), undefined, "viewing roles of a group", true],
  ["GET", xapi.roles, undefined, "viewing roles", true],
  ["GET", xapi.role(1), undefined, "viewing roles", true],
  ["POST", xapi.roles, { name: "x", policies }, "creating roles", true],
  ["PUT", xapi.role(1), { policies }, "updating a role", true],
  ["DELETE", xapi.role(3), {}, "deleting roles", true],
  ["GET", xapi.roleGroups(1), undefined, "viewing groups of a role", true],
  ["GET", xapi.folderPolicy, folder, "submitting a command", true],
  ["PUT", api.policy, environment, "setting an object policy", false],
  ["GET", xapi.environments, undefined, "reading an environment", true],
  ["GET", xapi.packages(41), undefined, "updating an environment", true],
  ["POST", xapi.createEnvironment, { name: "x" }, "creating an environment", true],
  ["PUT", xapi.environment(41, "update"), { name: "x" }, "updating an environment", true],
  ["PUT", xapi.environment(41, "clone"), {}, "creating an environment", true],
  ["DELETE", xapi.environment(42, "delete"), undefined, "deleting an environment", true],
  ["GET", api.users, undefined, "viewing an account's details", true],
  ["POST", xapi.disable, { svc_user_id: "13" }, "disabling users", true],
  ["POST", xapi.invite, invitation, "inviting users to an account", true],
  ["PUT", api.account, {}, "editing an account", true],
  ["PUT", xapi.account2, {}, "editing an account", true],
  ["GET", xapi.account2, undefined, "viewing an account's details", true],
  ["POST", xapi.whitelist2, { ip_cidr: "192.0.2.5" }, "editing an account", true],
  ["GET", xapi.whitelist2, undefined, "editing an account", true],
  ["DELETE", `${xapi.whitelist2}/1`, undefined, "editing an account", true],
  ["GET", xapi.command(4002), undefined, "viewing command status", true],
  ["PUT", xapi.command(4002), { status: "kill" }, "submitting a command", true],
  ["GET", xapi.logs(4002), undefined, "viewing commands' logs", true],
  ["GET", xapi.errorLogs(4002), undefined, "viewing commands' logs", true],
  ["GET", xapi.results(4002), undefined, "viewing command results", true],
  ["GET", xapi.withResults(4002), undefined, "viewing command status", true],
  ["GET", xapi.table("default", "orders"), undefined, "viewing a table definition", true],
  ["GET", `${xapi.table("default", "orders")}/partitions`, undefined, "viewing a table definition", true],
  ["GET", xapi.table("default", "tables_with_views"), undefined, "viewing a table definition", true],
];

/** Reading an environment is allowed by either of two permissions. */
const alike = [["reading an environment", "updating an environment"]];

describe("permissions of the extended operations", () => {
  it("has a row for each operation", () => {
    expect(table).toHaveLength(extendedNames.length);
  });

  it.each(table)("%s %s", async (method, path, body, permission, systemUser) => {
    const t = new Tester(await startSecondPlatform({ extended: true, statusCourse: "done at once" }));
    const { tokens, tokenWith } = t.platform;
    await t.get(xapi.command(4002));
    const status = async (token: string | undefined) => (await t.send(method, path, body, { token })).status;
    expect(await status(undefined)).toBe(401);
    expect(await status(tokens.powerless)).toBe(403);
    const same = alike.find((pair) => pair.includes(permission)) ?? [permission];
    const others = [...permissionTexts, ...extendedPermissionTexts].filter((text) => !same.includes(text));
    expect(await status(tokenWith(others))).toBe(403);
    if (!systemUser) expect(await status(tokens.systemUser)).toBe(403);
    const right = systemUser && method === "GET" ? [tokens.systemUser] : [];
    for (const token of [...right, tokenWith([permission])]) expect(await status(token)).toBe(200);
    await t.close();
  });

  it("lets system-user change what the table says", async () => {
    for (const [method, path, body, , systemUser] of table) {
      const t = new Tester(await startSecondPlatform({ extended: true, statusCourse: "done at once" }));
      const { status } = await t.send(method, path, body, { token: t.platform.tokens.systemUser });
      expect(status === 403, `${method} ${path}`).toBe(!systemUser);
      await t.close();
    }
  });
});
