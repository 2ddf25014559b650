import { describe, expect, test } from "vitest";
import { group } from "../../../provider/resources/group";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator, ownEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inOneRun, inProcess } from "../../harness/in-process";

describe("GroupRoleAssignment with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  test("a role whose name the platform stores in small letters is there, unless it has two of them", async () => {
    const { life } = inProcess(groupRoleAssignment, emulator, { extended: true });
    await life.create({ groupId: 205, role: "analyst" });
    const state = { groupId: 205, role: "Analyst" };
    const read = () => inProcess(groupRoleAssignment, emulator, { extended: true }).life.read("205/Analyst", state);
    expect(await read()).toMatchObject({ state });
    await request(emulator, "POST", "/api/v1.2/roles", { name: "ANALYST", policies: "[]" });
    expect(await read()).toBeUndefined();
  });

  test("at preview, one that the group has already is announced to be taken over", async () => {
    const args = { groupId: 205, role: "analyst" };
    const { life, said } = inProcess(groupRoleAssignment, emulator, { extended: true });
    await life.foresee(undefined, args);
    expect(said.warnings).toEqual([]);
    await request(emulator, "PUT", "/api/v1.2/groups/205/roles/analyst/assign", {});
    await life.foresee(undefined, args);
    expect(said.warnings).toEqual([expect.stringContaining("group 205 already has role analyst")]);
  });

  test("a group that is gone has no roles", async () => {
    const { life } = inProcess(groupRoleAssignment, emulator, { extended: true });
    expect(await life.read("299/analyst", { groupId: 299, role: "analyst" })).toBeUndefined();
  });

  test.each([
    { extended: [] as string[], token: "admin", readings: {} },
    { extended: ["groups.list"], token: "admin", readings: {} },
    { extended: ["groups.roles", "groups.list"], token: "admin", readings: { groupRoles: "ids" as const } },
    { extended: ["groups.roles", "groups.list", "roles.list"], token: "powerless", readings: {} },
  ])("what cannot be told is kept: %j", async ({ extended, token, readings }) => {
    const half = await ownEmulator({ extended, readings });
    const { life } = inProcess(groupRoleAssignment, half, { extended: true, token });
    const kept = { id: "206/analyst", state: { groupId: 206, role: "analyst" } };
    expect(await life.read(kept.id, kept.state)).toEqual(kept);
  });

  test("a role that a Group of the same run declares by other names stays", async () => {
    const of = inOneRun(emulator, { extended: true });
    of(group).life.check({ name: "analysts", roles: [301] }, { who: "1", name: "all", old: {} });
    const { life, said } = of(groupRoleAssignment);
    await life.delete("204/analyst", { groupId: 204, role: "analyst" });
    expect(rolesOf(emulator.state(), 204)).toEqual([301]);
    expect(said.infos.join()).toContain('group 204 keeps role analyst, because Group "all" declares it');
  });
});

test("a group is changed by one request at a time, because a platform may lock it meanwhile", async () => {
  const emulator = await ownEmulator();
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "latency", latencyMs: 60 }] });
  const roles = ["analyst", "account-editor", "data-engineer"];
  const { life: assignments } = inProcess(groupRoleAssignment, emulator);
  const { life: whole } = inProcess(groupRoles, emulator);
  for (const work of [
    () => Promise.all(roles.map((role) => assignments.create({ groupId: 205, role }))),
    () => whole.create({ groupId: 206, roles }),
  ]) {
    const begun = performance.now();
    await work();
    expect(performance.now() - begun).toBeGreaterThan(3 * 55);
  }
});

