import { describe, expect, test } from "vitest";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { role } from "../../../provider/resources/role";
import { membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator, writesTo } from "../../harness/emulators";
import { fetchOnce } from "../../harness/http";
import { inOneRun } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const on = () => inOneRun(emulator, { extended: true, hurried: true });

/** From now on, these lists stay as they are. */
async function freeze(lists: Readonly<Record<string, string>>): Promise<void> {
  const rules = Object.entries(lists).map(async ([operation, path]) => {
    const answer = await fetchOnce(`${emulator.url}/api/v1.2/${path}`, {
      headers: { "x-auth-token": emulator.tokens["admin"]! },
    });
    return { operation, kind: "respond", status: 200, body: await answer.json() } as const;
  });
  emulator.setFaults({ rules: await Promise.all(rules) });
}

describe("what this run has removed from a group, and a late list still shows", () => {
  const lists = { "groups.users": "groups/205/svc_users", "groups.roles": "groups/205/roles" };
  const memberOf = (group: string | number) => ({ group, users: [owner] });
  const both = { groupId: 205, roles: ["analyst", "data-engineer"] };

  test("is added again: members of the same group in another spelling", async () => {
    const { id, state } = await on()(groupMembership).life.create(memberOf(205));
    await freeze(lists);
    const run = on();
    await run(groupMembership).life.delete(id, state);
    await run(groupMembership).life.create(memberOf("operators"));
    expect(membersIn(emulator.state())).toEqual([105, 106]);
  });

  test("is added again: roles that a replacement unassigns first, and nobody else has put there", async () => {
    const { id, state } = await on()(groupRoles).life.create(both);
    await freeze(lists);
    const run = on();
    await run(groupRoles).life.delete(id, state);
    const { life, said } = run(groupRoles);
    const made = await life.create(both);
    expect([made.state, said.warnings]).toEqual([state, []]);
    expect(rolesOf(emulator.state(), 205)).toEqual([301, 303]);
  });

  test("is added again: a role that moves to a resource that waits for the old one", async () => {
    const { id, state } = await on()(groupRoles).life.create(both);
    await freeze(lists);
    const run = on();
    await run(groupRoles).life.update(id, state, { ...both, roles: ["301"] });
    await run(groupRoles).life.create({ ...both, roles: ["data-engineer"] });
    expect(rolesOf(emulator.state(), 205)).toEqual([301, 303]);
  });

  test("is there once it is added again, in whatever spelling", async () => {
    const { id, state } = await on()(groupRoles).life.create(both);
    await freeze(lists);
    const run = on();
    await run(groupRoles).life.delete(id, state);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: "303" });
    await run(groupRoles).life.create({ groupId: 205, roles: [], exclusive: true });
    expect(rolesOf(emulator.state(), 205)).toEqual([]);
  });
});

test.each([false, true])(
  "a role that another resource declares while a slow removal of several is under way stays; extended: %s",
  async (extended) => {
    const { id, state } = await inOneRun(emulator, { extended })(groupRoles).life.create({
      groupId: 205,
      roles: ["302", "303", "304", "301"],
      adopt: true,
    });
    emulator.setFaults({ rules: [{ operation: "groups.unassignRole", kind: "latency", latencyMs: 80 }] });
    const run = inOneRun(emulator, { extended });
    emulator.clearRequests();
    const removed = run(groupRoles).life.delete(id, state);
    await expect.poll(() => writesTo(emulator).length, { interval: 5 }).toBeGreaterThan(0);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: extended ? "analyst" : "301" });
    await removed;
    expect(rolesOf(emulator.state(), 205)).toEqual([301]);
  },
);

describe("a late list of roles or groups does not hide what this run has done to them", () => {
  const policies = [{ access: "allow", resource: "note", action: ["read"] }];
  const [one, two] = [
    { name: "one", policies },
    { name: "two", policies },
  ];
  const lists = { "roles.list": "roles", "groups.list": "groups" };
  const rolesOf205 = { "groups.roles": "groups/205/roles" };

  test("a role that it has renamed, and a group still has", async () => {
    const made = await on()(role).life.create(one);
    const { id, state } = await on()(groupRoles).life.create({ groupId: 205, roles: ["one"] });
    await freeze({ ...lists, ...rolesOf205 });
    const run = on();
    await run(role).life.update(made.id, made.state, two);
    emulator.clearRequests();
    await run(groupRoles).life.update(id, state, { groupId: 205, roles: ["two"] });
    expect([rolesOf(emulator.state(), 205), writesTo(emulator)]).toEqual([[Number(made.id)], []]);
  });

  test("a role that it has renamed, and an assignment of its own names", async () => {
    const made = await on()(role).life.create(one);
    const { id, state } = await on()(groupRoleAssignment).life.create({ groupId: 205, role: "one" });
    await freeze({ ...lists, ...rolesOf205 });
    const run = on();
    await run(role).life.update(made.id, made.state, two);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: "two" });
    const { life, said } = run(groupRoleAssignment);
    await life.delete(id, state);
    expect([rolesOf(emulator.state(), 205), said.warnings]).toEqual([[Number(made.id)], []]);
  });

  test("a role that it has renamed, and an assignment by the old name is removed", async () => {
    const made = await on()(role).life.create(one);
    const { id, state } = await on()(groupRoleAssignment).life.create({ groupId: 205, role: "one" });
    await freeze(lists);
    const run = on();
    await run(role).life.update(made.id, made.state, two);
    const { life, said } = run(groupRoleAssignment);
    await life.delete(id, state);
    expect([rolesOf(emulator.state(), 205), said.warnings]).toEqual([[], []]);
  });

  test("a role that it has renamed, and whose old name another one has now", async () => {
    const made = await on()(role).life.create(one);
    const { id, state } = await on()(groupRoles).life.create({ groupId: 205, roles: ["one"] });
    await freeze({ ...lists, ...rolesOf205 });
    const run = on();
    await run(role).life.update(made.id, made.state, two);
    const other = await run(role).life.create(one);
    await run(groupRoles).life.update(id, state, { groupId: 205, roles: ["one", "two"] });
    expect(rolesOf(emulator.state(), 205)).toEqual([made.id, other.id].map(Number));
  });

  test("a group that it has made", async () => {
    emulator.setReadings({ groupCreateAnswer: "record" });
    await freeze(lists);
    const run = on();
    const { id } = await run(group).life.create({ name: "one" });
    await run(groupMembership).life.create({ group: "one", users: [owner] });
    expect(membersIn(emulator.state(), Number(id))).toEqual([106]);
  });

  test("a group that it has renamed, with its members", async () => {
    const made = await on()(group).life.create({ name: "one" });
    const { id, state } = await on()(groupMembership).life.create({ group: "one", users: [owner, 104] });
    await freeze({ ...lists, "groups.users": `groups/${made.id}/svc_users` });
    const run = on();
    await run(group).life.update(made.id, made.state, { name: "two" });
    await run(groupMembership).life.create({ group: "two", users: [owner] });
    await run(groupMembership).life.delete(id, state);
    expect(membersIn(emulator.state(), Number(made.id))).toEqual([106]);
  });

  test.each([
    [role, one],
    [group, { name: "one" }],
  ] as const)("a $type that it has deleted, and makes again", async (definition, inputs) => {
    emulator.setReadings({ groupCreateAnswer: "record" });
    const { id, state } = await on()(definition).life.create(inputs);
    await freeze(lists);
    const run = on();
    await run(definition).life.delete(id, state);
    const made = await run(definition).life.create(inputs);
    expect(made.id).not.toBe(id);
  });
});
