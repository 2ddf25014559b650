import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import type { Readings } from "../../../emulator/readings";
import { role } from "../../../provider/resources/role";
import { args, encoded, policies, roleIn } from "../../cases/role";
import { inProcess } from "../../harness/in-process";
import { checkOf } from "../../harness/lifecycle";

describe("Role inputs", () => {
  const failing = (given: Record<string, unknown>) =>
    checkOf("Role", { ...args, ...given }).filter(({ property }) => property !== "");
  test.each([
    [{ name: "" }, "name", "is empty"],
    [{ name: "301" }, "name", "which the API reads as an id"],
    [{ name: "system-admin" }, "name", "a system role, which cannot be changed"],
    [{ policies: undefined }, "policies", "is required"],
    [{ policies: [{ access: "allow" }] }, "policies[0].resource", "is required"],
    [{ policies: [{ access: "perhaps", resource: "note" }] }, "policies[0].access", 'expected one of "allow", "deny"'],
    [{ policies: [{ access: "allow", resource: "note", action: [""] }] }, "policies[0].action[0]", "is empty"],
    [{ policies: [{ access: "allow", resource: "note", actions: ["all"] }] }, "policies[0]", "did you mean action"],
  ])("%j", (given, property, says) => {
    expect(failing(given).map((failure) => failure.property)).toEqual([property]);
    expect(failing(given)[0]?.reason).toContain(says);
  });

  test("without the extended API there is no such resource", () => {
    expect(checkOf("Role", args)).toEqual([
      { property: "", reason: expect.stringContaining("Role needs the extended API; set dataplatform:extendedApi") },
    ]);
  });
});

describe("Role", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ extended: true });
  });
  afterEach(() => emulator.close());
  const start = (readings: Partial<Readings> = {}) => {
    emulator.setReadings(readings);
    return inProcess(role, emulator, { extended: true });
  };
  const count = (operation: string) => emulator.requests().counts[operation] ?? 0;

  test.each<Partial<Readings>>([
    {},
    { roleList: "array" },
    { roleList: "paged" },
    { roleRecord: "array" },
    { roleRecord: "policies" },
    { roleRecord: "plain" },
    { pageOutOfBounds: "404" },
  ])("is created, read, changed, imported and deleted: %j", async (readings) => {
    const { life, said } = start(readings);
    const { id, state } = await life.create(args);
    expect(state).toEqual({ ...args, source: "user-defined", accountId: 1001 });
    const read = await life.read(id, state);
    expect(read).toEqual({ id, state });
    await life.update(id, state, { ...args, name: "author" });
    expect(roleIn(emulator.state(), "author")?.policies).toEqual(encoded);
    const shown = readings.roleRecord === "plain" ? {} : { policies };
    for (const given of [id, "author"])
      expect(await life.read(given, {})).toMatchObject({ id, state: { name: "author", ...shown } });
    await life.delete(id, { ...state, name: "author" });
    expect(roleIn(emulator.state(), "author")).toBeUndefined();
    expect(await life.read(id, state)).toBeUndefined();
    expect(said.warnings).toEqual([]);
  });

  test("an unknown resource is sent as it is, with a warning", () => {
    const { life, said } = start();
    expect(life.check({ name: "x", policies: [{ access: "allow", resource: "moon" }] }).failures).toEqual([]);
    expect(said.warnings.join()).toContain('resource "moon" is not in the API\'s manual and is sent unchanged');
  });

  test.each(["409", "422"] as const)(
    "a name that exists already says how to take it over; status %s",
    async (nameTaken) => {
      const { life } = start({ nameTaken });
      await expect(life.create({ ...args, name: "analyst" })).rejects.toThrow(
        "role analyst already exists (id 301). If this resource was renamed or moved, give it an alias with its old name (docs/moving.md). To take over the role, set adopt: true, or import it: pulumi import dataplatform:index:Role <name> 301",
      );
      expect(count("roles.create")).toBe(0);
      await expect(life.create({ ...args, name: "analyst", adopt: true })).resolves.toMatchObject({ id: "301" });
      expect(roleIn(emulator.state(), "analyst")?.policies).toEqual(encoded);
    },
  );

  test("a lost answer is looked up by the name, and nothing is created twice", async () => {
    emulator.setFaults({ rules: [{ operation: "roles.create", kind: "reset-after" }] });
    const { life } = start();
    const { id, state } = await life.create(args);
    expect(String(roleIn(emulator.state(), "reporter")?.id)).toBe(id);
    expect(state).toMatchObject({ source: "user-defined", accountId: 1001 });
    expect(count("roles.create")).toBe(1);
  });

  test("a lost request is kept under its name, and the next up creates it", async () => {
    emulator.setFaults({ rules: [{ operation: "roles.create", kind: "reset-before" }] });
    const { life } = start();
    const failed = await life.create(args).catch((error: unknown) => error);
    const { existing } = failed as { existing: { id: string; state: Record<string, unknown> } };
    expect(failed).toMatchObject({ message: expect.stringContaining("It may exist") });
    expect(existing.id).toBe("reporter");
    emulator.clearFaults();
    const { id, state } = await life.update(existing.id, existing.state, args);
    expect(roleIn(emulator.state(), "reporter")?.policies).toEqual(encoded);
    const read = await life.read(id, state);
    expect(read?.id).toBe(String(roleIn(emulator.state(), "reporter")?.id));
    await life.delete(id, state);
    expect(roleIn(emulator.state(), "reporter")).toBeUndefined();
  });

  test("an answer without the role is looked up", async () => {
    emulator.setFaults({
      rules: [{ operation: "roles.create", kind: "respond", work: "do", status: 200, body: { status: "done" } }],
    });
    const { life } = start();
    const { id } = await life.create(args);
    expect(id).toBe(String(roleIn(emulator.state(), "reporter")?.id));
  });

  test("an update with an open outcome is repeated by the next up", async () => {
    const { life } = start();
    const { id, state } = await life.create(args);
    emulator.setFaults({ rules: [{ operation: "roles.update", kind: "reset-before" }] });
    const failed = await life.update(id, state, { ...args, name: "author" }).catch((error: unknown) => error);
    const { existing } = failed as { existing: { id: string; state: Record<string, unknown> } };
    emulator.clearFaults();
    await life.update(id, existing.state, { ...args, name: "author" });
    expect(roleIn(emulator.state(), "author")?.policies).toEqual(encoded);
  });

  test("system roles are refused on import", async () => {
    const { life } = start();
    for (const id of ["307", "system-admin"])
      await expect(life.read(id, {})).rejects.toThrow("role system-admin is a system role, which cannot be changed");
  });

  test("many roles need one list", async () => {
    const { life } = start();
    await Promise.all(["analyst", "account-editor", "data-engineer"].map((name) => life.read(name, {})));
    expect(count("roles.list")).toBe(2); // the second asks for a second page
  });

  test("a role that has groups is not deleted if the platform refuses", async () => {
    const { life } = start({ roleDeleteAssigned: "refused" });
    await expect(life.delete("301", { name: "analyst", policies: [] })).rejects.toThrow("unassign it first");
  });

  test("without the permission, the error names it", async () => {
    const { life } = inProcess(role, emulator, { extended: true, token: "powerless" });
    await expect(life.create(args)).rejects.toThrow("creating roles");
  });
});

