import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { engineFolder, type Ran, root, run } from "../../harness/engine";
import { testFolder } from "../../harness/folders";

interface Schema {
  readonly version: string;
  readonly resources: Record<string, object>;
}
const file = join(root, "sdk/schema.json");
const folder = testFolder();

function pulumi(...args: readonly string[]): Promise<Ran> {
  const env = {
    ...process.env,
    PATH: `${engineFolder()}${delimiter}${process.env["PATH"]}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  return run(join(engineFolder(), "pulumi"), args, { cwd: folder, env });
}

test("the CLI accepts the schema", async () => {
  const { code, stdout, stderr } = await pulumi("schema", "check", file);
  expect({ code, said: (stdout + stderr).trim() }).toEqual({ code: 0, said: "" });
});

test("the CLI gets it from the plugin", async () => {
  const { code, stdout, stderr } = await pulumi(
    "package",
    "get-schema",
    join(root, "dist/plugin/pulumi-resource-dataplatform"),
  );
  expect(code, stderr).toBe(0);
  const received = JSON.parse(stdout) as Schema;
  expect(Object.keys(received.resources).sort()).toEqual(
    Object.keys((JSON.parse(readFileSync(file, "utf8")) as Schema).resources).sort(),
  );
  expect(received.version).toBe((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Schema).version);
});
