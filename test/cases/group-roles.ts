import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import { type EmulatorState, type LifecycleCase, replace, same, update, withExtendedApi } from "../harness/lifecycle";
import { rolesOf as rolesIn, teamLead } from "./group-role-assignment";

const rolesOf = (state: EmulatorState, group: number): readonly number[] => rolesIn(state, group).toSorted();
const bothIn = (state: EmulatorState) => [rolesOf(state, 211), rolesOf(state, 212)];
const roles = ["analyst", "302"];

/** Groups that no other resource of the same stack manages. */
async function addGroups(emulator: Emulator): Promise<void> {
  await request(emulator, "PUT", "/_emulator/state/roles", teamLead);
  await request(emulator, "PUT", "/_emulator/state/groups", { id: 211, name: "builders" });
  await request(emulator, "PUT", "/_emulator/state/groups", { id: 212, name: "testers", roles: [303] });
}

export const life: LifecycleCase = {
  type: "GroupRoles",
  args: { groupId: 211, roles },
  prepare: addGroups,
  present: (state, id) => {
    expect(rolesOf(state, 211)).toEqual([301, 302]);
    expect(id).toBe("211");
  },
  absent: (state) => expect(bothIn(state)).toEqual([[], [303]]),
  changes: [
    same(
      "another order",
      { groupId: 211, roles: roles.toReversed(), exclusive: false },
      { "groups.assignRole": 0, "groups.unassignRole": 0 },
    ),
    update(
      "one role for another, whose name has to be encoded",
      { groupId: 211, roles: ["analyst", teamLead.name] },
      { "groups.unassignRole": 1 },
      (state) => expect(rolesOf(state, 211)).toEqual([301, 399]),
    ),
    update(
      "the same role by its id: unassigned first, so that the group has it in the end",
      { groupId: 211, roles: ["301", teamLead.name] },
      (state) => expect(rolesOf(state, 211)).toEqual([301, 399]),
    ),
    replace(
      "another group",
      { groupId: 212, roles: ["analyst"] },
      { "groups.unassignRole": 2, "groups.assignRole": 1 },
      (state) => expect(bothIn(state)).toEqual([[], [301, 303]]),
    ),
  ],
  cannotImport: "cannot be imported: the specified API cannot show them",
  bad: [
    [{ groupId: 211, roles: ["analyst", ".."] }, "roles[1]", 'is "..", which would change the URL path'],
    [{ groupId: 211, roles: [""] }, "roles[0]", "is empty"],
    [{ groupId: 2 ** 53, roles: ["analyst"] }, "groupId", "expected at most 9007199254740991"],
    [{ groupId: 211, roles: ["a", "302", "a"] }, "roles", "contains duplicates: a; list each role once"],
    [{ groupId: 211, roles, exclusive: true }, "exclusive", "is true, which needs the extended API; set"],
  ],
  badLater: { args: { groupId: 211, roles: ["analyst", { $later: ".." }] }, says: 'is "..", which would change' },
  forbidden: { token: "powerless", says: "assigning roles to a group" },
};

export const extended = withExtendedApi(life, {
  prepare: async (emulator) => {
    await addGroups(emulator);
    await request(emulator, "PUT", "/api/v1.2/groups/211/roles/302/assign", {});
  },
  absent: (state) => expect(bothIn(state)).toEqual([[302], []]),
  drift: { make: (emulator) => request(emulator, "PUT", "/api/v1.2/groups/211/roles/301/unassign", {}) },
  changes: [
    same("another order", { groupId: 211, roles: roles.toReversed() }),
    update(
      "roles by their other names, of which nothing is sent, and a new one",
      { groupId: 211, roles: ["301", "account-editor", teamLead.name] },
      (state) => expect(rolesOf(state, 211)).toEqual([301, 302, 399]),
    ),
    update("one less; the one that was there before stays", { groupId: 211, roles: ["301"] }, (state) =>
      expect(rolesOf(state, 211)).toEqual([301, 302]),
    ),
    replace("another group, exclusively", { groupId: 212, roles: ["analyst"], exclusive: true }, (state) =>
      expect(bothIn(state)).toEqual([[302], [301]]),
    ),
    update(
      "no longer exclusive, and with a role that comes back",
      { groupId: 212, roles: ["analyst", "303"] },
      (state) => expect(rolesOf(state, 212)).toEqual([301, 303]),
    ),
  ],
  imported: { groupId: 212, roles: ["data-engineer", "analyst"] },
});
