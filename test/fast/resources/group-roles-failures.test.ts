import { describe, expect, test } from "vitest";
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

test("without it, a name is refused at preview", () => {
  const { life } = inProcess(groupRoles, emulator);
  expect(life.check({ groupId: "operators", roles: ["analyst"] }).failures).toEqual([
    { property: "groupId", reason: expect.stringContaining('is "operators", which needs the extended API') },
  ]);
  expect(life.check({ groupId: "205", roles: ["analyst"] }).failures).toEqual([]);
});
