import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { expectOk, sharedStack, story } from "../../harness/stacks";

const emulator = sharedEmulator();
const stack = sharedStack(emulator, { program: "examples/yaml" });

const chapter = story();
chapter("without its secret it does not run, and names it", async () => {
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  expect(up.text).toContain("missing configuration value 'warehousePassword'");
  const readme = readFileSync(join(root, "examples/yaml/README.md"), "utf8");
  const [, key] = /^ *pulumi config set --secret (\w+)$/m.exec(readme)!;
  await expectOk(stack.pulumi("config", "set", "--secret", key!, "only-in-this-test"));
});

chapter("a YAML program declares resources and calls functions", async () => {
  await expectOk(stack.up());
  expect(await stack.outputs()).toMatchObject({ accountName: "Analytics", dailyTables: expect.any(Array) });
  expect((await expectOk(stack.preview())).changed).toEqual({});
});

chapter("everything is destroyed", async () => {
  await expectOk(stack.destroy());
  expect(accountOf(emulator).whitelist).toEqual([]);
});
