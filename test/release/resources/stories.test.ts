import { expect, test } from "vitest";
import { args as folder } from "../../cases/folder";
import { ownEmulator } from "../../harness/emulators";
import { expectOk, ownStack } from "../../harness/stacks";

/** What is special to one resource and takes several runs of the engine to tell. */
test("a policy of the same program follows the folder to its new name", async () => {
  const stack = await ownStack(await ownEmulator());
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
