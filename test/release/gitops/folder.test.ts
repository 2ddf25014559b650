import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { root, run } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";
import { git } from "../../harness/team";

/* What the pipeline says before it starts Pulumi: in the wrong folder, without pulumi, and with changes not committed. */

let folder: string;
beforeEach(() => {
  folder = ownFolder();
  for (const name of ["Pulumi.yaml", "index.ts"]) cpSync(join(root, "examples/gitops", name), join(folder, name));
  git(folder, "init", "--quiet");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "--message", "first");
});

const pipeline = (cwd: string, ...args: string[]) =>
  run(process.execPath, [join(root, "dist/cli/main.js"), "pipeline", ...args], { cwd, env: process.env });

test("in another folder: says where to run it, and leaves that folder's reports alone", async () => {
  const reports = join(folder, "inside/reports");
  mkdirSync(reports, { recursive: true });
  const { code, stderr } = await pipeline(join(folder, "inside"), "preview", "dev");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /there is no Pulumi\.yaml in \S+inside; run "dataplatform pipeline preview dev" in the repository's folder\n$/,
  );
  expect(existsSync(reports)).toBe(true);
});

test("apply with changes that are not committed: says to commit them first", async () => {
  writeFileSync(join(folder, "index.ts"), "// changed\n");
  const { code, stdout } = await pipeline(folder, "apply", "dev", "--plan", "0".repeat(64));
  expect(code).toBe(1);
  expect(stdout).toContain("- not committed: there are changes that are not committed (M index.ts): commit first\n");
  // A new plan would be refused for the same reason.
  expect(stdout).not.toMatch(/missing:|Make a new plan/);
});
