import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { lintWorkflows } from "../../tools/lint-workflows.mjs";
import { root } from "../harness/engine";
import { ownFolder } from "../harness/folders";

const folder = join(root, ".github/workflows");
const names = readdirSync(folder);

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

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly permissions?: object;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

describe.each(names)("%s", (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const workflow = parse(text) as Workflow;

  test("says that it was linted, and not run here", () => {
    expect(text.split("\n", 1)[0]).toMatch(/^# Checked by actionlint .* It has not been run/);
  });

  test("has no permission but what a job asks for, and does not run forever or twice", () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.concurrency).toBeDefined();
    for (const job of Object.values(workflow.jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });

  test("uses actions by the digest of a commit, and leaves no token in the checkout", () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    for (const { uses, with: inputs } of steps.filter((step) => step.uses)) {
      expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      if (uses!.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
  });
});

test("a release is attested, by its checksums, before anybody can download it", () => {
  const { jobs } = parse(readFileSync(join(folder, "release.yml"), "utf8")) as Workflow;
  const { steps } = jobs["github"]!;
  const attested = steps.findIndex(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
  expect(steps[attested]?.with).toEqual({ "subject-checksums": "release/SHA256SUMS" });
  expect(steps.findIndex(({ run }) => run?.startsWith("gh release create"))).toBeGreaterThan(attested);
});

test("only the jobs that publish may write", () => {
  const writing = names.flatMap((name) => {
    const { jobs } = parse(readFileSync(join(folder, name), "utf8")) as Workflow;
    return Object.entries(jobs).flatMap(([job, { permissions }]) =>
      Object.entries(permissions ?? {})
        .filter(([, level]) => level === "write")
        .map(([permission]) => `${name} ${job}: ${permission}`),
    );
  });
  expect(writing).toEqual([
    "release.yml github: contents",
    "release.yml github: id-token",
    "release.yml github: attestations",
    "release.yml npm: id-token",
  ]);
});
