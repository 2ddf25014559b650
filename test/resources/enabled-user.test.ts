import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { enabledUser } from "../../provider/resources/enabled-user";
import { request } from "../harness/http";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, lifecycle } from "../harness/lifecycle";

const usersIn = (state: EmulatorState) => state.accounts.find(({ id }) => id === 1001)!.users;
const statusOf = (state: EmulatorState, id: number) => usersIn(state).find((user) => user.id === id)!.status;

async function disable(emulator: Emulator, id: number): Promise<void> {
  const user = usersIn(emulator.state({ secrets: true })).find((known) => known.id === id);
  await request(emulator, "PUT", "/_emulator/state/users?account=1001", { ...user, status: "disabled" });
}

lifecycle({
  type: "EnabledUser",
  args: { svcUserId: "107" },
  present: (state) => expect(statusOf(state, 107)).toBe("enabled"),
  absent: (state) => expect([statusOf(state, 107), statusOf(state, 108)]).toEqual(["enabled", "enabled"]),
  disappear: (emulator) => disable(emulator, 107),
  changes: [
    {
      what: "another user, by e-mail",
      args: { svcUserId: "Pending1@analytics.example.com" },
      expect: "replace",
      calls: { "accounts.enableUser": 1, "accounts.getUsers": 1 },
      after: (state, { text }) => {
        expect(statusOf(state, 108)).toBe("enabled");
        expect(text).toContain("user 107 (disabled@analytics.example.com) stays enabled");
      },
    },
  ],
  kept: "user ID (pending1@analytics.example.com) stays enabled: the API cannot disable a user",
  bad: [
    {
      what: "a name",
      args: { svcUserId: "Dan" },
      property: "svcUserId",
      says: /is "Dan"; allowed is the id of a user/,
    },
    { what: "missing", args: {}, property: "svcUserId", says: "is required" },
    { what: "empty", args: { svcUserId: "" }, property: "svcUserId", says: 'is ""; allowed is' },
    { what: "a number", args: { svcUserId: 107 }, property: "svcUserId", says: "must be a string, but is 107" },
    { what: "two users", args: { svcUserId: "107,108" }, property: "svcUserId", says: "allowed is" },
  ],
  badLater: { args: { svcUserId: { $later: "Dan" } }, property: "svcUserId", says: /allowed is the id of a user/ },
  forbidden: { token: "powerless", says: "enabling users" },
});

describe("EnabledUser", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  test("an e-mail address in another spelling is no change", () => {
    const { life } = inProcess(enabledUser, emulator);
    expect(life.diff("a@b.c", { svcUserId: "a@b.c" }, { svcUserId: "A@b.c" }).changed).toEqual([]);
  });

  test("a user who does not exist is an error, and nothing is kept", async () => {
    const { life } = inProcess(enabledUser, emulator);
    await expect(life.create({ svcUserId: "999" })).rejects.toThrow(/this account has no user 999/);
  });

  test("a lost answer is looked up, not sent again", async () => {
    emulator.setFaults({ rules: [{ operation: "accounts.enableUser", kind: "reset-after" }] });
    const { life } = inProcess(enabledUser, emulator);
    await expect(life.create({ svcUserId: "107" })).resolves.toEqual({
      id: "107",
      state: { svcUserId: "107", userId: "17", email: "disabled@analytics.example.com" },
    });
    expect(emulator.requests().counts["accounts.enableUser"]).toBe(1);
  });

  test("the tokens that the platform lists get nowhere", async () => {
    const { life, said } = inProcess(enabledUser, emulator);
    const made = await life.create({ svcUserId: "107" });
    const read = await life.read("107", made.state);
    expect(JSON.stringify([made, read, said])).not.toContain("analytics-disabled");
  });

  test("a token that may enable but not list still succeeds, and says what is missing", async () => {
    emulator.setFaults({ rules: [{ operation: "accounts.getUsers", kind: "respond", status: 403 }] });
    const { life, said } = inProcess(enabledUser, emulator);
    await expect(life.create({ svcUserId: "107" })).resolves.toEqual({ id: "107", state: { svcUserId: "107" } });
    expect(said.warnings.join()).toContain("viewing an account's details");
    await expect(life.read("107", { svcUserId: "107" })).rejects.toThrow(/viewing an account's details/);
  });

  test("many users cost one list", async () => {
    const { life } = inProcess(enabledUser, emulator);
    await Promise.all(["101", "102", "104"].map((id) => life.read(id, { svcUserId: id })));
    expect(emulator.requests().counts["accounts.getUsers"]).toBe(1);
  });

  test("import by id or e-mail; one who is disabled or absent is not there", async () => {
    const { life } = inProcess(enabledUser, emulator);
    await expect(life.read("admin@analytics.example.com", {})).resolves.toMatchObject({
      id: "admin@analytics.example.com",
      state: { svcUserId: "admin@analytics.example.com", userId: "11" },
    });
    await expect(life.read("107", {})).resolves.toBeUndefined();
    await expect(life.read("108", {})).resolves.toBeUndefined();
    await expect(life.read("nobody", {})).rejects.toThrow(/"nobody" is no id of a user/);
  });
});
