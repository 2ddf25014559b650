import { describe, expect, test } from "vitest";
import type { PartialFailure } from "../../../provider/core/guard";
import { groupRoles } from "../../../provider/resources/group-roles";
import { freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess, partOf } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });

const assigned = () =>
  emulator
    .state()
    .accounts[0]!.groups.find(({ id }) => id === 205)!
    .roles.toSorted();
const behind = (change: "assign" | "unassign", role: number) =>
  request(emulator, "PUT", `/api/v1.2/groups/205/roles/${role}/${change}`, {});
const writes = () => {
  const { counts } = emulator.requests(0);
  return [counts["groups.assignRole"] ?? 0, counts["groups.unassignRole"] ?? 0];
};

describe.each([
  { name: "with the extended API", start: () => inProcess(groupRoles, emulator, { extended: true }) },
  { name: "without it", start: () => inProcess(groupRoles, emulator) },
])("failures of GroupRoles $name", ({ start }) => {
  const inputs = { groupId: 205, roles: ["analyst", "302", "303"] };

  test("a lost response is repeated", async () => {
    emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "reset-after", nth: [2] }] });
    const { id, state } = await start().life.create(inputs);
    expect(assigned()).toEqual([301, 302, 303]);
    await start().life.delete(id, state);
    expect(assigned()).toEqual([]);
  });

  test("if every response is lost, the state keeps what may be there, and the next up finishes", async () => {
    emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "reset-after" }] });
    const { id, state } = await partOf(start().life.create(inputs));
    expect(state["__open"]).toBe(true);
    expect(state["roles"]).not.toEqual([]);
    emulator.clearFaults();
    const { state: finished } = await start().life.update(id, state, inputs);
    expect([assigned(), finished["roles"]]).toEqual([[301, 302, 303], inputs.roles]);
    await start().life.delete(id, finished);
    expect(assigned(), "none of them counts as there before").toEqual([]);
  });

  test("a refused role is named, the others stay, and the next up sends only the rest", async () => {
    const { life } = start();
    const wrong = { groupId: 205, roles: ["analyst", "no-such-role", "303"] };
    await expect(life.create(wrong)).rejects.toThrow(
      /could not assign 1 of 3 roles of group 205: no-such-role: .*404.* What was done stays; run the command again/,
    );
    for (const role of [301, 303]) await behind("unassign", role);
    const { id, state } = await partOf(start().life.create(wrong));
    expect([state["roles"], assigned()]).toEqual([
      ["analyst", "303"],
      [301, 303],
    ]);
    emulator.clearRequests();
    await start().life.update(id, state, inputs);
    expect([assigned(), writes()]).toEqual([
      [301, 302, 303],
      [1, 0],
    ]);
  });

  test("nothing is kept if nothing was done", async () => {
    const { life } = inProcess(groupRoles, emulator, { token: "powerless" });
    await expect(life.create(inputs)).rejects.toMatchObject({ code: "forbidden" });
    await expect(start().life.create({ groupId: 205, roles: ["no-such-role"] })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  test("a role stays in the state while its outcome is open, however often the next up fails", async () => {
    emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "reset-after" }] });
    const first = await partOf(start().life.create(inputs));
    const operation = "groups.assignRole";
    emulator.setFaults({ rules: [{ operation, kind: "respond", status: 403, nth: [1] }] });
    const failed = await start()
      .life.update(first.id, first.state, inputs)
      .catch((error: unknown) => (error as PartialFailure).existing ?? first);
    emulator.clearFaults();
    const { id, state } = await start().life.update(failed.id, failed.state, inputs);
    expect(assigned()).toEqual([301, 302, 303]);
    await start().life.delete(id, state);
    expect(assigned()).toEqual([]);
  });

  test("a role that could not be unassigned stays in the state", async () => {
    const { id, state } = await start().life.create(inputs);
    emulator.setFaults({ rules: [{ operation: "groups.unassignRole", kind: "respond", status: 422, nth: [1] }] });
    const { state: half } = await partOf(start().life.update(id, state, { groupId: 205, roles: ["303"] }));
    expect(half["roles"]).toHaveLength(2);
    emulator.clearFaults();
    await start().life.update(id, half, { groupId: 205, roles: ["303"] });
    expect(assigned()).toEqual([303]);
  });
});

const on = () => inProcess(groupRoles, emulator, { extended: true }).life;

test("a group can be named; an import by name has its id, so that both are the same resource", async () => {
  await request(emulator, "PUT", "/api/v1.2/groups/205/roles/302/assign", {});
  const { id, state } = await on().create({ groupId: "operators", roles: ["analyst"] });
  expect(assigned()).toEqual([301, 302]);
  expect(await on().read(id, state)).toEqual({ id, state });
  await expect(on().read("operators", {})).resolves.toMatchObject({
    id: "205",
    state: { groupId: 205, roles: expect.arrayContaining(["analyst"]) },
  });
  await on().delete(id, state);
  expect(assigned()).toEqual([302]);
});

test("without it, a name is named at preview", () => {
  const { life, said } = inProcess(groupRoles, emulator);
  expect(life.check({ groupId: "operators", roles: ["analyst"] }).failures).toEqual([]);
  expect(said.warnings).toEqual([expect.stringContaining('groupId is "operators"; expected the id of a group')]);
});
