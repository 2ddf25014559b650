import { join } from "node:path";
import { expect, test } from "vitest";
import { engineFolder, root, run } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";

// That it gets the schema from an installed plugin is in test/release/release.test.ts.
test("the CLI accepts the schema", async () => {
  const cwd = ownFolder();
  const env = { ...process.env, PULUMI_HOME: join(cwd, "home"), PULUMI_SKIP_UPDATE_CHECK: "true" };
  const checking = ["schema", "check", join(root, "sdk/schema.json")];
  expect(await run(join(engineFolder(), "pulumi"), checking, { cwd, env })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
});
