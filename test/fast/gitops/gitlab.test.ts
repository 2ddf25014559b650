import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../harness/engine";
import { eachWithCommit } from "../pipeline/repository";

const read = (name: string): string => readFileSync(join(root, "examples/gitops/gitlab", name), "utf8");
const page = readFileSync(join(root, "docs/gitops.md"), "utf8");
const files = ["platform.yml", "operations.yml"].map((name) => [name, read(name)] as const);

interface Job {
  readonly environment?: { readonly name: string };
  readonly script?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly extends?: string | readonly string[];
  readonly dependencies?: readonly string[];
  readonly needs?: readonly unknown[];
}
const jobsOf = (text: string) => parse(text, { merge: true }) as Record<string, Job>;
const everyJob = Object.assign({}, ...files.map(([, text]) => jobsOf(text))) as Record<string, Job>;
/** With those of what it extends, as GitLab merges them. */
const variablesOf = ({ extends: from = [], variables = {} }: Job): Record<string, string> =>
  Object.assign({}, ...[from].flat().map((name) => variablesOf(everyJob[name]!)), variables);

test("jobs with keys, a backend or a token that may change start from an empty folder; what runs the program need not", () => {
  for (const [name, job] of Object.entries(everyJob)) {
    const step = /pipeline (\w+)/.exec(job.script?.join() ?? "")?.[1];
    if (step) expect(variablesOf(job)["GIT_STRATEGY"], name).toBe(step === "preview" ? undefined : "clone");
  }
});

const at = eachWithCommit({ "policies.json": "{}" });

test("trusted jobs run on the protected branch, not on a tag that somebody named like it", () => {
  const { repository } = at;
  const protectedHead = repository.git("rev-parse", "main");
  repository.git("switch", "--quiet", "--create", "change");
  const pushed = repository.commit({ "policies.json": "off" });
  repository.git("tag", "main");
  repository.git("remote", "add", "origin", repository.folder);
  const steps = (everyJob[".protected"] as unknown as readonly string[]).filter((line) => line.startsWith("git "));
  const env = { ...process.env, CI_DEFAULT_BRANCH: "main" };
  execFileSync("sh", ["-ec", steps.join("\n")], { cwd: repository.folder, env, stdio: "pipe" });
  expect(repository.git("rev-parse", "HEAD")).toBe(protectedHead);
  expect(pushed).not.toBe(protectedHead);
});

test("variables that merge requests need are not protected: GitLab hides protected ones from their branches", () => {
  const [, text] = files[0]!;
  const comment = text.slice(0, text.indexOf("stages:")).replace(/\n# /g, " ");
  expect(comment).toContain("prod-seal) must not be protected");
  expect(page).toContain("must not be protected");
  expect(comment + page).not.toMatch(/masked, protected/);
});

test.each(files)("%s takes nothing from pipeline variables, and runs no scripts of packages", (_name, text) => {
  expect(text).not.toMatch(/NEW_PLAN|PLAN_KEY|"web"|"api"/);
  expect(text.match(/npm ci/g)).toEqual(text.match(/npm ci --ignore-scripts/g)?.map(() => "npm ci"));
  expect(text).not.toContain("cache:");
});

test.each(files)("%s: the program runs in an environment of its own", (_name, text) => {
  for (const [name, { environment, script = [] }] of Object.entries(jobsOf(text))) {
    const isUntrusted = script.some((line) => line.includes("pipeline preview"));
    if (isUntrusted) expect(environment?.name, name).toBe("$STACK-preview");
    else if (environment && name !== "default") expect(environment.name, name).toMatch(/^\$STACK(-seal)?$/);
  }
});

test.each(files)("%s: the job that seals has the whole history: it compares with what was deployed last", (_, text) => {
  const seals = Object.values(jobsOf(text)).filter(({ script }) => script?.join().includes("pipeline seal"));
  expect(seals.map(({ variables }) => variables)).toEqual([{ GIT_DEPTH: "0" }]);
  // Neither files nor variables of the job that runs the program.
  const [{ dependencies, needs }] = seals as [Job];
  expect([dependencies, needs]).toEqual(
    dependencies ? [[], undefined] : [undefined, [{ job: "repair preview", artifacts: false }]],
  );
});

test("both name every step", () => {
  const text = files.map(([, one]) => one).join();
  for (const step of ["snapshot", "preview", "seal", "find", "apply", "drift"])
    expect(text).toContain(`node node_modules/pulumi-dataplatform/dist/cli/main.js pipeline ${step} `);
  // Whatever other packages bring is in node_modules/.bin, too.
  expect(text).not.toMatch(/\.bin\/|\bnpx\b/);
});
