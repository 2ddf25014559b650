import { expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { group } from "../../../provider/resources/group";
import { args, groupIn, membersIn, owner } from "../../cases/group";
import { freshEmulator, ownEmulator } from "../../harness/emulators";
import { createdBy, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const start = (reading: Partial<Readings> = {}) => {
  emulator.setReadings(reading);
  return inProcess(group, emulator, { extended: true });
};
const count = (operation: string) => emulator.requests().counts[operation] ?? 0;
const has = (name?: string, platform = emulator) => {
  const state = platform.state();
  return { roles: groupIn(state, name)?.roles, members: membersIn(state, name) };
};

test("an update sends one request for each kind of change, and an import finds it by id and by name", async () => {
  const { life, id, state } = await createdBy(start(), args);
  emulator.clearRequests();
  await life.update(id, state, { name: "auditors", members: ["102", "analyst@analytics.example.com"], roles: ["302"] });
  expect(has("auditors")).toEqual({ roles: [302], members: [102, 104] });
  const changes = { "groups.update": 1, "groups.removeUsers": 1, "groups.unassignRole": 2 };
  expect(emulator.requests().counts).toMatchObject(changes);
  for (const given of [id, "auditors"]) {
    const imported = await start().life.read(given, {});
    expect(imported).toMatchObject({ id, state: { name: "auditors", roles: ["account-editor"] } });
    expect(imported?.state["members"]).toHaveLength(2);
  }
});

test("members and roles that are not declared are left alone", async () => {
  const { life } = start();
  const state = { name: "analysts", adopt: true };
  const { id } = await life.create(state);
  expect(id).toBe("204");
  expect((await life.read(id, state))?.state).toMatchObject(state);
  await life.update(id, state, { ...state, name: "data-analysts" });
  expect(has("data-analysts")).toEqual({ roles: [301], members: [104] });
});

test("a user or a role that does not exist is named by the platform, and so is what was done; nothing else is tried", async () => {
  const { life, said } = start();
  await expect(life.create({ name: "x", members: ["nobody@example.com"] })).rejects.toThrow(
    /list of users does not have nobody@example.com/,
  );
  expect(count("groups.update")).toBe(0);
  expect(said.warnings).toEqual([]);
  await expect(life.create({ name: "y", roles: ["h-n"] })).rejects.toThrow(
    /could not assign 1 of 1 roles .*h-n\. Correct that, and run the command again\. Group y was created, and is kept in the state$/,
  );
});

const all = ["list", "view", "create", "update", "delete", "addUsers", "removeUsers", "users", "roles"];
test.each([
  { missing: ["addUsers", "removeUsers"], readings: {} },
  { missing: ["addUsers", "removeUsers"], readings: { groupUpdateLists: "replaced" as const } },
  { missing: ["addUsers", "removeUsers", "users"], readings: { groupUpdateLists: "replaced" as const } },
  { missing: ["users", "roles"], readings: {} },
  { missing: ["view"], readings: {} },
])("half an installation changes members all the same: %j", async ({ missing, readings }) => {
  const extended = all.filter((name) => !missing.includes(name)).map((name) => `groups.${name}`);
  const half = await ownEmulator({ extended, readings });
  const { life, id, state } = await createdBy(inProcess(group, half, { extended: true }), args);
  expect(membersIn(half.state())).toEqual([104, 106]);
  const next = { ...args, members: [owner, "101"], roles: [301] };
  const { state: updated } = await life.update(id, state, next);
  expect(has(undefined, half)).toEqual({ roles: [301], members: [101, 106] });
  expect((await life.read(id, updated))?.state).toMatchObject({ ...next, roles: ["301"] });
  await life.delete(id, updated);
});
