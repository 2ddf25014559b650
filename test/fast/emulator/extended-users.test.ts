import { describe, expect, test } from "vitest";
import { callOf, refusal } from "./calls";
import { extendedRows } from "./extended-calls";
import { testEmulator } from "./test-emulator";

const { emulator, get, post, put, as, addDataStore, account } = testEmulator({ extended: true });

describe("disabling a user", () => {
  const disable = (svc_user_id: string) => post("/accounts/disable_svc_user", { svc_user_id });
  const statusOf = (id: number) => account().users.find((user) => user.id === id)?.status;

  test.each(["105", "operator@analytics.example.com", "OPERATOR@analytics.example.com"])(
    "%s is refused from then on, until enabled again",
    async (user) => {
      const status = async () => (await get("/account", undefined, "operator")).status;
      expect(await status(), "known, without the permission").toBe(403);
      expect((await disable(user)).body).toMatchObject({ status: { status_code: 200 } });
      expect(await status()).toBe(401);
      const { users } = (await get("/accounts/get_users")).body;
      expect(users.find(({ id }: { id: number }) => id === 105).disabled).toBe(true);
      await post("/accounts/enable_svc_user", { svc_user_id: user });
      expect(await status()).toBe(403);
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

test("readings count for extended operations too: ids as text, answers that are not shown", async () => {
  emulator().setReadings({ idType: "text", notShownAnswer: "204" });
  const id = await addDataStore();
  expect((await get(`/db_taps/${id}`)).body).toMatchObject({ id: "601", account_id: "1001", user_id: "11" });
  expect((await get("/roles/301")).body).toMatchObject({ id: "301", account_id: "1001" });
  const silent = /^(groups\.(duplicate|update|removeUsers)|roles\.(duplicate|update)|accounts\.disableUser)$/;
  for (const row of extendedRows.filter(([operation]) => silent.test(operation)))
    expect((await as("admin", callOf(row))).status, row[0]).toBe(204);
  expect((await put("/groups/204/svc_users/106/add", {})).body).toEqual({ status: "done" });
});
