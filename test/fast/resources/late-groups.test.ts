import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { role } from "../../../provider/resources/role";
import { membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator, writesTo } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { fetchOnce } from "../../harness/http";
import { inOneRun } from "../../harness/in-process";
import type { Args } from "../../harness/lifecycle";
import { forTest } from "../../harness/shared";

/** Roles and groups that a run renames, removes or makes again, while lists may still show what was before. */

const emulator = freshEmulator({ extended: true });
const on = () => inOneRun(emulator, { extended: true, hurried: true });
const inGroup = (id: number | string) => rolesOf(emulator.state(), Number(id));
const policies = [{ access: "allow", resource: "note", action: ["read"] }];
const named = (of: AnyResource, name: string) => (of === role ? { name, policies } : { name });

type Lists = Readonly<Record<string, string>>;
/** From now on, these lists stay as they are. */
async function freeze(lists: Lists): Promise<void> {
  const headers = { "x-auth-token": emulator.tokens["admin"]! };
  const rules = Object.entries(lists).map(async ([operation, path]) => {
    const answer = await fetchOnce(`${emulator.url}/api/v1.2/${path}`, { headers });
    return { operation, kind: "respond", status: 200, body: await answer.json() } as const;
  });
  emulator.setFaults({ rules: await Promise.all(rules) });
}
const lists = { "roles.list": "roles", "groups.list": "groups" };
const rolesOf205 = { "groups.roles": "groups/205/roles" };
const oneRole = { groupId: 205, roles: ["one"] };
const oneAssignment = { groupId: 205, role: "one" };

/** A role or a group "one" and what is declared of it; then a run in which it is called "two". */
async function renamed(of: AnyResource, kind: AnyResource, inputs: Args, late?: (id: string) => Lists) {
  const made = await on()(of).life.create(named(of, "one"));
  const declared = await on()(kind).life.create(inputs);
  if (late) await freeze(late(made.id));
  const run = on();
  const { state } = await run(of).life.update(made.id, made.state, named(of, "two"));
  expect(state["name"]).toBe("two");
  /** Another one gets the old name. */
  const another = async () => Number((await run(of).life.create(named(of, "one"))).id);
  return { ...declared, run, renamedId: Number(made.id), another };
}

describe("what this run has removed from a group, and a late list still shows", () => {
  const memberOf = (group: string | number) => ({ group, users: [owner] });
  const both = { groupId: 205, roles: ["analyst", "data-engineer"] };
  const madeBefore = async (kind: AnyResource, inputs: Args) => {
    const made = await on()(kind).life.create(inputs);
    await freeze({ "groups.users": "groups/205/svc_users", ...rolesOf205 });
    return { ...made, run: on() };
  };

  test("is added again: members of the same group in another spelling", async () => {
    const { id, state, run } = await madeBefore(groupMembership, memberOf(205));
    await run(groupMembership).life.delete(id, state);
    await run(groupMembership).life.create(memberOf("operators"));
    expect(membersIn(emulator.state())).toEqual([105, 106]);
  });

  test("is added again: roles that a replacement unassigns first, and nobody else has put there", async () => {
    const { id, state, run } = await madeBefore(groupRoles, both);
    await run(groupRoles).life.delete(id, state);
    const { life, said } = run(groupRoles);
    const made = await life.create(both);
    expect([made.state, said.warnings, inGroup(205)]).toEqual([state, [], [301, 303]]);
  });

  test("is added again: a role that moves to a resource that waits for the old one", async () => {
    const { id, state, run } = await madeBefore(groupRoles, both);
    await run(groupRoles).life.update(id, state, { ...both, roles: ["301"] });
    await run(groupRoles).life.create({ ...both, roles: ["data-engineer"] });
    expect(inGroup(205)).toEqual([301, 303]);
  });

  test("is there once it is added again, in whatever spelling", async () => {
    const { id, state, run } = await madeBefore(groupRoles, both);
    await run(groupRoles).life.delete(id, state);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: "303" });
    await run(groupRoles).life.create({ groupId: 205, roles: [], exclusive: true });
    expect(inGroup(205)).toEqual([]);
  });
});

