import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lintWorkflows } from "../../tools/lint-workflows.mjs";
import { root } from "../harness/engine";
import { ownFolder } from "../harness/folders";

const folder = join(root, ".github/workflows");

describe("actionlint", () => {
  test("finds nothing wrong with the workflows", async () => {
    expect(await lintWorkflows()).toBe("");
  });

  test("finds nothing wrong with those of examples/gitops, in a repository of their own", async () => {
    const copy = ownFolder();
    cpSync(join(root, "examples/gitops/.github"), join(copy, ".github"), { recursive: true });
    // actionlint looks for local actions where the repository begins.
    mkdirSync(join(copy, ".git"));
    expect(await lintWorkflows(join(copy, ".github/workflows"))).toBe("");
  });

  test("would find something wrong", async () => {
    const other = ownFolder();
    const text = readFileSync(join(folder, "check.yml"), "utf8");
    writeFileSync(join(other, "check.yml"), text.replace("runs-on: ubuntu-24.04", "runs-on: ubuntu-1.0"));
    expect(await lintWorkflows(other)).toContain('label "ubuntu-1.0" is unknown');
  });
});
