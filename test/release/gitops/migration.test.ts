import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accountOf, ownEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { git, person, Team } from "../../harness/team";

/* The page's commands, on a repository with the layout of the first example. */

const page = readFileSync(join(root, "docs/gitops-migration.md"), "utf8");
const [first, second] = [...page.matchAll(/```sh\n([\s\S]*?) {3}```/g)].map(([, block]) =>
  block!.split("\n").map((line) => line.trim()),
) as [string[], string[]];

const old = [
  "ci/pipeline.mjs",
  "ci/plan.mjs",
  ".github/actions/setup/action.yml",
  ".github/workflows/preview.yml",
  ".github/workflows/apply.yml",
  ".github/workflows/drift.yml",
  ".github/workflows/repair.yml",
  ".gitlab-ci.yml",
];

test("a repository of the first example moves to the command, and previews", async () => {
  const emulator = await ownEmulator();
  const team = await Team.start(emulator);
  onTestFinished(() => team.remove());
  const atDesk = (...args: string[]) => git(team.desk, ...args);
  atDesk("rm", "-r", "--quiet", ".github", "gitlab", ".npmrc");
  for (const path of old) {
    mkdirSync(dirname(join(team.desk, path)), { recursive: true });
    writeFileSync(join(team.desk, path), "# the first example\n");
  }
  atDesk("add", "--all");
  atDesk("commit", "--quiet", "--message", "As it was");
  atDesk("push", "--quiet", "origin", "main");
  cpSync(join(root, "examples/gitops"), join(team.folder, "example"), { recursive: true });

  // The package is linked in the place of being installed.
  const commands = first.filter((line) => line && !line.startsWith("npm install"));
  expect(commands.length).toBe(first.filter(Boolean).length - 1);
  execFileSync("sh", ["-e", "-c", commands.join("\n")], {
    cwd: team.desk,
    env: { ...process.env, ...person },
  });
  expect(old.filter((path) => existsSync(join(team.desk, path)))).toEqual([]);
  expect(readdirSync(join(team.desk, ".github/workflows")).sort()).toEqual(["operations.yml", "platform.yml"]);
  expect(atDesk("status", "--porcelain")).toBe("");

  expect(second.filter(Boolean)).toEqual([
    "npx --no-install dataplatform pipeline keys",
    "npx --no-install dataplatform pipeline preview dev",
  ]);
  // That a desk goes on with the digest is in pipeline.test.ts.
  const refused = await team.atDesk("preview");
  expect(refused.code).toBe(1);
  expect(page).toContain("ends with `needs approval`");
  expect(refused.report).toContain("**A merge would be refused, for 1 reason:**");
  expect(refused.report).toMatch(/needs approval: .* sets DATAPLATFORM_APPROVED_RULES to \w{32}/);
  expect(refused.report.match(/^\| create \|/gm)).toHaveLength(3);
  expect(accountOf(emulator).whitelist).toEqual([]);
});
