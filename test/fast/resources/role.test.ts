import { expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { role } from "../../../provider/resources/role";
import { args, encoded, policies, roleIn } from "../../cases/role";
import { eachReading, freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const start = (readings: Partial<Readings> = {}) => {
  emulator.setReadings(readings);
  return inProcess(role, emulator, { extended: true });
};
const count = (operation: string) => emulator.requests().counts[operation] ?? 0;

test.each(
  eachReading({
    roleList: ["array", "paged"],
    roleRecord: ["array", "policies", "plain"],
    pageOutOfBounds: ["404"],
  }),
)("is created, read, changed, imported and deleted: %j", async (readings) => {
  const { life, said, id, state } = await createdBy(start(readings), args);
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

test("an update with an open outcome is repeated by the next up", async () => {
  const { life, id, state } = await createdBy(start(), args);
  emulator.setFaults({ rules: [{ operation: "roles.update", kind: "reset-before" }] });
  const existing = await partOf(life.update(id, state, { ...args, name: "author" }));
  emulator.clearFaults();
  await life.update(id, existing.state, { ...args, name: "author" });
  expect(roleIn(emulator.state(), "author")?.policies).toEqual(encoded);
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
