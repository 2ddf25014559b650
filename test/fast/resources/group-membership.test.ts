import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import * as groups from "../../cases/group";
import { args, membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { answers, freshEmulator, ownEmulator, refusal, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";

/** The members of a group: some of them (GroupMembership), and all (Group). */

const extended = { extended: true };
const emulator = freshEmulator(extended);
const start = (definition: AnyResource = groupMembership) => inProcess(definition, emulator, extended);
const run = () => inOneRun(emulator, extended);
const members = (of: number | string = 205, platform = emulator) => membersIn(platform.state(), Number(of));

describe("a group of another name", () => {
  /** With members and roles that other resources declare. */
  const groupOne = async () => {
    const made = await start(group).life.create({ name: "one" });
    const member = await start().life.create({ group: "one", users: [owner, "104"] });
    return { made, member };
  };

  test("that the program makes later, because nothing says that it comes first", async () => {
    const of = run();
    of(group).life.check({ name: "late" }, { who: "late", name: "late" });
    const failed = of(groupMembership).life.create({ group: "late", users: [owner] });
    await expect(failed).rejects.toThrow(/there is no group late yet, which Group "late" .* or with dependsOn/);
  });

  test("what is removed before the rename: what the group declares under its new name stays", async () => {
    const { made, member } = await groupOne();
    const roles = await start(groupRoles).life.create({ groupId: "one", roles: ["analyst", "302"] });
    const of = run();
    const next = { name: "two", members: [owner], roles: ["301"] };
    of(group).life.check(next, { who: "g", name: "g", old: { name: "one" } });
    await of(groupMembership).life.delete(member.id, member.state);
    await of(groupRoles).life.delete(roles.id, roles.state);
    const now = () => [members(made.id), rolesOf(emulator.state(), Number(made.id))];
    expect(now()).toEqual([[106], [301]]);
    await of(group).life.update(made.id, made.state, next);
    expect(now()).toEqual([[106], [301]]);
  });

  test("that an earlier run has renamed: says who is still a member", async () => {
    const { made, member } = await groupOne();
    await start(group).life.update(made.id, made.state, { name: "two" });
    const { life, said } = start();
    expect(await life.read(member.id, member.state)).toBeUndefined();
    await life.delete(member.id, member.state);
    const still = `GroupMembership: there is no group one, so its users count as gone: if it has another name now, such as after a run that failed, it still has ${owner}, 104`;
    expect(said.warnings).toEqual([still, still]);
  });

  test.each([
    [groupMembership, { ...args, group: "nobodies" }, "there is no group nobodies; check its id"],
    [groupRoles, { groupId: 299, roles: ["analyst"] }, "there is no group 299"],
    [groupRoleAssignment, { groupId: 299, role: "analyst" }, "not found"],
  ] as const)("that is gone: refresh drops a $type, delete is done, create is an error", async (kind, inputs, says) => {
    const { life } = start(kind);
    const [id] = Object.values(inputs).map(String);
    expect(await life.read(id!, inputs)).toBeUndefined();
    await life.delete(id!, inputs);
    if (kind !== groupRoleAssignment) expect(writesTo(emulator)).toEqual([]);
    await expect(life.create(inputs)).rejects.toThrow(says);
  });
});

test("works for a system group", async () => {
  const { life, id, state } = await createdBy(start(), { group: "system-user", users: [owner] });
  expect(members(202)).toEqual([102, 106]);
  await life.delete(id, state);
  expect(members(202)).toEqual([102]);
});

test("what was done before a gateway's page is not sent again", async () => {
  const unlisted = { operation: "accounts.getUsers", kind: "respond" as const, status: 403, body: refusal("no", 403) };
  const page = { operation: "groups.addUsers", kind: "respond" as const, status: 404, body: "<html>x</html>", nth: 2 };
  emulator.setFaults({ rules: [unlisted, page] });
  const users = [104, "ana@analytics.example.com"];
  await expect(start().life.create({ group: 205, users })).rejects.toThrow();
  const sent = writesTo(emulator).filter((one) => one.endsWith("/add"));
  expect([sent.length, new Set(sent).size]).toEqual([3, 2]);
});

describe("where nothing shows the members of a group", () => {
  const operations = { extended: ["groups.list", "groups.addUsers", "groups.removeUsers"] };

  test("the users of the account tell; without them, the state", async () => {
    const half = await ownEmulator(operations);
    const { id, state } = await createdBy(inProcess(groupMembership, half, extended), args);
    expect(members(205, half)).toEqual([104, 105, 106]);
    half.setReadings({ userEntry: "manual" });
    await request(half, "PUT", "/api/v1.2/groups/205/svc_users/106/remove", {});
    const shown = await inProcess(groupMembership, half, extended).life.read(id, state);
    expect(shown?.state["users"]).toEqual(["104"]);
    answers(half, "accounts.getUsers", 403);
    const blind = inProcess(groupMembership, half, extended).life;
    expect(await blind.read(id, state)).toEqual({ id, state });
    await blind.update(id, state, { ...args, users: ["104", "101"] });
    expect(members(205, half)).toEqual([101, 104, 105]);
  });

  test("a conflict about something else is a refusal", async () => {
    const half = await ownEmulator(operations);
    const answered = (message: string) =>
      half.setFaults({
        rules: [
          { operation: "accounts.getUsers", kind: "respond", status: 403, body: {} },
          { operation: "groups.addUsers", kind: "respond", status: 409, body: refusal(message, 409) },
        ],
      });
    const { life } = inProcess(groupMembership, half, extended);
    answered("the group is locked");
    await expect(life.create({ group: 205, users: [104] })).rejects.toThrow("the group is locked");
    answered("104 is a member already");
    await expect(life.create({ group: 205, users: [104] })).resolves.toMatchObject({ id: "205" });
  });

  test.each([
    [owner, "106"],
    ["106", owner],
  ])("renamed without an alias, %s as %s, which may be the same: stays a member", async (old, next) => {
    const half = await ownEmulator(operations);
    answers(half, "accounts.getUsers", 403);
    const { id, state } = await inOneRun(half, extended)(groupMembership).life.create({ group: 205, users: [old] });
    const { life } = inOneRun(half, extended)(groupMembership);
    life.check({ group: 205, users: [next] }, { who: "2", name: "renamed" });
    await life.create({ group: 205, users: [next] });
    await life.delete(id, state);
    expect(members(205, half)).toEqual([105, 106]);
  });
});

describe("in one program", () => {
  test("the same group twice is an error at preview, which knows that names can be changed", () => {
    const of = run();
    of(group).life.check({ name: "operators", members: [owner] }, { who: "3", name: "all" });
    const again = of(group).life.check({ name: "operators" }, { who: "4", name: "again" });
    expect(again.failures[0]?.reason).toMatch(/declares the group operators, .*, or give one of them another name$/);
  });

  test("a group that is managed as a whole takes no single members", async () => {
    const of = run();
    of(group).life.check({ name: "operators", members: ["105"] }, { who: "1", name: "all" });
    await expect(of(groupMembership).life.create({ group: 205, users: ["104"] })).rejects.toThrow(
      'Group "all" manages all members of group operators; list the users there',
    );
  });

  test("a group does not remove a member that another resource declares, in whatever spelling", async () => {
    const of = run();
    of(groupMembership).life.check({ group: 205, users: ["105"] }, { who: "1", name: "one", old: {} });
    const { life, said } = of(group);
    await life.create({ name: "operators", members: [owner], adopt: true });
    expect(members()).toEqual([105, 106]);
    expect(said.infos.concat(said.warnings).join()).toContain(
      'left in group operators because this run declares it elsewhere: user operator@analytics.example.com (GroupMembership "one")',
    );
  });
});

describe("Group", () => {
  const has = (name?: string, platform = emulator) => {
    const state = platform.state();
    return { roles: groups.groupIn(state, name)?.roles, members: groups.membersIn(state, name) };
  };

  test("sends one request for each kind of change, and an import finds it by id and by name", async () => {
    const { life, id, state } = await createdBy(start(group), groups.args);
    emulator.clearRequests();
    const users = ["102", "analyst@analytics.example.com"];
    await life.update(id, state, { name: "auditors", members: users, roles: ["302"] });
    expect(has("auditors")).toEqual({ roles: [302], members: [102, 104] });
    const changes = { "groups.update": 1, "groups.removeUsers": 1, "groups.unassignRole": 2 };
    expect(emulator.requests().counts).toMatchObject(changes);
    for (const given of [id, "auditors"]) {
      const imported = await start(group).life.read(given, {});
      expect(imported).toMatchObject({ id, state: { name: "auditors", roles: ["account-editor"] } });
      expect(imported?.state["members"]).toHaveLength(2);
    }
  });

  test("leaves members and roles alone that are not declared", async () => {
    const state = { name: "analysts", adopt: true };
    const { life, id } = await createdBy(start(group), state);
    expect(id).toBe("204");
    expect((await life.read(id, state))?.state).toMatchObject(state);
    await life.update(id, state, { ...state, name: "data-analysts" });
    expect(has("data-analysts")).toEqual({ roles: [301], members: [104] });
  });

  test("names a user or a role that does not exist, and what was done; nothing else is tried", async () => {
    const { life, said } = start(group);
    await expect(life.create({ name: "x", members: ["nobody@example.com"] })).rejects.toThrow(
      /list of users does not have nobody@example.com/,
    );
    expect([emulator.requests().counts["groups.update"], said.warnings]).toEqual([undefined, []]);
    await expect(life.create({ name: "y", roles: ["h-n"] })).rejects.toThrow(
      /could not assign 1 of 1 roles .*h-n\. Correct that, and run the command again\. Group y was created, and is kept in the state$/,
    );
  });

  const all = ["list", "view", "create", "update", "delete", "addUsers", "removeUsers", "users", "roles"];
  const replaced = { groupUpdateLists: "replaced" } as const;
  test.each([
    { missing: ["addUsers", "removeUsers"], readings: {} },
    { missing: ["addUsers", "removeUsers"], readings: replaced },
    { missing: ["addUsers", "removeUsers", "users"], readings: replaced },
    { missing: ["users", "roles"], readings: {} },
    { missing: ["view"], readings: {} },
  ])("changes members on half an installation all the same: %j", async ({ missing, readings }) => {
    const operations = all.filter((name) => !missing.includes(name)).map((name) => `groups.${name}`);
    const half = await ownEmulator({ extended: operations, readings });
    const { life, id, state } = await createdBy(inProcess(group, half, extended), groups.args);
    expect(has(undefined, half).members).toEqual([104, 106]);
    const next = { ...groups.args, members: [owner, "101"], roles: [301] };
    const { state: updated } = await life.update(id, state, next);
    expect(has(undefined, half)).toEqual({ roles: [301], members: [101, 106] });
    expect((await life.read(id, updated))?.state).toMatchObject({ ...next, roles: ["301"] });
    await life.delete(id, updated);
  });
});
