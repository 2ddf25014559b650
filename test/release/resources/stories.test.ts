import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { args as folder } from "../../cases/folder";
import { listIn } from "../../cases/ip-whitelist";
import { named, python } from "../../cases/package-set";
import { expectOk } from "../../harness/outcomes";
import { type StackOptions, TestStack } from "../../harness/stack";

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

test("a thousand addresses are one resource; a partial failure is kept, and the next up finishes the rest", async () => {
  await open();
  const addresses = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const counts = () => emulator.requests(0).counts;
  emulator.setFaults({ rules: [{ operation: "whitelist.add", kind: "respond", status: 422, nth: [10, 500] }] });
  const failed = await stack.up({ it: { type: "IpWhitelist", args: { addresses } } });
  expect(failed.code).not.toBe(0);
  expect(failed.text).toContain("could not add 2 of 1000 addresses");
  expect(listIn(emulator.state())).toHaveLength(998);
  const [half] = (await stack.exportState()).resources;
  expect(half!.outputs["addresses"]).toHaveLength(998);

  emulator.clearFaults();
  emulator.clearRequests();
  await expectOk(stack.up());
  expect(counts()["whitelist.add"]).toBe(2);
  expect(new Set(listIn(emulator.state()))).toEqual(new Set(addresses));
  expect((await stack.preview()).changed).toEqual({});

  emulator.clearRequests();
  const destroyed = await expectOk(stack.destroy());
  expect(listIn(emulator.state())).toEqual([]);
  expect(counts()["whitelist.delete"]).toBe(5);
  expect(destroyed.text).toContain("the whitelist of account 1001 is now empty");
});

test("a removal that fails keeps what was added, and the next up removes the rest", async () => {
  await open({ mode: "plugin", config: { retries: "0" } });
  const installed = () => Object.keys(python(emulator.state())).sort();
  await expectOk(stack.up({ it: { type: "PackageSet", args: named("requests", "polars") } }));
  emulator.setFaults({ rules: [{ operation: "package.remove", kind: "500", times: 1 }] });
  const failed = await stack.up({ it: { type: "PackageSet", args: named("polars", "xgboost") } });
  expect(failed.code, failed.text).not.toBe(0);
  expect(installed()).toEqual(["polars", "requests", "xgboost"]);
  await expectOk(stack.up());
  expect(installed()).toEqual(["polars", "xgboost"]);
  expect((await stack.preview()).changed).toEqual({});
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
