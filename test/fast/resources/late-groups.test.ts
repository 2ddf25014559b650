import { describe, expect, test } from "vitest";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { membersIn, owner } from "../../cases/group-membership";
import { rolesOf } from "../../cases/group-role-assignment";
import { freshEmulator } from "../../harness/emulators";
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