test.each([false, true])(
  "a role that another resource declares while a slow removal of several is under way stays; extended: %s",
  async (extended) => {
    const inputs = { groupId: 205, roles: ["302", "303", "304", "301"], adopt: true };
    const { id, state } = await inOneRun(emulator, { extended })(groupRoles).life.create(inputs);
    emulator.setFaults({ rules: [{ operation: "groups.unassignRole", kind: "latency", latencyMs: 80 }] });
    const run = inOneRun(emulator, { extended });
    emulator.clearRequests();
    const removed = run(groupRoles).life.delete(id, state);
    await expect.poll(() => writesTo(emulator).length, { interval: 5 }).toBeGreaterThan(0);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: extended ? "analyst" : "301" });
    await removed;
    expect(inGroup(205)).toEqual([301]);
  },
);

describe("what this run has renamed is known by its new name, whether or not the lists are late", () => {
  const ofRoles = () => ({ ...lists, ...rolesOf205 });

  test.each([undefined, ofRoles])("a role that a group has, and its GroupRoles", async (late) => {
    const { id, state, run, renamedId } = await renamed(role, groupRoles, oneRole, late);
    emulator.clearRequests();
    const { life, said } = run(groupRoles);
    const { state: next } = await life.update(id, state, { groupId: 205, roles: ["two"] });
    expect([next, said.warnings, writesTo(emulator)]).toEqual([{ ...state, roles: ["two"] }, [], []]);
    expect(inGroup(205)).toEqual([renamedId]);
    emulator.clearFaults();
    await on()(groupRoles).life.delete(id, next);
    expect(inGroup(205)).toEqual([]);
  });

  test("a role that an assignment of its own names", async () => {
    const { id, state, run, renamedId } = await renamed(role, groupRoleAssignment, oneAssignment, ofRoles);
    await run(groupRoleAssignment).life.create({ groupId: 205, role: "two" });
    const { life, said } = run(groupRoleAssignment);
    await life.delete(id, state);
    expect([inGroup(205), said.warnings]).toEqual([[renamedId], []]);
  });

  test("a role of which an assignment by the old name is removed", async () => {
    const { id, state, run } = await renamed(role, groupRoleAssignment, oneAssignment, () => lists);
    const { life, said } = run(groupRoleAssignment);
    await life.delete(id, state);
    expect([inGroup(205), said.warnings]).toEqual([[], []]);
  });

  test("a role whose old name another one has now", async () => {
    const { id, state, run, renamedId, another } = await renamed(role, groupRoles, oneRole, ofRoles);
    const other = await another();
    await run(groupRoles).life.update(id, state, { groupId: 205, roles: ["one", "two"] });
    expect(inGroup(205)).toEqual([renamedId, other]);
  });

  const ofGroups = (id: string) => ({ ...lists, "groups.users": `groups/${id}/svc_users` });
  test.each([undefined, ofGroups])("a group, with its members", async (late) => {
    const members = { group: "one", users: [owner, 104] };
    const { id, state, run, renamedId } = await renamed(group, groupMembership, members, late);
    await run(groupMembership).life.create({ group: "two", users: [owner] });
    const { life, said } = run(groupMembership);
    await life.delete(id, state);
    expect([membersIn(emulator.state(), renamedId), said.warnings]).toEqual([[106], []]);
  });
});

describe("a late list does not hide what this run has made", () => {
  test("a group", async () => {
    emulator.setReadings({ groupCreateAnswer: "record" });
    await freeze(lists);
    const run = on();
    const { id } = await run(group).life.create({ name: "one" });
    await run(groupMembership).life.create({ group: "one", users: [owner] });
    expect(membersIn(emulator.state(), Number(id))).toEqual([106]);
  });

  test.each([role, group])("a $type that it has deleted, and makes again", async (of) => {
    emulator.setReadings({ groupCreateAnswer: "record" });
    const { id, state } = await on()(of).life.create(named(of, "one"));
    await freeze(lists);
    const run = on();
    await run(of).life.delete(id, state);
    expect((await run(of).life.create(named(of, "one"))).id).not.toBe(id);
  });
});

