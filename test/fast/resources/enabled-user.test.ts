import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../provider/core/engine-values";
import { enabledUser } from "../../../provider/resources/enabled-user";
import { statusOf } from "../../cases/enabled-user";
import { answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

describe("EnabledUser with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  const on = () => inProcess(enabledUser, emulator, { extended: true });
  const state = { svcUserId: "104", onDestroy: "disable", email: "analyst@analytics.example.com" };

  test("disables the user if asked to, by id or e-mail address", async () => {
    const { life, said } = on();
    await life.delete("104", state);
    await life.delete("operator@analytics.example.com", { ...state, svcUserId: "operator@analytics.example.com" });
    expect([statusOf(emulator.state(), 104), statusOf(emulator.state(), 105)]).toEqual(["disabled", "disabled"]);
    expect(said.warnings).toEqual([]);
    await life.delete("106", { svcUserId: "106" });
    expect(statusOf(emulator.state(), 106)).toBe("enabled");
    expect(said.warnings).toEqual([expect.stringContaining("user 106 stays enabled: onDestroy is keep")]);
  });

  test("if the answer is lost, the list shows that it worked; a user who is gone needs nothing", async () => {
    emulator.setFaults({ rules: [{ operation: "accounts.disableUser", kind: "reset-after" }] });
    const { life, said } = on();
    await life.delete("104", state);
    expect(statusOf(emulator.state(), 104)).toBe("disabled");
    emulator.clearFaults();
    await life.delete("999", { ...state, svcUserId: "999" });
    expect(said.warnings).toEqual([]);
  });

  test("a user whose id is masked, because the program marked it as a secret, is disabled by the true one", async () => {
    await on().life.delete("[secret]", state);
    expect(statusOf(emulator.state(), 104)).toBe("disabled");
  });

  test("a token that may not disable users is told so, and the user stays in the state", async () => {
    const { life } = inProcess(enabledUser, emulator, { extended: true, token: "analyst" });
    await expect(life.delete("104", state)).rejects.toThrow(/403.*a role that allows disabling users/);
  });

  test("where the installation cannot, a warning says that the user stays enabled", async () => {
    const none = await ownEmulator({ extended: [] });
    const { life, said } = inProcess(enabledUser, none, { extended: true });
    await life.delete("104", state);
    expect(statusOf(none.state(), 104)).toBe("enabled");
    const says = "user 104 (analyst@analytics.example.com) stays enabled: this installation cannot disable a user";
    expect(said.warnings.join("\n")).toContain(says);
  });

  test("without it, disable is an error at preview, and destroy keeps the user with a warning", async () => {
    const { life, said } = inProcess(enabledUser, emulator);
    expect(life.check({ svcUserId: "104", onDestroy: "keep" }).failures).toEqual([]);
    const reason = expect.stringContaining('is "disable", which needs the extended API; set');
    expect(life.check({ svcUserId: "104", onDestroy: "disable" }).failures).toEqual([
      { property: "onDestroy", reason },
    ]);
    await life.delete("104", state);
    expect(statusOf(emulator.state(), 104)).toBe("enabled");
    expect(said.warnings.join()).toContain("stays enabled: the API cannot disable a user");
  });
});

