import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import type { Readings } from "../../../emulator/readings";
import { group } from "../../../provider/resources/group";
import { args, groupIn, membersIn, owner } from "../../cases/group";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";
import { checkOf } from "../../harness/lifecycle";

describe("Group inputs", () => {
  const failing = (given: Record<string, unknown>) =>
    checkOf("Group", { ...args, ...given }).filter(({ property }) => property !== "");
  test.each([
    [{ name: undefined }, "name", "is required"],
    [{ name: "204" }, "name", "which the API reads as an id"],
    [{ name: "everyone" }, "name", "a system group, which cannot be changed"],
    [{ members: ["104,106"] }, "members[0]", 'is "104,106", a list; write each user by itself'],
    [{ members: [""] }, "members[0]", "is empty"],
    [{ roles: [".."] }, "roles[0]", "would change the URL path"],
    [{ roles: [0] }, "roles[0]", "must be a positive integer"],
  ])("%j", (given, property, says) => {
    expect(failing(given).map((failure) => failure.property)).toEqual([property]);
    expect(failing(given)[0]?.reason).toContain(says);
  });
});

describe("Group", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ extended: true });
  });
  afterEach(() => emulator.close());
  const start = (readings: Partial<Readings> = {}) => {
    emulator.setReadings(readings);
    return inProcess(group, emulator, { extended: true });
  };
  const count = (operation: string) => emulator.requests().counts[operation] ?? 0;

  test.each<Partial<Readings>>([
    {},
    { groupList: "array" },
    { groupList: "paged" },
    { groupRecord: "ids" },
    { groupRecord: "records" },
    { groupCreateAnswer: "id" },
    { groupCreateAnswer: "record" },
    { groupUpdateLists: "replaced" },
    { memberRepeated: "refused" },
    { roleRepeated: "refused" },
    { groupUsers: "svc_users" },
    { groupUsers: "array" },
    { groupUsers: "ids" },
    { groupUsers: "emails" },
    { groupRoles: "array" },
    { groupRoles: "names" },
    { groupRoles: "ids" },
    { userEntry: "manual" },
  ])("is created, read, changed, imported and deleted: %j", async (readings) => {
    const { life, said } = start(readings);
    const { id, state } = await life.create(args);
    expect([groupIn(emulator.state())?.roles, membersIn(emulator.state())]).toEqual([
      [301, 303],
      [104, 106],
    ]);
    expect((await life.read(id, state))?.state).toMatchObject(args);

    await request(emulator, "PUT", "/api/v1.2/groups/reviewers/svc_users/104/remove", {});
    await request(emulator, "PUT", "/api/v1.2/groups/reviewers/svc_users/101/add", {});
    await request(emulator, `PUT`, `/api/v1.2/groups/${id}/roles/302/assign`, {});
    const drifted = (await start(readings).life.read(id, state))!;
    expect(drifted.state).toMatchObject({
      members: [owner, "admin@analytics.example.com"],
      roles: ["analyst", 303, "account-editor"],
    });

    emulator.clearRequests();
    const next = { name: "auditors", members: ["102", "analyst@analytics.example.com"], roles: ["data-engineer"] };
    const updated = await start(readings).life.update(id, drifted.state, next);
    expect([groupIn(emulator.state(), "auditors")?.roles, membersIn(emulator.state(), "auditors")]).toEqual([
      [303],
      [102, 104],
    ]);
    expect(emulator.requests().counts).toMatchObject({
      "groups.update": 1,
      "groups.removeUsers": 1,
      "groups.unassignRole": 2,
    });

    for (const given of [id, "auditors"]) {
      const imported = await start(readings).life.read(given, {});
      expect(imported?.id).toBe(id);
      expect([...(imported!.state["members"] as string[])].sort()).toEqual([
        "analyst@analytics.example.com",
        "user@analytics.example.com",
      ]);
      expect(imported?.state).toMatchObject({ name: "auditors", roles: ["data-engineer"] });
    }
    await life.delete(id, updated.state);
    expect(groupIn(emulator.state(), "auditors")).toBeUndefined();
    expect(await start(readings).life.read(id, updated.state)).toBeUndefined();
    expect(said.warnings).toEqual([]);
  });

  test("members and roles that are not declared are left alone", async () => {
    const { life } = start();
    const state = { name: "analysts", adopt: true };
    const { id } = await life.create(state);
    expect(id).toBe("204");
    expect((await life.read(id, state))?.state).toMatchObject(state);
    await life.update(id, state, { ...state, name: "data-analysts" });
    expect([groupIn(emulator.state(), "data-analysts")?.roles, membersIn(emulator.state(), "data-analysts")]).toEqual([
      [301],
      [104],
    ]);
  });

  test("empty lists remove everybody and everything", async () => {
    const { life } = start();
    await life.create({ name: "analysts", members: [], roles: [], adopt: true });
    expect([groupIn(emulator.state(), "analysts")?.roles, membersIn(emulator.state(), "analysts")]).toEqual([[], []]);
  });

  test("a name that exists already says how to take it over; a system group is refused", async () => {
    const { life } = start();
    await expect(life.create({ name: "analysts" })).rejects.toThrow(
      /group analysts already exists \(id 204\).*pulumi import dataplatform:index:Group <name> 204/,
    );
    expect(count("groups.create")).toBe(0);
    for (const id of ["203", "everyone"])
      await expect(life.read(id, {})).rejects.toThrow("group everyone is a system group");
  });

  test("a lost answer is looked up by the name, and nothing is created twice", async () => {
    emulator.setFaults({ rules: [{ operation: "groups.create", kind: "reset-after" }] });
    const { life } = start();
    const { id } = await life.create(args);
    expect(String(groupIn(emulator.state())?.id)).toBe(id);
    expect(membersIn(emulator.state())).toEqual([104, 106]);
    expect(count("groups.create")).toBe(1);
  });

  test("a lost request is kept under its name, and the next up creates it", async () => {
    emulator.setFaults({ rules: [{ operation: "groups.create", kind: "reset-before" }] });
    const { life } = start();
    const failed = await life.create(args).catch((error: unknown) => error);
    const { existing } = failed as { existing: { id: string; state: Record<string, unknown> } };
    expect(existing).toMatchObject({ id: "reviewers", state: { name: "reviewers" } });
    emulator.clearFaults();
    const { id, state } = await life.update("reviewers", existing.state, args);
    expect(membersIn(emulator.state())).toEqual([104, 106]);
    expect((await life.read(id, state))?.id).toBe(String(groupIn(emulator.state())?.id));
    await life.delete(id, state);
    expect(groupIn(emulator.state())).toBeUndefined();
  });

  test.each(["groups.addUsers", "groups.assignRole"])(
    "if %s fails, the group is kept and the next up goes on",
    async (operation) => {
      emulator.setFaults({ rules: [{ operation, kind: "respond", status: 422 }] });
      const { life } = start();
      const failed = await life.create(args).catch((error: unknown) => error);
      const { existing } = failed as { existing: { id: string; state: Record<string, unknown> } };
      expect(existing.id).toBe(String(groupIn(emulator.state())?.id));
      emulator.clearFaults();
      const again = start().life;
      expect(again.diff(existing.id, existing.state, args).changed).not.toEqual([]);
      await again.update(existing.id, existing.state, args);
      expect([groupIn(emulator.state())?.roles, membersIn(emulator.state())]).toEqual([
        [301, 303],
        [104, 106],
      ]);
    },
  );

  test("a user who does not exist is named by the platform, and nothing else is tried", async () => {
    const { life, said } = start();
    await expect(life.create({ name: "x", members: ["nobody@example.com"] })).rejects.toThrow(/nobody@example.com/);
    expect(count("groups.update")).toBe(0);
    expect(said.warnings).toEqual([]);
  });

  test("without the permission, the error names it", async () => {
    const { life } = inProcess(group, emulator, { extended: true, token: "powerless" });
    await expect(life.create(args)).rejects.toThrow("creating a group");
  });
});

