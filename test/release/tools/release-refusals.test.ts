import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Ran } from "../../harness/engine";
import { ProjectCopy } from "../../harness/project-copy";

const next = "99.0.0";
let project: ProjectCopy;
let start: string;

beforeAll(() => {
  project = new ProjectCopy();
  project.edit("CHANGELOG.md", (text) => text.replace("## Unreleased\n", "## Unreleased\n\n- Something new.\n"));
  project.commit("Something new");
  start = project.git("rev-parse", "HEAD").trim();
});
afterEach(() => {
  project.git("reset", "--quiet", "--hard", start);
  project.git("clean", "--quiet", "--force");
});
afterAll(() => project.remove());

/** A refusal has a code and a reason, and has changed nothing. */
function expectRefused({ code, stderr }: Ran, errorCode: string, reason: string): void {
  expect(code).toBe(1);
  expect(stderr).toContain(`error ${errorCode}: `);
  expect(stderr).toContain(reason);
  expect(project.has("release")).toBe(false);
  expect(project.read("CHANGELOG.md")).not.toContain(next);
}

test("a dry run checks and changes nothing", async () => {
  const { code, stdout, stderr } = await project.release(next, "--dry-run");
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`${next} can be released`);
  expect(project.status()).toBe("");
  expect(project.has("release")).toBe(false);
});

describe("npm run release refuses", () => {
  test("uncommitted changes", async () => {
    project.edit("README.md", (text) => `${text}\nmore`);
    expectRefused(await project.release(next), "TREE_DIRTY", "README.md");
    expect(project.status()).toBe("M README.md");
  });

  test.each([
    ["an empty Unreleased section", "## Unreleased\n\n## "],
    ["one with headings alone", "## Unreleased\n\n### Also\n\n## "],
    ["no Unreleased section", "## "],
  ])("%s", async (_, heading) => {
    project.edit("CHANGELOG.md", (text) => text.replace(/## Unreleased\n[\s\S]*?\n## /, heading));
    project.commit("Nothing to say");
    expectRefused(await project.release(next), "CHANGELOG_EMPTY", "Unreleased");
  });

  test("versions that contradict each other", async () => {
    project.edit("package-lock.json", (text) => text.replace(/"version": "[^"]+"/, '"version": "98.0.0"'));
    project.commit("Half a version");
    expectRefused(await project.release(next), "VERSION_MISMATCH", "package-lock.json says 98.0.0");
  });

  test.each([
    ["0.0.1", "VERSION_NOT_NEWER", "is not newer than"],
    ["latest", "VERSION_INVALID", '"latest" is not a version'],
    ["1.2", "VERSION_INVALID", '"1.2" is not a version'],
    ["--force", "UNKNOWN_OPTION", "--dry-run"],
  ])("%s", async (version, errorCode, reason) => {
    expectRefused(await project.release(version), errorCode, reason);
  });

  test("generated files that are stale, and names them all", async () => {
    const stale = ["docs/resources/folder.md", "llms.txt", "sdk/schema.json"];
    for (const path of stale) project.edit(path, (text) => text.replace("folder", "folder of old"));
    project.commit("By hand");
    const refused = await project.release(next);
    for (const path of stale) expectRefused(refused, "GENERATED_STALE", path);
    expect(project.status()).toBe("");
  });
});
