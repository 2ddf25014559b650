import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type LifecycleCase, replace, withExtendedApi } from "../harness/lifecycle";

export const rolesOf = (state: EmulatorState, group: number): readonly number[] =>
  accountIn(state).groups.find(({ id }) => id === group)!.roles;

/** A role whose name must be encoded in the path, and whose resource id contains a second slash. */
export const teamLead = { id: 399, name: "team/lead 100%?", permissions: [] };
const addRole = (emulator: Emulator): Promise<void> => request(emulator, "PUT", "/_emulator/state/roles", teamLead);

export const life: LifecycleCase = {
  type: "GroupRoleAssignment",
  args: { groupId: 205, role: "analyst" },
  prepare: addRole,
  present: (state, id) => {
    expect(rolesOf(state, 205)).toEqual([301]);
    expect(id).toBe("205/analyst");
  },
  absent: (state) => {
    expect(rolesOf(state, 205)).toEqual([]);
    expect(rolesOf(state, 206), "what was assigned before stays").toEqual([303]);
  },
  changes: [
    replace(
      "the same role by its id: unassigned first, so that the group has it in the end",
      { groupId: 205, role: "301" },
      { "groups.unassignRole": 1, "groups.assignRole": 1 },
      (state) => expect(rolesOf(state, 205)).toEqual([301]),
    ),
    replace("another role, whose name has to be encoded", { groupId: 205, role: teamLead.name }, (state) =>
      expect(rolesOf(state, 205)).toEqual([399]),
    ),
    replace(
      "another group",
      { groupId: 206, role: teamLead.name },
      { "groups.unassignRole": 1, "groups.assignRole": 1 },
      (state) => expect([rolesOf(state, 205), rolesOf(state, 206)]).toEqual([[], [303, 399]]),
    ),
  ],
  bad: [
    [{ groupId: 205, role: ".." }, "role", 'is "..", which would change the URL path'],
    [{ groupId: 205, role: "." }, "role", 'is ".", which'],
    [{ groupId: 205, role: "" }, "role", "is empty; expected a name or an id"],
    [{ groupId: 205, role: "analyst " }, "role", "spaces"],
    [{ groupId: 205, role: "\ud800" }, "role", "half a character"],
    [{ groupId: 205, role: 301 }, "role", "must be a string"],
    [{ groupId: "..", role: "a" }, "groupId", "would change the URL path"],
    [{ groupId: "analysts", role: "a" }, "groupId", 'is "analysts"; expected an id, which is a number'],
    [{ groupId: 1.5, role: "a" }, "groupId", "must be an integer"],
    [{ groupId: 0, role: "a" }, "groupId", "must be a positive integer"],
  ],
  badLater: { args: { groupId: 205, role: { $later: ".." } }, says: 'is "..", which would change' },
  forbidden: { token: "powerless", says: "assigning roles to a group" },
};

export const extended = withExtendedApi(life, {
  absent: life.absent,
  disappear: (emulator) => request(emulator, "PUT", "/api/v1.2/groups/205/roles/301/unassign", {}),
});