describe("a new one gets the old name of one that is renamed in the same run: what goes is the old one's", () => {
  const rolesOfOne = { groupId: "one", roles: ["analyst"] };
  const membersOfOne = { group: "one", users: [owner] };
  test.each([
    { of: role, kind: groupRoles, had: { ...oneRole, adopt: true }, takes: groupRoleAssignment, its: oneAssignment },
    { of: role, kind: groupRoleAssignment, had: oneAssignment, takes: groupRoles, its: oneRole },
    { of: group, kind: groupMembership, had: { group: "one", users: [owner, 104] }, its: membersOfOne, left: [106] },
    { of: group, kind: groupRoles, had: { ...rolesOfOne, adopt: true }, its: rolesOfOne, left: [301] },
  ])("$of.type: $kind.type", async ({ of, kind, had, takes = kind, its, left }) => {
    const { id, state, run, renamedId, another } = await renamed(of, kind, had);
    const other = await another();
    run(takes).life.check(its, { who: "again", name: "again" });
    await run(takes).life.create(its);
    await run(kind).life.delete(id, state);
    const shows = kind === groupMembership ? (one: number) => membersIn(emulator.state(), one) : inGroup;
    if (of === role) expect(inGroup(205)).toEqual([other]);
    else expect([renamedId, other].map(shows)).toEqual([[], left]);
  });

  test("a GroupRoles that lists it no longer takes away the old role", async () => {
    const had = { groupId: 205, roles: ["one", "analyst"], adopt: true };
    const { id, state, run, another } = await renamed(role, groupRoles, had);
    await another();
    await run(groupRoles).life.update(id, state, { ...had, roles: ["analyst"] });
    expect(inGroup(205)).toEqual([301]);
  });
});

test("two roles that swap their names in one run stay two", async () => {
  const [a, b] = [await on()(role).life.create(named(role, "one")), await on()(role).life.create(named(role, "two"))];
  const { id, state } = await on()(groupRoles).life.create(oneRole);
  const run = on();
  for (const [one, old, next] of [
    [a, "one", "three"],
    [b, "two", "one"],
    [a, "three", "two"],
  ] as const)
    await run(role).life.update(one.id, { ...one.state, name: old }, named(role, next));
  await run(groupRoles).life.update(id, state, { groupId: 205, roles: ["two"] });
  expect(inGroup(205)).toEqual([Number(a.id)]);
});

test("an assignment that goes while its role is renamed is removed by the id", async () => {
  const made = await on()(role).life.create(named(role, "one"));
  const { id, state } = await on()(groupRoleAssignment).life.create(oneAssignment);
  emulator.clearRequests();
  await on()(groupRoleAssignment).life.delete(id, state);
  expect(writesTo(emulator)).toEqual([`PUT /api/v1.2/groups/205/roles/${made.id}/unassign`]);
});

test("a role that its group takes over from a GroupRoles stays, although the group gets another name meanwhile", async () => {
  const made = await on()(group).life.create({ name: "one" });
  const { id, state } = await on()(groupRoles).life.create({ groupId: "one", roles: ["analyst"], adopt: true });
  // The list still shows it when the group looks.
  const between = forTest(await GoBetween.start(emulator.url));
  let isHeld = false;
  const letThrough = between.hold(({ url }) => {
    isHeld ||= url.endsWith("/unassign");
    return isHeld;
  });
  const run = inOneRun({ ...emulator, url: between.url }, { extended: true, hurried: true });
  const removed = run(groupRoles).life.delete(id, state);
  await expect.poll(() => isHeld, { interval: 5 }).toBe(true);
  emulator.clearRequests();
  const updated = run(group).life.update(made.id, made.state, { name: "two", roles: ["analyst"] });
  const looks = () => emulator.requests(1000).requests.filter(({ operation }) => operation === "groups.roles");
  await expect.poll(() => looks().length, { interval: 5 }).toBeGreaterThan(0);
  await Promise.all([letThrough(), removed, updated]);
  expect(inGroup(made.id)).toEqual([301]);
});
