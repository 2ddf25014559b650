import { expect, test } from "vitest";
import type { PartialFailure } from "../../../provider/core/guard";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

const emulator = sharedEmulator();

const args = { groupId: 205, role: "analyst" };
const roles = () => accountOf(emulator).groups.find(({ id }) => id === 205)!.roles;

test("a write with an open outcome is repeated, even after a refresh has cleared the engine's own record of it", async () => {
  const { life } = inProcess(groupRoleAssignment, emulator);
  emulator.setFaults({ rules: [{ operation: "groups.assignRole", kind: "500", work: "skip" }] });
  const failure = (await life.create(args).catch((error: unknown) => error)) as PartialFailure;
  expect(failure.reason).toMatch(/its outcome is unknown\. It is kept in the state/);
  emulator.clearFaults();
  const { id, state } = failure.existing;
  const refreshed = (await life.read(id, state))!;
  const difference = life.diff(refreshed.state, args);
  expect(difference).toMatchObject({ changed: [], replaces: [], redo: true });
  expect(roles()).toEqual([]);
  const settled = await life.update(id, refreshed.state, args);
  expect(roles()).toEqual([301]);
  expect(life.diff(settled.state, args)).toMatchObject({ changed: [], redo: false });
});