describe("EnabledUser", () => {
  const emulator = freshEmulator();

  test("an e-mail address in another case is not a change", () => {
    const { life } = inProcess(enabledUser, emulator);
    expect(life.diff({ svcUserId: "a@b.c" }, { svcUserId: "A@b.c" }).changed).toEqual([]);
    const imported = { svcUserId: "104", email: "a@b.c" };
    expect(life.diff(imported, { svcUserId: "A@b.c" }).changed).toEqual([]);
    expect(life.diff(imported, { svcUserId: "other@b.c" }).replaces).toEqual(["svcUserId"]);
  });

  test("a user id may be a number or a string", async () => {
    const { life } = inProcess(enabledUser, emulator);
    expect(life.diff({ svcUserId: "107" }, { svcUserId: 107 }).changed).toEqual([]);
    await expect(life.create({ svcUserId: 107 })).resolves.toMatchObject({ id: "107", state: { userId: "17" } });
  });

  const email = "disabled@analytics.example.com";
  test.each([
    [email, "107"],
    ["107", email],
    ["107", "DISABLED@analytics.example.com"],
  ])("%s is no other user than %s: nothing is sent, and nothing warns", async (before, after) => {
    const { life, said } = inProcess(enabledUser, emulator);
    const { id, state } = await life.create({ svcUserId: before });
    const { email: _, ...older } = state;
    for (const recorded of [state, older]) {
      expect((await life.plan(id, recorded, { svcUserId: after })).replaces).toEqual([]);
      expect(await life.update(id, recorded, { svcUserId: after })).toMatchObject({ id, state: { svcUserId: after } });
    }
    expect([said.warnings, emulator.requests(0).counts["accounts.enableUser"]]).toEqual([[], 1]);
  });

  test.each(["108", "pending1@analytics.example.com", unknownValue])(
    "another user, or one that is not known yet, is another resource: %s",
    async (svcUserId) => {
      const { life, said } = inProcess(enabledUser, emulator);
      const { id, state } = await life.create({ svcUserId: email });
      expect((await life.plan(id, state, { svcUserId })).replaces).toEqual(["svcUserId"]);
      expect(said.warnings).toEqual([expect.stringContaining(`user ${email} stays enabled`)]);
    },
  );

  test("where nothing lists users, the id instead of the address may be another user", async () => {
    const { life } = inProcess(enabledUser, emulator, { retries: 0 });
    const { id, state } = await life.create({ svcUserId: email });
    answers(emulator, "accounts.getUsers", 403);
    const { life: next } = inProcess(enabledUser, emulator, { retries: 0 });
    expect((await next.plan(id, state, { svcUserId: "107" })).replaces).toEqual(["svcUserId"]);
  });

  test("tokens that the platform lists never leak", async () => {
    const { life, said } = inProcess(enabledUser, emulator);
    const made = await life.create({ svcUserId: "107" });
    const read = await life.read("107", made.state);
    expect(JSON.stringify([made, read, said])).not.toContain("analytics-disabled");
  });

  test("a token that may enable but not list still succeeds, and names the missing permission", async () => {
    answers(emulator, "accounts.getUsers", 403);
    const { life, said, id, state } = await createdBy(inProcess(enabledUser, emulator), { svcUserId: "107" });
    expect([id, state]).toEqual(["107", { svcUserId: "107", accountId: 1001 }]);
    expect(said.warnings.join()).toContain("viewing an account's details");
    await expect(life.read(id, { svcUserId: "107" })).resolves.toEqual({ id, state: { svcUserId: "107" } });
    expect(said.warnings.join()).toContain("cannot check 107, so its state is kept");
  });

  test("many users need one list", async () => {
    const { life } = inProcess(enabledUser, emulator);
    await Promise.all(["101", "102", "104"].map((id) => life.read(id, { svcUserId: id })));
    expect(emulator.requests().counts["accounts.getUsers"]).toBe(1);
  });

  test("import by id or e-mail; a disabled or missing user is not found", async () => {
    const { life } = inProcess(enabledUser, emulator);
    const id = "admin@analytics.example.com";
    expect(await life.read(id, {})).toMatchObject({ id, state: { svcUserId: id, userId: "11" } });
    await expect(life.read("107", {})).resolves.toBeUndefined();
    await expect(life.read("108", {})).resolves.toBeUndefined();
  });
});

describe.each([409, 422])("EnabledUser, where the platform refuses with %s", (status) => {
  const emulator = freshEmulator({ extended: true });
  const on = (retries = 0) => inProcess(enabledUser, emulator, { retries, extended: true }).life;
  const hidden = { operation: "accounts.getUsers", kind: "respond", status: 403 } as const;
  const lost = { operation: "accounts.enableUser", kind: "500", work: "do", nth: 1 } as const;
  const refuses = (words: string, operation = "accounts.enableUser") =>
    ({ operation, kind: "respond", status, body: refusal(words, status) }) as const;
  const state = { svcUserId: "104", onDestroy: "disable" };

  test.each(["User is already enabled", "ana@example.com has already been activated"])(
    "a user who is enabled already is enabled: %s",
    async (words) => {
      emulator.setFaults({ rules: [hidden, refuses(words)] });
      expect((await on().create({ svcUserId: "104" })).state["__open"]).toBeUndefined();
    },
  );

  test("a lost answer settles, in the same run or in the next one, although the token may not list users", async () => {
    const rules = [hidden, lost, refuses("User is already enabled")];
    emulator.setFaults({ rules });
    await on(1).create({ svcUserId: "107" });
    emulator.setFaults({ rules });
    const { id, state: open } = await partOf(on().create({ svcUserId: "107" }));
    expect((await on().update(id, open, { svcUserId: "107" })).state["__open"]).toBeUndefined();
  });

  test("a user who is disabled already is disabled", async () => {
    emulator.setFaults({ rules: [hidden, refuses("User is already disabled", "accounts.disableUser")] });
    await on().delete("104", state);
  });

  test("the list of users counts, whatever the words", async () => {
    answers(emulator, "accounts.enableUser", status, refusal("no", status));
    await on().create({ svcUserId: "104" });
    await expect(on().create({ svcUserId: "107" })).rejects.toThrow(`(${status}): no`);
  });

  const others = ["User is already disabled", "10 users are already active", "already enabled for another account, no"];
  test.each(others)("another refusal is an error: %s", async (words) => {
    emulator.setFaults({ rules: [hidden, refuses(words)] });
    await expect(on().create({ svcUserId: "107" })).rejects.toThrow(words);
    emulator.setFaults({ rules: [hidden, refuses("Users are not disabled here", "accounts.disableUser")] });
    await expect(on().delete("104", state)).rejects.toThrow("not disabled here");
  });
});
