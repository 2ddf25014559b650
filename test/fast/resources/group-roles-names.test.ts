import { expect, test } from "vitest";
import { groupRoles } from "../../../provider/resources/group-roles";
import { freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });

const on = () => inProcess(groupRoles, emulator, { extended: true });
const assigned = () =>
  emulator
    .state()
    .accounts[0]!.groups.find(({ id }) => id === 205)!
    .roles.toSorted();

test("a group can be named; an import by name has its id, so that both are the same resource", async () => {
  await request(emulator, "PUT", "/api/v1.2/groups/205/roles/302/assign", {});
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

test("without it, a name is named at preview", () => {
  const { life, said } = inProcess(groupRoles, emulator);
  expect(life.check({ groupId: "operators", roles: ["analyst"] }).failures).toEqual([]);
  expect(said.warnings).toEqual([expect.stringContaining('groupId is "operators"; expected the id of a group')]);
});