describe("half an installation", () => {
  const operations = ["roles.list", "roles.view", "roles.create", "roles.update", "roles.delete"];
  const without = async (...missing: string[]) => {
    const emulator = await startEmulator({ extended: operations.filter((name) => !missing.includes(name)) });
    return { emulator, ...inProcess(role, emulator, { extended: true }) };
  };

  test("without views, the list shows a role, and that it is gone", async () => {
    const { emulator, life } = await without("roles.view");
    const { id, state } = await life.create(args);
    expect(await life.read(id, state)).toEqual({ id, state });
    await life.delete(id, state);
    expect(await life.read(id, state)).toBeUndefined();
    await emulator.close();
  });

  test("without a list and views, the state is kept, with one warning", async () => {
    const { emulator, life, said } = await without("roles.view", "roles.list");
    const { id, state } = await life.create(args);
    expect(await life.read(id, state)).toEqual({ id, state });
    expect(await life.read(id, state)).toEqual({ id, state });
    expect(said.warnings).toEqual([expect.stringContaining("cannot list the roles (GET /api/v1.2/roles: 404)")]);
    await life.delete(id, state);
    expect(roleIn(emulator.state(), "reporter")).toBeUndefined();
    await emulator.close();
  });

  test("without updates and deletes, errors and warnings say what to do", async () => {
    const { emulator, life, said } = await without("roles.update", "roles.delete");
    const { id, state } = await life.create(args);
    await expect(life.update(id, state, { ...args, name: "author" })).rejects.toThrow(
      `role author (id ${id}) was not changed: this installation of the platform cannot update a role`,
    );
    await life.delete(id, state);
    expect(said.warnings.join()).toContain(`role reporter (id ${id}) stays on the platform`);
    await emulator.close();
  });

  test("without creation, the error names the operation", async () => {
    const { emulator, life } = await without("roles.create");
    await expect(life.create(args)).rejects.toThrow(/could not create a role|cannot create a role/);
    await emulator.close();
  });
});

test("turning the extended API off keeps the state, and on again goes on", async () => {
  const emulator = await startEmulator({ extended: true });
  const on = inProcess(role, emulator, { extended: true });
  const off = inProcess(role, emulator);
  const { id, state } = await on.life.create(args);
  expect(await off.life.read(id, state)).toEqual({ id, state });
  await expect(off.life.delete(id, state)).rejects.toThrow("Role needs the extended API");
  await on.life.delete(id, state);
  expect(roleIn(emulator.state(), "reporter")).toBeUndefined();
  await emulator.close();
});
