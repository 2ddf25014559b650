import { expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { role } from "../../../provider/resources/role";
import { args, encoded, roleIn } from "../../cases/role";
import { freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const start = (readings: Partial<Readings> = {}) => {
  emulator.setReadings(readings);
  return inProcess(role, emulator, { extended: true });
};
const count = (operation: string) => emulator.requests().counts[operation] ?? 0;

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