describe("half an installation", () => {
  const all = ["list", "view", "create", "update", "delete", "addUsers", "removeUsers", "users", "roles"];
  const without = async (missing: readonly string[], readings: Partial<Readings> = {}) => {
    const extended = all.filter((name) => !missing.includes(name)).map((name) => `groups.${name}`);
    const emulator = await startEmulator({ extended, readings });
    return { emulator, ...inProcess(group, emulator, { extended: true }) };
  };

  test.each([
    { missing: ["addUsers", "removeUsers"], readings: {} },
    { missing: ["addUsers", "removeUsers"], readings: { groupUpdateLists: "replaced" as const } },
    { missing: ["addUsers", "removeUsers", "users"], readings: { groupUpdateLists: "replaced" as const } },
    { missing: ["users", "roles"], readings: {} },
    { missing: ["view"], readings: {} },
  ])("changes members all the same: %j", async ({ missing, readings }) => {
    const { emulator, life } = await without(missing, readings);
    const { id, state } = await life.create(args);
    expect(membersIn(emulator.state())).toEqual([104, 106]);
    const next = { ...args, members: [owner, "101"], roles: [301] };
    const { state: updated } = await life.update(id, state, next);
    expect([groupIn(emulator.state())?.roles, membersIn(emulator.state())]).toEqual([[301], [101, 106]]);
    expect((await life.read(id, updated))?.state).toMatchObject(next);
    await life.delete(id, updated);
    await emulator.close();
  });

  test("without a list, the name identifies the group", async () => {
    const { emulator, life } = await without(["list", "view"]);
    const { id, state } = await life.create({ name: "reviewers", members: [owner] });
    expect(id).toBe("reviewers");
    expect(membersIn(emulator.state())).toEqual([106]);
    expect(await life.read(id, state)).toEqual({ id, state });
    await life.delete(id, state);
    expect(groupIn(emulator.state())).toBeUndefined();
    await emulator.close();
  });

  test("without updates and deletes, errors and warnings say what to do", async () => {
    const { emulator, life, said } = await without(["update", "delete"]);
    const { id, state } = await life.create(args);
    await expect(life.update(id, state, { ...args, name: "auditors" })).rejects.toThrow(
      `group reviewers (id ${id}) was not renamed: this installation of the platform cannot update a group`,
    );
    await life.delete(id, state);
    expect(said.warnings.join()).toContain(`group reviewers (id ${id}) stays on the platform`);
    await emulator.close();
  });
});
