import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { group } from "../../../provider/resources/group";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator, ownEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inOneRun, inProcess } from "../../harness/in-process";

/** The roles of a group: one by one (GroupRoleAssignment), and together (GroupRoles). */

const emulator = freshEmulator({ extended: true });
const on = (definition: AnyResource = groupRoles) => inProcess(definition, emulator, { extended: true });
const off = (definition: AnyResource = groupRoles) => inProcess(definition, emulator);
const assigned = (id = 205, platform = emulator) => rolesOf(platform.state(), id).toSorted();
const assign = (role: number | string, id = 205, platform = emulator) =>
  request(platform, "PUT", `/api/v1.2/groups/${id}/roles/${role}/assign`, {});
const [byName, byId] = [
  { groupId: 205, role: "analyst" },
  { groupId: 205, role: "301" },
];

describe("GroupRoleAssignment with the extended API", () => {
  test("a role whose name the platform stores in small letters is there, unless it has two of them", async () => {
    await on(groupRoleAssignment).life.create(byName);
    const state = { groupId: 205, role: "Analyst" };
    const read = () => on(groupRoleAssignment).life.read("205/Analyst", state);
    expect(await read()).toMatchObject({ state });
    await request(emulator, "POST", "/api/v1.2/roles", { name: "ANALYST", policies: "[]" });
    expect(await read()).toBeUndefined();
  });

  test("at preview, one that the group has already is announced to be taken over", async () => {
    const { life, said } = on(groupRoleAssignment);
    await life.foresee(undefined, byName);
    expect(said.warnings).toEqual([]);
    await assign("analyst");
    await life.foresee(undefined, byName);
    expect(said.warnings).toEqual([expect.stringContaining("group 205 already has role analyst")]);
  });

  test("a role is kept where the token may not see the roles", async () => {
    const half = await ownEmulator({ extended: ["groups.roles", "groups.list", "roles.list"] });
    const { life } = inProcess(groupRoleAssignment, half, { extended: true, token: "powerless" });
    const kept = { id: "206/analyst", state: { groupId: 206, role: "analyst" } };
    expect(await life.read(kept.id, kept.state)).toEqual(kept);
  });

  test("a role that a Group of the same run declares by other names stays", async () => {
    const of = inOneRun(emulator, { extended: true });
    of(group).life.check({ name: "analysts", roles: [301] }, { who: "1", name: "all", old: {} });
    const { life, said } = of(groupRoleAssignment);
    await life.delete("204/analyst", { groupId: 204, role: "analyst" });
    expect(assigned(204)).toEqual([301]);
    expect(said.infos.join()).toContain('group 204 keeps role analyst, because Group "all" declares it');
  });
});

test("a group is changed by one request at a time, because a platform may lock it meanwhile", async () => {
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "latency", latencyMs: 60 }] });
  const roles = ["analyst", "account-editor", "data-engineer"];
  const { life: assignments } = off(groupRoleAssignment);
  for (const work of [
    () => Promise.all(roles.map((role) => assignments.create({ groupId: 205, role }))),
    () => off().life.create({ groupId: 206, roles }),
  ]) {
    const begun = performance.now();
    await work();
    expect(performance.now() - begun).toBeGreaterThan(3 * 55);
  }
});

describe("a role by its name and by its id, where nothing tells that they are the same", () => {
  const state = (role: string) => ({ groupId: 205, role });

  test.each([
    [byName, byId],
    [byId, byName],
  ])("renamed without an alias and spelled in another way, the role stays: %j as %j", async (old, next) => {
    await off(groupRoleAssignment).life.create(old);
    const { life, said } = inOneRun(emulator)(groupRoleAssignment);
    life.check(next, { who: "2", name: "renamed" });
    await life.create(next);
    await life.delete(`205/${old.role}`, old);
    expect(assigned()).toEqual([301]);
    expect(said.infos.join()).toContain(`role ${old.role}, which this run removes, may be the same as ${next.role}`);
  });

  test("of two resources one is removed: the role stays; another role goes", async () => {
    const { life } = inOneRun(emulator)(groupRoleAssignment);
    for (const role of ["analyst", "301", "account-editor"]) await life.create(state(role));
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
      const { id, state: made } = await off(kind).life.create(inputs);
      const of = inOneRun(emulator);
      await of(groupRoleAssignment).life.delete("205/analyst", byName);
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
    await off(groupRoleAssignment).life.create(byName);
    const { life } = inOneRun(emulator)(groupRoleAssignment);
    life.check(byId, { who: "1", name: "one", old: byName });
    life.check(byId, { who: "1", name: "one" });
    emulator.clearRequests();
    await life.delete("205/analyst", byName);
    await life.create(byId);
    const path = "PUT /api/v1.2/groups/205/roles";
    expect([assigned(), writesTo(emulator)]).toEqual([[301], [`${path}/analyst/unassign`, `${path}/301/assign`]]);
  });
});

