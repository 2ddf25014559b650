import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { emulate, goodCalls, putEntry, refusal, send } from "./calls";
import { seedWithRoles } from "./role-users";

/** The permission table of part 5 of the specification, transcribed independently: operation, system-user may, permission. */
const table: [string, boolean, string][] = [
  ["whitelist.add", true, "editing an account"],
  ["whitelist.list", true, "editing an account"],
  ["whitelist.delete", true, "editing an account"],
  ["commands.submit", true, "submitting a command"],
  ["commands.history", true, "viewing the command history"],
  ["dbTaps.create", false, "creating a data store"],
  ["package.add", true, "updating an environment"],
  ["package.remove", true, "updating an environment"],
  ["folders.rename", true, "submitting a command"],
  ["folders.policy", true, "submitting a command"],
  ["account.create", true, "creating an account"],
  ["account.createV2", true, "creating an account"],
  ["account.view", true, "viewing an account's details"],
  ["accounts.getUsers", true, "viewing an account's details"],
  ["accounts.getUserEmails", true, "viewing an account's details"],
  ["accounts.getPendingUsers", false, "viewing an account's details"],
  ["accounts.enableUser", true, "enabling users"],
  ["hive.list", false, "viewing Hive tables"],
  ["partitionSensor.create", true, "creating a sensor"],
  ["groups.assignRole", true, "assigning roles to a group"],
  ["groups.unassignRole", true, "unassigning roles from a group"],
  ["objectPolicy.set", false, "setting an object policy"],
  ["objectPolicy.view", true, "viewing the object policy"],
];

let emulator: Emulator;

beforeAll(async () => {
  emulator = await emulate({ seed: seedWithRoles() });
});
beforeEach(async () => {
  emulator.reset();
  await putEntry(emulator.url);
});
afterAll(() => emulator.close());

const as = (alias: string, operation: string) => send(emulator.url, emulator.tokens[alias], goodCalls[operation]!);

test("the table names every operation", () => {
  expect(table.map(([operation]) => operation).sort()).toEqual(Object.keys(goodCalls).sort());
});

describe.each(table)("%s", (operation, userMay, permission) => {
  test("system-admin may", async () => {
    expect((await as("admin", operation)).status).toBe(200);
  });

  test(`system-user ${userMay ? "may" : "may not"}`, async () => {
    expect((await as("user", operation)).status).toBe(userMay ? 200 : 403);
  });

  test("a role with the permission is enough", async () => {
    expect((await as(`only ${permission}`, operation)).status).toBe(200);
  });

  test("all other permissions are not, and the error names the missing one", async () => {
    const reply = await as(`allBut ${permission}`, operation);
    expect(reply).toMatchObject({ status: 403, body: refusal(403, new RegExp(`"${permission}"`)) });
  });

  test("a user without permissions may not, and nothing changes", async () => {
    const before = emulator.state({ secrets: true });
    expect((await as("powerless", operation)).status).toBe(403);
    expect(emulator.state({ secrets: true })).toEqual(before);
  });

  test.each([undefined, "", "wrong", "analytics-disabled", "analytics-pending-1"])(
    "token %j is rejected",
    async (token) => {
      const reply = await send(emulator.url, token, goodCalls[operation]!);
      expect(reply).toMatchObject({ status: 401, body: refusal(401, /token|X-AUTH-TOKEN/i) });
    },
  );
});

describe("permissions on a single object", () => {
  test("the owner of an object may set its policy, but no other", async () => {
    expect((await as("owner", "objectPolicy.set")).status).toBe(200);
    const call = goodCalls["objectPolicy.set"]!;
    const other = { ...call, body: { ...(call.body as object), source_id: "502" } };
    expect((await send(emulator.url, emulator.tokens.owner, other)).status).toBe(403);
    expect((await send(emulator.url, emulator.tokens.user, other)).status).toBe(200);
  });

  const folder = (location: string, policy: unknown) => ({
    method: "PUT" as const,
    path: "/api/v1.2/folders/policy",
    body: { location, source_type: "Folder", type: "notes", policy: JSON.stringify(policy) },
  });

  test("a user with manage permission on a folder may set its policy, until the policy removes that permission", async () => {
    const own = "Users/owner@analytics.example.com/private";
    const set = (location: string, policy: unknown) =>
      send(emulator.url, emulator.tokens.owner, folder(location, policy));
    expect((await set("Common/reports", [])).status).toBe(403);
    const manage = { action: ["manage"], condition: { svc_groups: [203] } };
    expect((await set(own, [{ access: "allow", ...manage }])).status).toBe(200);
    const denied = { access: "deny", action: ["manage"], condition: { svc_users: [106] } };
    expect((await set(own, [{ access: "allow", ...manage }, denied])).status).toBe(200);
    expect((await set(own, [])).status).toBe(403);
  });

  test.each([
    ["all does not include manage", [{ access: "allow", action: ["all"], condition: { svc_users: [106] } }], 403],
    ["a group may manage", [{ access: "allow", action: ["manage"], condition: { svc_groups: [203] } }], 200],
    [
      "allowing a user overrides denying a group",
      [
        { access: "deny", action: ["manage"], condition: { svc_groups: [203] } },
        { access: "allow", action: ["manage"], condition: { svc_users: [106] } },
      ],
      200,
    ],
  ])("%s", async (_title, policy, status) => {
    await send(emulator.url, emulator.tokens.admin, folder("Common/reports", policy));
    const reply = await send(emulator.url, emulator.tokens.owner, folder("Common/reports", []));
    expect(reply.status).toBe(status);
  });
});
