import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { args as folder } from "../../cases/folder";
import { type StackOptions, TestStack } from "../../harness/stack";
import { expectOk } from "../../harness/stacks";

/** What is special to one resource and takes several runs of the engine to tell. */
let emulator: Emulator;
let stack: TestStack;
const open = async (options: StackOptions = {}): Promise<void> => {
  stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]!, ...options });
};
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(async () => {
  stack.remove();
  await emulator.close();
});

test("a policy of the same program follows the folder to its new name", async () => {
  await open();
  const location = { $ref: "folder.currentLocation" };
  const policy = { type: "notes", location, policy: [{ access: "deny" }], onDestroy: "clear" };
  const program = (name: string) => ({
    folder: { type: "Folder", args: { ...folder, name } },
    policy: { type: "FolderPolicy", args: policy },
  });
  await expectOk(stack.up(program("first")));
  await expectOk(stack.up(program("second")));
  const ids = (await stack.exportState()).resources.map(({ id }) => id);
  expect(ids).toEqual(["notes/701", "notes/Common/second"]);
  expect((await stack.preview()).changed).toEqual({});
});
