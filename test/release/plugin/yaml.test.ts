import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { onStack } from "../../harness/command";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";
import { request } from "../../harness/http";
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

chapter("an import of what export found prints YAML that changes nothing when it is added to the program", async () => {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "198.51.100.9" });
  const skipped = ["account", "users", "tables"].flatMap((part) => ["--skip", part]);
  const adopted = join(ownFolder(), "adopted");
  const { stdout } = await expectOk(onStack(stack, "export", "--missing", "--stack", "test", ...skipped, adopted));
  expect(stdout).toContain("import.json --out imported.yaml");
  const code = join(stack.folder, "imported.yaml");
  const flags = ["--out", code, "--protect=false", "--yes", "--skip-preview", "--stack", "test"];
  await expectOk(stack.pulumi("import", "--file", join(adopted, "import.json"), ...flags));
  const [, printed] = /^resources:\n([\s\S]*)/m.exec(readFileSync(code, "utf8"))!;
  expect(printed).toContain("ipCidr: 198.51.100.9");
  const program = join(stack.folder, "Pulumi.yaml");
  writeFileSync(program, readFileSync(program, "utf8").replace("resources:\n", `resources:\n${printed}\n`));
  expect((await expectOk(stack.preview())).changed).toEqual({});
});

chapter("everything is destroyed", async () => {
  await expectOk(stack.destroy());
  expect(accountOf(emulator).whitelist).toEqual([]);
});
