import { describe, expect, test } from "vitest";
import { group } from "../../../provider/resources/group";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { role } from "../../../provider/resources/role";
import { accountOf, freshEmulator, ownEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });

const assigned = (id = 205, platform = emulator) => {
  const { roles } = accountOf(platform).groups.find((one) => one.id === id)!;
  return roles.toSorted();
};
const behind = (change: "assign" | "unassign", role: number | string, id = 205) =>
  request(emulator, "PUT", `/api/v1.2/groups/${id}/roles/${role}/${change}`, {});
const on = () => inProcess(groupRoles, emulator, { extended: true });
const off = () => inProcess(groupRoles, emulator);
const writes = () => {
  const { counts } = emulator.requests(0);
  return [counts["groups.assignRole"] ?? 0, counts["groups.unassignRole"] ?? 0];
};

describe("with the extended API", () => {
  test("a role that the same run renames is still its own", async () => {
    const policies = [{ access: "allow", resource: "note", action: ["read"] }];
    const made = await inProcess(role, emulator, { extended: true }).life.create({ name: "one", policies });
    const { id, state } = await on().life.create({ groupId: 205, roles: ["one"] });
    const run = inOneRun(emulator, { extended: true });
    await run(role).life.update(made.id, made.state, { name: "two", policies });
    const { life, said } = run(groupRoles);
    const { state: renamed } = await life.update(id, state, { groupId: 205, roles: ["two"] });
    expect([renamed, said.warnings]).toEqual([{ ...state, roles: ["two"] }, []]);
    await on().life.delete(id, renamed);
    expect(assigned()).toEqual([]);
  });

  test("two roles that swap their names in one run stay two", async () => {
    const policies = [{ access: "allow", resource: "note", action: ["read"] }];
    const { life } = inProcess(role, emulator, { extended: true });
    const [a, b] = [await life.create({ name: "one", policies }), await life.create({ name: "two", policies })];
    const { id, state } = await on().life.create({ groupId: 205, roles: ["one"] });
    const run = inOneRun(emulator, { extended: true });
    for (const [{ id, state }, name] of [
      [a, "three"],
      [b, "one"],
    ] as const)
      await run(role).life.update(id, state, { name, policies });
    await run(role).life.update(a.id, { ...a.state, name: "three" }, { name: "two", policies });
    await run(groupRoles).life.update(id, state, { groupId: 205, roles: ["two"] });
    expect(assigned()).toEqual([Number(a.id)]);
  });

  test("a group that is gone has no roles, and gets none", async () => {
    expect(await on().life.read("299", { groupId: 299, roles: ["analyst"] })).toBeUndefined();
    await on().life.delete("299", { groupId: 299, roles: ["analyst"] });
    await expect(on().life.create({ groupId: 299, roles: ["analyst"] })).rejects.toThrow("there is no group 299");
    expect(writes()).toEqual([0, 0]);
  });
});

describe("exclusive", () => {
  const inputs = { groupId: 205, roles: ["analyst"], exclusive: true };

  test("a system group keeps its own role", async () => {
    const { id, state } = await on().life.create({ ...inputs, groupId: 201 });
    expect(await on().life.read(id, state)).toEqual({ id, state });
    emulator.clearRequests();
    await on().life.update(id, state, { ...inputs, groupId: 201, roles: ["302"] });
    expect([assigned(201), writes()]).toEqual([[302], [1, 1]]);
    await on().life.update(id, state, { ...inputs, groupId: 201, roles: [] });
    expect(assigned(201)).toEqual([]);
  });

  test("nothing is changed where the installation does not show the roles", async () => {
    const half = await ownEmulator({ extended: ["groups.list", "roles.list"] });
    const { life, said } = inProcess(groupRoles, half, { extended: true });
    const refusal = "the roles of group 205 were not changed: this installation";
    await life.foresee(undefined, inputs);
    expect([said.infos, said.warnings.at(-1)]).toEqual([
      [],
      expect.stringContaining(`"pulumi up" will fail: ${refusal}`),
    ]);
    await expect(life.create(inputs)).rejects.toThrow(refusal);
    expect(half.requests(0).counts["groups.assignRole"]).toBeUndefined();
  });
});

