import { expect, test } from "vitest";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { role } from "../../../provider/resources/role";
import { membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator, writesTo } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { inOneRun } from "../../harness/in-process";
import { forTest } from "../../harness/shared";

/** A role or a group gets another name, and in the same run a new one gets its old name: what goes is the old one's. */

const emulator = freshEmulator({ extended: true });
const on = () => inOneRun(emulator, { extended: true, hurried: true });
const policies = [{ access: "allow", resource: "note", action: ["read"] }];
const [one, two] = [
  { name: "one", policies },
  { name: "two", policies },
];

/** A role "one" and what is declared of it; then a run in which it is called "two", and another one is "one". */
async function renamed<Made>(declare: () => Promise<Made>) {
  const made = await on()(role).life.create(one);
  const declared = await declare();
  const run = on();
  await run(role).life.update(made.id, made.state, two);
  const other = await run(role).life.create(one);
  return { declared, run, id: Number(made.id), other: Number(other.id) };
}

/** The same for a group. */
async function renamedGroup<Made>(declare: () => Promise<Made>) {
  const made = await on()(group).life.create({ name: "one" });
  const declared = await declare();
  const run = on();
  await run(group).life.update(made.id, made.state, { name: "two" });
  const other = await run(group).life.create({ name: "one" });
  return { declared, run, id: Number(made.id), other: Number(other.id) };
}

test("a GroupRoles that goes takes away the old role, and leaves the new one that another resource declares", async () => {
  const { declared, run, other } = await renamed(() =>
    on()(groupRoles).life.create({ groupId: 205, roles: ["one"], adopt: true }),
  );
  const again = { groupId: 205, role: "one" };
  run(groupRoleAssignment).life.check(again, { who: "again", name: "again" });
  await run(groupRoleAssignment).life.create(again);
  await run(groupRoles).life.delete(declared.id, declared.state);
  expect(rolesOf(emulator.state(), 205)).toEqual([other]);
});

test("a GroupRoles that lists it no longer takes away the old role", async () => {
  const { declared, run } = await renamed(() =>
    on()(groupRoles).life.create({ groupId: 205, roles: ["one", "analyst"], adopt: true }),
  );
  await run(groupRoles).life.update(declared.id, declared.state, { groupId: 205, roles: ["analyst"], adopt: true });
  expect(rolesOf(emulator.state(), 205)).toEqual([301]);
});

test("an assignment that goes takes away the old role, and leaves the new one that another resource declares", async () => {
  const { declared, run, other } = await renamed(() =>
    on()(groupRoleAssignment).life.create({ groupId: 205, role: "one" }),
  );
  const again = { groupId: 205, roles: ["one"] };
  run(groupRoles).life.check(again, { who: "again", name: "again" });
  await run(groupRoles).life.create(again);
  await run(groupRoleAssignment).life.delete(declared.id, declared.state);
  expect(rolesOf(emulator.state(), 205)).toEqual([other]);
});

test("a membership that goes takes its members out of the old group, whatever the new one has", async () => {
  const { declared, run, id, other } = await renamedGroup(() =>
    on()(groupMembership).life.create({ group: "one", users: [owner, 104] }),
  );
  const again = { group: "one", users: [owner] };
  run(groupMembership).life.check(again, { who: "again", name: "again" });
  await run(groupMembership).life.create(again);
  await run(groupMembership).life.delete(declared.id, declared.state);
  expect([id, other].map((group) => membersIn(emulator.state(), group))).toEqual([[], [106]]);
});

test("a GroupRoles that goes takes its roles from the old group", async () => {
  const { declared, run, id, other } = await renamedGroup(() =>
    on()(groupRoles).life.create({ groupId: "one", roles: ["analyst"], adopt: true }),
  );
  const again = { groupId: "one", roles: ["analyst"] };
  run(groupRoles).life.check(again, { who: "again", name: "again" });
  await run(groupRoles).life.create(again);
  await run(groupRoles).life.delete(declared.id, declared.state);
  expect([id, other].map((group) => rolesOf(emulator.state(), group))).toEqual([[], [301]]);
});

test("an assignment that goes while its role is renamed is removed by the id", async () => {
  const made = await on()(role).life.create(one);
  const { id, state } = await on()(groupRoleAssignment).life.create({ groupId: 205, role: "one" });
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
  expect(rolesOf(emulator.state(), Number(made.id))).toEqual([301]);
});
