import { describe, expect, test } from "vitest";
import { refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { get, post, account } = testEmulator({ extended: true });

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