describe("without the extended API", () => {
  test("on and off by turns, it remembers what was there before", async () => {
    await behind("assign", 303);
    const { id, state } = await on().life.create({ groupId: 205, roles: ["analyst", "303"] });
    const inputs = { groupId: 205, roles: ["303", "302"] };
    const { state: changed } = await off().life.update(id, state, inputs);
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
  ])("or on an installation that does not show enough, only assigns and unassigns: %j", async (one) => {
    const { isOff = false, extended, readings } = one;
    const half = await ownEmulator({ extended, readings });
    const its = () => inProcess(groupRoles, half, { extended: !isOff }).life;
    await request(half, "PUT", "/api/v1.2/groups/205/roles/301/assign", {});
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
});

describe("what other resources of the run declare", () => {
  const run = (extended = true) => inOneRun(emulator, { extended });

  test("the same role in other words is an error at preview, and at the update", async () => {
    const of = run();
    const inputs = { groupId: 204, roles: ["301"] };
    of(group).life.check({ name: "analysts", roles: ["analyst"] }, { who: "1", name: "team" });
    expect(of(groupRoles).life.check(inputs, { who: "2", name: "all" }).failures).toEqual([]);
    const says = /declares role 301 of group analysts, which Group "team" in this program also declares/;
    await expect(of(groupRoles).life.foresee(undefined, inputs)).rejects.toThrow(says);
    await expect(of(groupRoles).life.create(inputs)).rejects.toThrow(says);
  });

  test.each([true, false])("stays when it is dropped here, or destroyed (extended API: %s)", async (isExtended) => {
    const of = run(isExtended);
    const { life, said, id, state } = await createdBy(of(groupRoles), { groupId: 205, roles: ["analyst", "302"] });
    of(groupRoleAssignment).life.check({ groupId: 205, role: "302" }, { who: "1", name: "one", old: {} });
    const { state: less } = await life.update(id, state, { groupId: 205, roles: ["analyst"] });
    expect([assigned(), said.infos.join()]).toEqual([
      [301, 302],
      expect.stringContaining('(GroupRoleAssignment "one")'),
    ]);
    const next = run(isExtended);
    next(groupRoleAssignment).life.check({ groupId: 205, role: "302" }, { who: "1", name: "one", old: {} });
    await next(groupRoles).life.delete(id, { ...less, roles: ["analyst", "302"] });
    expect(assigned()).toEqual([302]);
  });

  test("a role that another resource of the stack gives up is taken over, not found", async () => {
    const of = run();
    await behind("assign", 301);
    // It had the role and is declared with another one now.
    const given = { who: "1", name: "one", old: { groupId: 205, role: "analyst" } };
    of(groupRoleAssignment).life.check({ groupId: 205, role: "302" }, given);
    const { state } = await of(groupRoles).life.create({ groupId: 205, roles: ["301"] });
    expect(state["alreadyAssigned"]).toEqual([]);
  });
});

describe("import", () => {
  test("reads all roles of the group, and destroy unassigns them", async () => {
    for (const role of [301, 303]) await behind("assign", role);
    const { life } = on();
    const imported = await life.read("205", {});
    expect(imported).toMatchObject({ id: "205", state: { groupId: 205, roles: ["analyst", "data-engineer"] } });
    const preview = life.diff(imported!.state, { groupId: 205, roles: ["data-engineer", "analyst"] });
    expect(preview).toMatchObject({ changed: [], unseen: [] });
    await life.delete("205", imported!.state);
    expect(assigned()).toEqual([]);
    expect((await life.read("201", {}))?.state["roles"], "without the role of the system group").toEqual([]);
  });

  test("is a clear error where nothing shows the roles", async () => {
    await expect(off().life.read("205", {})).rejects.toThrow(/cannot be imported: .* Set dataplatform:extendedApi/);
    const half = await ownEmulator({ extended: ["groups.list"] });
    const { life } = inProcess(groupRoles, half, { extended: true });
    await expect(life.read("205", {})).rejects.toThrow(/the roles of group 205 were not read: this installation/);
    await expect(on().life.read("205/analyst", {})).rejects.toThrow("is not a group id; expected an id such as 204");
  });
});

describe("a group by its name", () => {
  test("is the same resource as by its id, which an import shows", async () => {
    await behind("assign", 302);
    const { id, state } = await on().life.create({ groupId: "operators", roles: ["analyst"] });
    expect(assigned()).toEqual([301, 302]);
    expect(await on().life.read(id, state)).toEqual({ id, state });
    await expect(on().life.read("operators", {})).resolves.toMatchObject({
      id: "205",
      state: { groupId: 205, roles: expect.arrayContaining(["analyst"]) },
    });
    await on().life.delete(id, state);
    expect(assigned()).toEqual([302]);
  });

  test("is refused at preview without the extended API", () => {
    expect(off().life.check({ groupId: "operators", roles: ["analyst"] }).failures).toEqual([
      { property: "groupId", reason: expect.stringContaining('is "operators", which needs the extended API') },
    ]);
    expect(off().life.check({ groupId: "205", roles: ["analyst"] }).failures).toEqual([]);
  });
});
