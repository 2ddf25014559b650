import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import type { Readings } from "../../emulator/readings";
import { Declarations } from "../../provider/core/declarations";
import { Lifecycle } from "../../provider/core/lifecycle";
import { group } from "../../provider/resources/group";
import { groupRoleAssignment } from "../../provider/resources/group-role-assignment";
import { extendedLifecycle } from "../harness/extended-lifecycle";
import { request } from "../harness/http";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, type LifecycleCase, lifecycle } from "../harness/lifecycle";

const rolesOf = (state: EmulatorState, group: number): readonly number[] =>
  state.accounts.find(({ id }) => id === 1001)!.groups.find(({ id }) => id === group)!.roles;

/** A role whose name must be encoded in the path, and whose resource id contains a second slash. */
const teamLead = { id: 399, name: "team/lead 100%?", permissions: [] };
const addRole = (emulator: Emulator): Promise<void> => request(emulator, "PUT", "/_emulator/state/roles", teamLead);

const life: LifecycleCase = {
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
    {
      what: "the same role by its id: unassigned first, so that the group has it in the end",
      args: { groupId: 205, role: "301" },
      expect: "replace",
      calls: { "groups.unassignRole": 1, "groups.assignRole": 1 },
      after: (state) => expect(rolesOf(state, 205)).toEqual([301]),
    },
    {
      what: "another role, whose name has to be encoded",
      args: { groupId: 205, role: teamLead.name },
      expect: "replace",
      after: (state) => expect(rolesOf(state, 205)).toEqual([399]),
    },
    {
      what: "another group",
      args: { groupId: 206, role: teamLead.name },
      expect: "replace",
      calls: { "groups.unassignRole": 1, "groups.assignRole": 1 },
      after: (state) => expect([rolesOf(state, 205), rolesOf(state, 206)]).toEqual([[], [303, 399]]),
    },
  ],
  bad: [
    {
      what: "a role that leaves the path",
      args: { groupId: 205, role: ".." },
      property: "role",
      says: 'is "..", which would change the URL path',
    },
    { what: "a role that is a dot", args: { groupId: 205, role: "." }, property: "role", says: 'is ".", which' },
    {
      what: "an empty role",
      args: { groupId: 205, role: "" },
      property: "role",
      says: "is empty; expected a name or an id",
    },
    { what: "spaces around the role", args: { groupId: 205, role: "analyst " }, property: "role", says: "spaces" },
    { what: "half a character", args: { groupId: 205, role: "\ud800" }, property: "role", says: "half a character" },
    {
      what: "a role id that is not a string",
      args: { groupId: 205, role: 301 },
      property: "role",
      says: "must be a string",
    },
    { what: "no role", args: { groupId: 205 }, property: "role", says: "is required" },
    { what: "no group", args: { role: "analyst" }, property: "groupId", says: "is required" },
    {
      what: "a group id that leaves the path",
      args: { groupId: "..", role: "a" },
      property: "groupId",
      says: "would change the URL path",
    },
    { what: "a fraction", args: { groupId: 1.5, role: "a" }, property: "groupId", says: "must be an integer" },
    { what: "zero", args: { groupId: 0, role: "a" }, property: "groupId", says: "must be a positive integer" },
  ],
  badLater: { args: { groupId: 205, role: { $later: ".." } }, property: "role", says: 'is "..", which would change' },
  forbidden: { token: "powerless", says: "assigning roles to a group" },
};
lifecycle(life);

extendedLifecycle(life, {
  absent: life.absent,
  disappear: (emulator) => request(emulator, "PUT", "/api/v1.2/groups/205/roles/301/unassign", {}),
});

describe("GroupRoleAssignment with the extended API", () => {
  test.each<Partial<Readings>>([
    {},
    { groupRoles: "array" },
    { groupRoles: "names" },
    { groupRoles: "ids" },
    { roleList: "array" },
    { roleRecord: "plain" },
  ])("a role that was taken away is gone: %j", async (readings) => {
    const emulator = await startEmulator({ extended: true, readings });
    for (const role of ["analyst", "301"]) {
      const { life } = inProcess(groupRoleAssignment, emulator, { extended: true });
      const { id, state } = await life.create({ groupId: 205, role });
      expect(await life.read(id, state)).toEqual({ id, state });
      expect(await life.read(id, {})).toMatchObject({ id, state: { groupId: 205, role } });
      await request(emulator, "PUT", "/api/v1.2/groups/205/roles/analyst/unassign", {});
      expect(await life.read(id, state)).toBeUndefined();
    }
    await emulator.close();
  });

  test("a group that is gone has no roles", async () => {
    const emulator = await startEmulator({ extended: true });
    const { life } = inProcess(groupRoleAssignment, emulator, { extended: true });
    expect(await life.read("299/analyst", { groupId: 299, role: "analyst" })).toBeUndefined();
    await emulator.close();
  });

  test.each([
    { extended: [] as string[], token: "admin", readings: {} },
    { extended: ["groups.list"], token: "admin", readings: {} },
    { extended: ["groups.roles", "groups.list"], token: "admin", readings: { groupRoles: "ids" as const } },
    { extended: ["groups.roles", "groups.list", "roles.list"], token: "powerless", readings: {} },
  ])("what cannot be told is kept: %j", async ({ extended, token, readings }) => {
    const emulator = await startEmulator({ extended, readings });
    const { life } = inProcess(groupRoleAssignment, emulator, { extended: true, token });
    const kept = { id: "206/analyst", state: { groupId: 206, role: "analyst" } };
    expect(await life.read(kept.id, kept.state)).toEqual(kept);
    await emulator.close();
  });

  test("without it, nothing is read", async () => {
    const emulator = await startEmulator({ extended: true });
    const { life } = inProcess(groupRoleAssignment, emulator);
    const { id, state } = await life.create({ groupId: 205, role: "analyst" });
    emulator.clearRequests();
    expect(await life.read(id, state)).toEqual({ id, state });
    await life.delete(id, state);
    expect(Object.keys(emulator.requests().counts).filter((name) => name !== "account.view")).toEqual([
      "groups.unassignRole",
    ]);
    await emulator.close();
  });

  test("a role that a Group of the same run declares by other names stays", async () => {
    const emulator = await startEmulator({ extended: true });
    const { client } = inProcess(groupRoleAssignment, emulator, { extended: true });
    const infos: string[] = [];
    const host = {
      client: () => client,
      log: { info: (text: string) => void infos.push(text), warn() {} },
      declarations: new Declarations(),
      extendedApi: () => true,
    };
    new Lifecycle(group, host).check({ name: "analysts", roles: [301] }, { who: "1", name: "all", old: {} });
    await new Lifecycle(groupRoleAssignment, host).delete("204/analyst", { groupId: 204, role: "analyst" });
    expect(rolesOf(emulator.state(), 204)).toEqual([301]);
    expect(infos.join()).toContain('group 204 keeps role analyst, because Group "all" declares it');
    await emulator.close();
  });
});

describe("the id of GroupRoleAssignment", () => {
  test("is split at the first slash", () => {
    expect(groupRoleAssignment.fromId?.("205/team/lead")).toEqual({ groupId: 205, role: "team/lead" });
  });
  test.each(["205", "205/", "/analyst", "two words/analyst", ""])("%j is rejected", (id) => {
    expect(() => groupRoleAssignment.fromId?.(id)).toThrow("expected groupId/role, such as 204/analyst");
  });
});
