import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { emulate, refusal, send } from "./calls";
import { accessCalls, client } from "./extended-calls";
import { seedWithRoles } from "./role-users";

/** Transcribed independently: operation, system-user may, permission. */
const table: [string, boolean, string][] = [
  ["dbTaps.list", true, "viewing all data stores"],
  ["dbTaps.view", true, "viewing a data store's details"],
  ["dbTaps.edit", false, "editing a data store"],
  ["dbTaps.delete", false, "deleting a data store"],
  ["dbTaps.tables", true, "viewing a data store's details"],
  ["groups.list", true, "viewing groups"],
  ["groups.view", true, "viewing groups"],
  ["groups.create", true, "creating a group"],
  ["groups.update", true, "updating a group"],
  ["groups.delete", true, "deleting a group"],
  ["groups.duplicate", true, "creating a group"],
  ["groups.addUsers", true, "adding users to a group"],
  ["groups.removeUsers", true, "deleting users from a group"],
  ["groups.users", true, "viewing users of a group"],
  ["groups.roles", true, "viewing roles of a group"],
  ["roles.list", true, "viewing roles"],
  ["roles.view", true, "viewing roles"],
  ["roles.create", true, "creating roles"],
  ["roles.update", true, "updating roles"],
  ["roles.delete", true, "deleting roles"],
  ["roles.groups", true, "viewing groups of a role"],
  ["roles.duplicate", true, "creating roles"],
  ["accounts.disableUser", true, "disabling users"],
];

let emulator: Emulator;
const { get, post, put, addDataStore, account } = client(() => emulator);

beforeAll(async () => {
  emulator = await emulate({ extended: true, seed: seedWithRoles() });
});
beforeEach(async () => {
  emulator.reset();
  expect(await addDataStore()).toBe(601);
});
afterAll(() => emulator.close());

const as = (alias: string, operation: string) => send(emulator.url, emulator.tokens[alias], accessCalls[operation]!);

test("the table names every operation", () => {
  expect(table.map(([operation]) => operation).sort()).toEqual(Object.keys(accessCalls).sort());
});

describe.each(table)("%s", (operation, userMay, permission) => {
  test(`system-admin may, system-user ${userMay ? "may" : "may not"}`, async () => {
    expect((await as("user", operation)).status).toBe(userMay ? 200 : 403);
    emulator.reset();
    await addDataStore();
    expect((await as("admin", operation)).status).toBe(200);
  });

  test("a role with the permission is enough", async () => {
    expect((await as(`only ${permission}`, operation)).status).toBe(200);
  });

  test("all other permissions are not: the error names the missing one, and nothing changes", async () => {
    const before = emulator.state({ secrets: true });
    for (const alias of [`allBut ${permission}`, "powerless"])
      expect(await as(alias, operation)).toMatchObject({
        status: 403,
        body: refusal(403, new RegExp(`^${operation} .*"${permission}"`)),
      });
    expect(emulator.state({ secrets: true })).toEqual(before);
  });

  test("other accounts are not touched", async () => {
    const before = emulator.state({ secrets: true, account: 1001 });
    await as("otherAdmin", operation);
    expect(emulator.state({ secrets: true, account: 1001 })).toEqual(before);
  });
});

describe("disabling a user", () => {
  const disable = (svc_user_id: string, alias = "admin") => post("/accounts/disable_svc_user", { svc_user_id }, alias);
  const statusOf = (id: number) => account().users.find((user) => user.id === id)?.status;

  test.each(["105", "operator@analytics.example.com", "OPERATOR@analytics.example.com"])(
    "%s is refused from then on, until enabled again",
    async (user) => {
      expect((await get("/account", undefined, "operator")).status).toBe(403);
      expect((await disable(user)).body).toMatchObject({ status: { status_code: 200 } });
      expect((await get("/account", undefined, "operator")).status).toBe(401);
      const listed = (await get("/accounts/get_users")).body.users.find(({ id }: { id: number }) => id === 105);
      expect(listed.disabled).toBe(true);
      await post("/accounts/enable_svc_user", { svc_user_id: user });
      expect((await get("/account", undefined, "operator")).status).toBe(403);
    },
  );

  test("a disabled user stays disabled; a pending one becomes disabled", async () => {
    for (const user of ["107", "108"]) expect((await disable(user)).status).toBe(200);
    expect([statusOf(107), statusOf(108)]).toEqual(["disabled", "disabled"]);
  });

  test.each([
    ["101", 422, /yourself/],
    ["admin@analytics.example.com", 422, /yourself/],
    ["151", 404, /no user 151/],
    ["nobody@example.com", 404, /no user nobody/],
    ["", 422, /svc_user_id/],
  ])("%j is refused", async (user, status, message) => {
    expect(await disable(user)).toMatchObject({ status, body: refusal(status, message) });
    expect(statusOf(101)).toBe("enabled");
  });
});

test("ids are text where the reading says so", async () => {
  emulator.setReadings({ idType: "text" });
  expect((await get("/db_taps/601")).body).toMatchObject({ id: "601", account_id: "1001", user_id: "11" });
  expect((await get("/roles/301")).body).toMatchObject({ id: "301", account_id: "1001" });
});

test("answers that are not shown come in the form of the reading", async () => {
  emulator.setReadings({ notShownAnswer: "204" });
  for (const operation of [
    "groups.duplicate",
    "groups.update",
    "groups.removeUsers",
    "roles.duplicate",
    "roles.update",
  ])
    expect((await as("admin", operation)).status, operation).toBe(204);
  expect((await as("admin", "accounts.disableUser")).status).toBe(204);
  expect((await put("/groups/204/svc_users/106/add", {})).body).toEqual({ status: "done" });
});
