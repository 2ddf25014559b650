import { describe, expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoles } from "../../../provider/resources/group-roles";
import { args, membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const start = (readings: Partial<Readings> = {}, token = "admin") => {
  emulator.setReadings(readings);
  return inProcess(groupMembership, emulator, { extended: true, token });
};

test("a group that the program makes later, because nothing says that it comes first", async () => {
  const run = inOneRun(emulator, { extended: true });
  run(group).life.check({ name: "late" }, { who: "late", name: "late" });
  const failed = run(groupMembership).life.create({ group: "late", users: [owner] });
  await expect(failed).rejects.toThrow(/there is no group late yet, which Group "late" .* or with dependsOn/);
});

test("leaves a group that the same run has renamed, and stays where the run declares it under the new name", async () => {
  const made = await inProcess(group, emulator, { extended: true }).life.create({ name: "one" });
  const { id, state } = await createdBy(start(), { group: "one", users: [owner, "104"] });
  const run = inOneRun(emulator, { extended: true });
  const renamed = await run(group).life.update(made.id, made.state, { name: "two" });
  await run(groupMembership).life.create({ group: "two", users: [owner] });
  const { life, said } = run(groupMembership);
  await life.delete(id, state);
  expect(membersIn(emulator.state(), Number(made.id))).toEqual([106]);
  expect([renamed.state["name"], said.warnings]).toEqual(["two", []]);
});

test("is removed before the rename: what the group declares under its new name stays", async () => {
  const made = await inProcess(group, emulator, { extended: true }).life.create({ name: "one" });
  const { id, state } = await createdBy(start(), { group: "one", users: [owner, "104"] });
  const roles = await createdBy(inProcess(groupRoles, emulator, { extended: true }), {
    groupId: "one",
    roles: ["analyst", "302"],
  });
  const run = inOneRun(emulator, { extended: true });
  const next = { name: "two", members: [owner], roles: ["301"] };
  run(group).life.check(next, { who: "g", name: "g", old: { name: "one" } });
  await run(groupMembership).life.delete(id, state);
  await run(groupRoles).life.delete(roles.id, roles.state);
  const now = () => [membersIn(emulator.state(), Number(made.id)), rolesOf(emulator.state(), Number(made.id))];
  expect(now()).toEqual([[106], [301]]);
  await run(group).life.update(made.id, made.state, next);
  expect(now()).toEqual([[106], [301]]);
});

test("by the name of a group that an earlier run has renamed: says who is still a member", async () => {
  const made = await inProcess(group, emulator, { extended: true }).life.create({ name: "one" });
  const { id, state } = await createdBy(start(), { group: "one", users: [owner] });
  await inProcess(group, emulator, { extended: true }).life.update(made.id, made.state, { name: "two" });
  const { life, said } = start();
  expect(await life.read(id, state)).toBeUndefined();
  await life.delete(id, state);
  const still = `GroupMembership: there is no group one, so its users count as gone: if it has another name now, such as after a run that failed, it still has ${owner}`;
  expect(said.warnings).toEqual([still, still]);
});

test("works for a system group", async () => {
  const { life, id, state } = await createdBy(start(), { group: "system-user", users: [owner] });
  expect(membersIn(emulator.state(), 202)).toEqual([102, 106]);
  await life.delete(id, state);
  expect(membersIn(emulator.state(), 202)).toEqual([102]);
});

test("what was done before a gateway's page is not sent again", async () => {
  const unlisted = { operation: "accounts.getUsers", kind: "respond" as const, status: 403, body: refusal("no", 403) };
  const page = { operation: "groups.addUsers", kind: "respond" as const, status: 404, body: "<html>x</html>", nth: 2 };
  emulator.setFaults({ rules: [unlisted, page] });
  await start()
    .life.create({ group: 205, users: [104, "ana@analytics.example.com"] })
    .catch(() => undefined);
  const paths = emulator
    .requests()
    .requests.map(({ path }) => path)
    .filter((path) => path.endsWith("/add"));
  expect([paths.length, new Set(paths).size]).toEqual([3, 2]);
});

test("a group that is gone: refresh drops the resource, create is an error, delete is done", async () => {
  const { life } = start();
  await expect(life.create({ ...args, group: "nobodies" })).rejects.toThrow("there is no group nobodies; check its id");
  expect(await life.read("nobodies", { ...args, group: "nobodies" })).toBeUndefined();
  await life.delete("nobodies", { ...args, group: "nobodies" });
});

test("a conflict about something else is a refusal, also where the list does not show who is in the group", async () => {
  const half = await ownEmulator({ extended: ["groups.list", "groups.addUsers"] });
  const answered = (message: string) =>
    half.setFaults({
      rules: [
        { operation: "accounts.getUsers", kind: "respond", status: 403, body: {} },
        { operation: "groups.addUsers", kind: "respond", status: 409, body: refusal(message, 409) },
      ],
    });
  const { life } = inProcess(groupMembership, half, { extended: true });
  answered("the group is locked");
  await expect(life.create({ group: 205, users: [104] })).rejects.toThrow("the group is locked");
  answered("104 is a member already");
  await expect(life.create({ group: 205, users: [104] })).resolves.toMatchObject({ id: "205" });
});

test.each([
  [owner, "106"],
  ["106", owner],
])(
  "renamed without an alias, %s as %s, where nothing tells that they are the same: stays a member",
  async (old, next) => {
    const half = await ownEmulator({ extended: ["groups.list", "groups.addUsers", "groups.removeUsers"] });
    answers(half, "accounts.getUsers", 403);
    const start = inOneRun(half, { extended: true });
    const { id, state } = await createdBy(start(groupMembership), { group: 205, users: [old] });
    const { life } = inOneRun(half, { extended: true })(groupMembership);
    life.check({ group: 205, users: [next] }, { who: "2", name: "renamed" });
    await life.create({ group: 205, users: [next] });
    await life.delete(id, state);
    expect(membersIn(half.state())).toEqual([105, 106]);
  },
);

describe("in one program", () => {
  test("the same group twice is an error at preview, which knows that names can be changed", () => {
    const of = inOneRun(emulator, { extended: true });
    of(group).life.check({ name: "operators", members: [owner] }, { who: "3", name: "all" });
    const again = of(group).life.check({ name: "operators" }, { who: "4", name: "again" });
    expect(again.failures[0]?.reason).toMatch(/declares the group operators, .*, or give one of them another name$/);
  });

  test("a group that is managed as a whole takes no single members", async () => {
    const of = inOneRun(emulator, { extended: true });
    of(group).life.check({ name: "operators", members: ["105"] }, { who: "1", name: "all" });
    await expect(of(groupMembership).life.create({ group: 205, users: ["104"] })).rejects.toThrow(
      'Group "all" manages all members of group operators; list the users there',
    );
  });

  test("a group does not remove a member that another resource declares, in whatever spelling", async () => {
    const of = inOneRun(emulator, { extended: true });
    of(groupMembership).life.check({ group: 205, users: ["105"] }, { who: "1", name: "one", old: {} });
    const { life, said } = of(group);
    await life.create({ name: "operators", members: [owner], adopt: true });
    expect(membersIn(emulator.state())).toEqual([105, 106]);
    expect(said.infos.concat(said.warnings).join()).toContain(
      'left in group operators because this run declares it elsewhere: user operator@analytics.example.com (GroupMembership "one")',
    );
  });
});

test("without the list of members, the users of the account tell; without both, the state", async () => {
  const emulator = await ownEmulator({ extended: ["groups.list", "groups.addUsers", "groups.removeUsers"] });
  const { id, state } = await createdBy(inProcess(groupMembership, emulator, { extended: true }), args);
  expect(membersIn(emulator.state())).toEqual([104, 105, 106]);
  emulator.setReadings({ userEntry: "manual" });
  await request(emulator, "PUT", "/api/v1.2/groups/205/svc_users/106/remove", {});
  const shown = await inProcess(groupMembership, emulator, { extended: true }).life.read(id, state);
  expect(shown?.state["users"]).toEqual(["104"]);
  emulator.setFaults({ rules: [{ operation: "accounts.getUsers", kind: "respond", status: 403 }] });
  const blind = inProcess(groupMembership, emulator, { extended: true }).life;
  expect(await blind.read(id, state)).toEqual({ id, state });
  await blind.update(id, state, { ...args, users: ["104", "101"] });
  expect(membersIn(emulator.state())).toEqual([101, 104, 105]);
});
