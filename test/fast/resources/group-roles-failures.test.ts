import { expect, test } from "vitest";
import { groupRoles } from "../../../provider/resources/group-roles";
import { freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });

const assigned = () =>
  emulator
    .state()
    .accounts[0]!.groups.find(({ id }) => id === 205)!
    .roles.toSorted();

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
