import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import {
  accountIn,
  type EmulatorState,
  type LifecycleCase,
  replace,
  same,
  update,
  withExtendedApi,
} from "../harness/lifecycle";

const usersIn = (state: EmulatorState) => accountIn(state).users;
export const statusOf = (state: EmulatorState, id: number) => usersIn(state).find((user) => user.id === id)!.status;

async function disable(emulator: Emulator, id: number): Promise<void> {
  const user = usersIn(emulator.state({ secrets: true })).find((known) => known.id === id);
  await request(emulator, "PUT", "/_emulator/state/users?account=1001", { ...user, status: "disabled" });
}

export const life: LifecycleCase = {
  type: "EnabledUser",
  args: { svcUserId: "107" },
  present: (state) => expect(statusOf(state, 107)).toBe("enabled"),
  absent: (state) => expect([statusOf(state, 107), statusOf(state, 108)]).toEqual(["enabled", "enabled"]),
  disappear: (emulator) => disable(emulator, 107),
  changes: [
    replace(
      "another user, by e-mail",
      { svcUserId: "Pending1@analytics.example.com" },
      // Whether it is another user, and what the new one is called.
      { "accounts.enableUser": 1, "accounts.getUsers": 2 },
      (state, { text }) => {
        expect(statusOf(state, 108)).toBe("enabled");
        expect(text).toContain("user 107 (disabled@analytics.example.com) stays enabled");
      },
    ),
    update("the same user by id", { svcUserId: "108" }, { "accounts.enableUser": 0 }, (_state, { text }) =>
      expect(text).not.toContain("stays enabled"),
    ),
  ],
  kept: "user ID (pending1@analytics.example.com) stays enabled: the API cannot disable a user",
  imported: { svcUserId: "Pending1@analytics.example.com" },
  bad: [
    [{ svcUserId: "" }, "svcUserId", "is empty; expected an id"],
    [{ svcUserId: "107,108" }, "svcUserId", "a list; declare one resource per user"],
  ],
  badLater: { args: { svcUserId: { $later: "107,108" } }, says: "a list; declare one resource per user" },
  forbidden: { token: "powerless", says: "enabling users" },
};

export const extended = withExtendedApi(life, {
  args: { svcUserId: "107", onDestroy: "disable" },
  absent: (state) => expect(statusOf(state, 107)).toBe("disabled"),
  disappear: (emulator) => disable(emulator, 107),
  changes: [
    same(
      "the same user by e-mail stays enabled",
      { svcUserId: "disabled@analytics.example.com", onDestroy: "disable" },
      (state) => expect(statusOf(state, 107)).toBe("enabled"),
    ),
    update("onDestroy", { svcUserId: "disabled@analytics.example.com", onDestroy: "keep" }),
    update("onDestroy again, and the id", { svcUserId: "107", onDestroy: "disable" }, { "accounts.enableUser": 0 }),
  ],
  imported: { svcUserId: "disabled@analytics.example.com" },
});