test.each([
  { extended: true, role: "302" },
  { extended: true, role: "account-editor" },
  { extended: false, role: "302" },
  { extended: false, role: "account-editor", says: "302, which this run removes, may be the same as account-editor" },
])(
  "a role of GroupRoles that an assignment of the run declares stays when it is dropped, or destroyed: %j",
  async ({ extended, role, says = '(GroupRoleAssignment "one")' }) => {
    const inputs = { groupId: 205, roles: ["analyst", "302"] };
    const { id, state } = await inProcess(groupRoles, emulator, { extended }).life.create(inputs);
    const others = () => {
      const of = inOneRun(emulator, { extended });
      of(groupRoleAssignment).life.check({ groupId: 205, role }, { who: "1", name: "one", old: {} });
      return of(groupRoles);
    };
    const { life, said } = others();
    await life.update(id, state, { groupId: 205, roles: ["analyst"] });
    expect([assigned(), said.infos.join()]).toEqual([[301, 302], expect.stringContaining(says)]);
    await others().life.delete(id, state);
    expect(assigned()).toEqual([302]);
  },
);

test("a write with an open outcome is repeated, even after a refresh has cleared the engine's own record of it", async () => {
  const { life } = off(groupRoleAssignment);
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "500", work: "skip" }] });
  const { existing, reason } = await failureOf(life.create(byName));
  expect(reason).toMatch(/its outcome is unknown\. It is kept in the state/);
  emulator.clearFaults();
  const { id, state } = (await life.read(existing.id, existing.state))!;
  expect(life.diff(state, byName)).toMatchObject({ changed: [], replaces: [], redo: true });
  expect(assigned()).toEqual([]);
  const settled = await life.update(id, state, byName);
  expect(assigned()).toEqual([301]);
  expect(life.diff(settled.state, byName)).toMatchObject({ changed: [], redo: false });
});