describe("a role by its name and by its id, where nothing tells that they are the same", () => {
  const emulator = freshEmulator();
  const [byName, byId] = [
    { groupId: 205, role: "analyst" },
    { groupId: 205, role: "301" },
  ];
  const state = (role: string) => ({ groupId: 205, role });
  const assigned = () => rolesOf(emulator.state(), 205);
  const sent = (what: "assign" | "unassign") =>
    writesTo(emulator)
      .filter((one) => one.endsWith(`/${what}`))
      .map((one) => one.split("/").at(-2));

  test.each([
    [byName, byId],
    [byId, byName],
  ])("renamed without an alias and spelled in another way, the role stays: %j as %j", async (old, next) => {
    await inProcess(groupRoleAssignment, emulator).life.create(old);
    const of = inOneRun(emulator);
    const { life, said } = of(groupRoleAssignment);
    life.check(next, { who: "2", name: "renamed" });
    await life.create(next);
    await life.delete(`205/${old.role}`, state(old.role));
    expect(assigned()).toEqual([301]);
    expect(said.infos.join()).toContain(`role ${old.role}, which this run removes, may be the same as ${next.role}`);
  });

  test("of two resources one is removed: the role stays; another role goes", async () => {
    const of = inOneRun(emulator);
    const { life } = of(groupRoleAssignment);
    for (const role of ["analyst", "301", "account-editor"]) await life.create({ groupId: 205, role });
    const next = inOneRun(emulator)(groupRoleAssignment);
    next.life.check(byId, { who: "2", name: "stays", old: byId });
    for (const role of ["analyst", "account-editor"]) await next.life.delete(`205/${role}`, state(role));
    expect(assigned()).toEqual([301]);
  });

  test.each([
    { kind: groupRoles, inputs: { groupId: 205, roles: ["301"] } },
    { kind: groupRoles, inputs: { groupId: 205, roles: ["analyst"] } },
    { kind: groupRoleAssignment, inputs: byId },
    { kind: groupRoleAssignment, inputs: byName },
  ])(
    "what an interrupted run has made, and the next one declares after the removal, comes back: $inputs",
    async (one) => {
      const { kind, inputs } = one;
      const { id, state: made } = await inProcess(kind, emulator).life.create(inputs);
      const of = inOneRun(emulator);
      await of(groupRoleAssignment).life.delete("205/analyst", state("analyst"));
      const { life } = of(kind);
      life.check(inputs, { who: "2", name: "later", old: inputs });
      const { changed, replaces } = life.diff(made, inputs);
      expect(changed).not.toEqual([]);
      if (replaces.length === 0) await life.update(id, made, inputs);
      else {
        life.check(inputs, { who: "2", name: "later" });
        await life.delete(id, made);
        await life.create(inputs);
      }
      expect(assigned()).toEqual([301]);
    },
  );

  test("the replacement of one alone sends each once", async () => {
    await inProcess(groupRoleAssignment, emulator).life.create(byName);
    const { life } = inOneRun(emulator)(groupRoleAssignment);
    life.check(byId, { who: "1", name: "one", old: byName });
    life.check(byId, { who: "1", name: "one" });
    emulator.clearRequests();
    await life.delete("205/analyst", state("analyst"));
    await life.create(byId);
    expect([assigned(), sent("unassign"), sent("assign")]).toEqual([[301], ["analyst"], ["301"]]);
  });

  test.each(["dropped", "destroyed"])(
    "of the roles of GroupRoles one is %s: another resource keeps it",
    async (how) => {
      const inputs = { groupId: 205, roles: ["analyst", "302"] };
      const { id, state: made } = await inProcess(groupRoles, emulator).life.create(inputs);
      const of = inOneRun(emulator);
      of(groupRoleAssignment).life.check(byId, { who: "1", name: "one", old: byId });
      const { life } = of(groupRoles);
      if (how === "dropped") await life.update(id, made, { groupId: 205, roles: ["302"] });
      else await life.delete(id, made);
      expect(assigned()).toEqual(how === "dropped" ? [302, 301] : [301]);
    },
  );
});

test("a write with an open outcome is repeated, even after a refresh has cleared the engine's own record of it", async () => {
  const emulator = await ownEmulator();
  const { life } = inProcess(groupRoleAssignment, emulator);
  const args = { groupId: 205, role: "analyst" };
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "500", work: "skip" }] });
  const { existing, reason } = await failureOf(life.create(args));
  expect(reason).toMatch(/its outcome is unknown\. It is kept in the state/);
  emulator.clearFaults();
  const { id, state } = (await life.read(existing.id, existing.state))!;
  expect(life.diff(state, args)).toMatchObject({ changed: [], replaces: [], redo: true });
  expect(rolesOf(emulator.state(), 205)).toEqual([]);
  const settled = await life.update(id, state, args);
  expect(rolesOf(emulator.state(), 205)).toEqual([301]);
  expect(life.diff(settled.state, args)).toMatchObject({ changed: [], redo: false });
});

describe("the id of GroupRoleAssignment", () => {
  test("is split at the first slash", () => {
    expect(groupRoleAssignment.importId.tells?.("205/team/lead")).toEqual({ groupId: 205, role: "team/lead" });
  });
  test.each(["205", "205/", "/analyst", "two words/analyst", ""])("%j is rejected", (id) => {
    expect(() => groupRoleAssignment.importId.tells?.(id)).toThrow("expected groupId/role, such as 204/analyst");
  });
});