describe("GroupRoles", () => {
  test("that is exclusive leaves a system group its own role", async () => {
    const inputs = { groupId: 201, exclusive: true };
    const { id, state } = await on().life.create({ ...inputs, roles: ["analyst"] });
    expect(await on().life.read(id, state)).toEqual({ id, state });
    emulator.clearRequests();
    await on().life.update(id, state, { ...inputs, roles: ["302"] });
    expect([assigned(201), writesTo(emulator)]).toEqual([[302], Array(2).fill(expect.stringMatching(/assign$/))]);
    await on().life.update(id, state, { ...inputs, roles: [] });
    expect(assigned(201)).toEqual([]);
  });

  test("that is exclusive changes nothing where the installation does not show the roles", async () => {
    const inputs = { groupId: 205, roles: ["analyst"], exclusive: true };
    const half = await ownEmulator({ extended: ["groups.list", "roles.list"] });
    const { life, said } = inProcess(groupRoles, half, { extended: true });
    const refusal = "the roles of group 205 were not changed: this installation";
    await life.foresee(undefined, inputs);
    expect(said.infos).toEqual([]);
    expect(said.warnings.at(-1)).toContain(`"pulumi up" will fail: ${refusal}`);
    await expect(life.create(inputs)).rejects.toThrow(refusal);
    expect(writesTo(half)).toEqual([]);
  });

  test("with the extended API on and off by turns remembers what was there before", async () => {
    await assign(303);
    const { id, state } = await on().life.create({ groupId: 205, roles: ["analyst", "303"] });
    const { state: changed } = await off().life.update(id, state, { groupId: 205, roles: ["303", "302"] });
    expect([assigned(), changed["alreadyAssigned"]]).toEqual([[302, 303], ["303"]]);
    expect(await on().life.read(id, changed)).toEqual({ id, state: changed });
    await off().life.delete(id, changed);
    expect(assigned()).toEqual([303]);
  });

  test.each([
    { isOff: true, extended: true, readings: {} },
    { extended: [], readings: {} },
    { extended: ["groups.list", "roles.list"], readings: {} },
    { extended: ["groups.roles", "groups.list"], readings: { groupRoles: "ids" as const } },
  ])("without it, or without enough of it, only assigns and unassigns: %j", async (one) => {
    const { isOff = false, extended, readings } = one;
    const half = await ownEmulator({ extended, readings });
    const its = (definition: AnyResource = groupRoles) => inProcess(definition, half, { extended: !isOff }).life;
    const kept = { id: "206/analyst", state: { groupId: 206, role: "analyst" } };
    expect(await its(groupRoleAssignment).read(kept.id, kept.state)).toEqual(kept);
    await assign(301, 205, half);
    half.clearRequests();
    const { id, state } = await its().create({ groupId: 205, roles: ["analyst", "account-editor"] });
    expect(state).not.toHaveProperty("alreadyAssigned");
    expect(await its().read(id, state)).toEqual({ id, state });
    const { state: changed } = await its().update(id, state, { groupId: 205, roles: ["analyst"] });
    expect(assigned(205, half)).toEqual([301]);
    await its().delete(id, changed);
    expect(assigned(205, half), "what was there before, too").toEqual([]);
    const own = Object.keys(half.requests(0).counts).filter((operation) => !operation.startsWith("account"));
    if (isOff) expect(own.sort()).toEqual(["groups.assignRole", "groups.unassignRole"]);
  });

  test("of a role that a Group of the run declares in other words is an error at preview, and at the update", async () => {
    const of = inOneRun(emulator, { extended: true });
    const inputs = { groupId: 204, roles: ["301"] };
    of(group).life.check({ name: "analysts", roles: ["analyst"] }, { who: "1", name: "team" });
    expect(of(groupRoles).life.check(inputs, { who: "2", name: "all" }).failures).toEqual([]);
    const says = /declares role 301 of group analysts, which Group "team" in this program also declares/;
    await expect(of(groupRoles).life.foresee(undefined, inputs)).rejects.toThrow(says);
    await expect(of(groupRoles).life.create(inputs)).rejects.toThrow(says);
  });

  test("takes over a role that another resource of the stack gives up", async () => {
    const of = inOneRun(emulator, { extended: true });
    await assign(301);
    // It had the role and is declared with another one now.
    of(groupRoleAssignment).life.check({ groupId: 205, role: "302" }, { who: "1", name: "one", old: byName });
    const { state } = await of(groupRoles).life.create({ groupId: 205, roles: ["301"] });
    expect(state["alreadyAssigned"]).toEqual([]);
  });

  test("imports all roles of the group, and destroy unassigns them", async () => {
    for (const role of [301, 303]) await assign(role);
    const { life } = on();
    const imported = await life.read("205", {});
    expect(imported).toMatchObject({ id: "205", state: { groupId: 205, roles: ["analyst", "data-engineer"] } });
    const preview = life.diff(imported!.state, { groupId: 205, roles: ["data-engineer", "analyst"] });
    expect(preview).toMatchObject({ changed: [], unseen: [] });
    await life.delete("205", imported!.state);
    expect(assigned()).toEqual([]);
    expect((await life.read("201", {}))?.state["roles"], "without the role of the system group").toEqual([]);
  });

  test("cannot be imported where nothing shows the roles, and says so", async () => {
    await expect(off().life.read("205", {})).rejects.toThrow(/cannot be imported: .* Set dataplatform:extendedApi/);
    const half = await ownEmulator({ extended: ["groups.list"] });
    const { life } = inProcess(groupRoles, half, { extended: true });
    await expect(life.read("205", {})).rejects.toThrow(/the roles of group 205 were not read: this installation/);
  });

  test("of a group by its name is the same as by its id, which an import shows; it needs the extended API", async () => {
    await assign(302);
    const inputs = { groupId: "operators", roles: ["analyst"] };
    const { id, state } = await on().life.create(inputs);
    expect(assigned()).toEqual([301, 302]);
    expect(await on().life.read(id, state)).toEqual({ id, state });
    await expect(on().life.read("operators", {})).resolves.toMatchObject({
      id: "205",
      state: { groupId: 205, roles: expect.arrayContaining(["analyst"]) },
    });
    await on().life.delete(id, state);
    expect(assigned()).toEqual([302]);
    const reason = expect.stringContaining('is "operators", which needs the extended API');
    expect(off().life.check(inputs).failures).toEqual([{ property: "groupId", reason }]);
    expect(off().life.check({ ...inputs, groupId: "205" }).failures).toEqual([]);
  });
});
