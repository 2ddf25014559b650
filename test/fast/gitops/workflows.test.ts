import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readRules } from "../../../cli/pipeline/rules";
import { rules } from "../../../policies";
import { missingOptions } from "../../../policies/rule";
import { root } from "../../harness/engine";

const example = join(root, "examples/gitops");
const workflowsIn = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
const workflows = workflowsIn(join(example, ".github/workflows"));
/** Those of this repository. */
const own = workflowsIn(join(root, ".github/workflows"));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}
const workflowOf = (text: string) =>
  parse(text) as { permissions?: object; concurrency?: object; jobs: Record<string, Job> };
const jobsOf = (text: string) => Object.entries(workflowOf(text).jobs);
/** Secrets and variables that steps of a job name, such as `secrets.PULUMI_BACKEND_URL`. */
const settingsOf = ({ steps }: Job): string[] =>
  steps.flatMap(({ env = {} }) => Object.values(env).flatMap((value) => value.match(/(secrets|vars)\.\w+/g) ?? []));
const secretsOf = ({ steps }: Job): string[] => {
  const values = steps.flatMap(({ env = {} }) => Object.values(env));
  return [...new Set(values.flatMap((value) => value.match(/secrets\.\w+|github\.token/g) ?? []))];
};

test("there are two, and GitLab has two", () => {
  expect(workflows.map(([name]) => name)).toEqual(["operations.yml", "platform.yml"]);
  expect(readdirSync(join(example, "gitlab")).sort()).toEqual(["operations.yml", "platform.yml"]);
});

test("Dependabot keeps the actions current, as the page says", () => {
  const { updates } = parse(readFileSync(join(example, ".github/dependabot.yml"), "utf8"));
  expect(updates).toMatchObject([{ "package-ecosystem": "github-actions", directory: "/" }]);
  // Of any folder but the root, it reads only the files directly in it.
  const own = parse(readFileSync(join(example, "../../.github/dependabot.yml"), "utf8"));
  expect(own.updates[0].directories).toEqual(["/", "/examples/gitops/.github/workflows"]);
});

test("code owners are named for everything that needs an approval", () => {
  const owners = readFileSync(join(example, ".github/CODEOWNERS"), "utf8");
  const paths = [
    ...["/.github/", "/.gitlab/", "/.gitlab-ci.yml", "/gitlab/", ".gitattributes", ".gitmodules", "policies.json"],
    ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "*.tgz", "*.tar", "*.tar.gz", ".npmrc"],
    ...["dataplatform.pub", "Pulumi.json", "Pulumi.y*ml", "Pulumi.*.json", "Pulumi.*.y*ml", "CODEOWNERS"],
  ];
  expect(owners.match(/^[^#\s]+(?= +@)/gm)!.sort()).toEqual(paths.sort());
});

test("no rule of the example lacks an option that it judges by", () => {
  const config = readRules(readFileSync(join(example, "policies.json"), "utf8"));
  const missing = rules.flatMap((rule) => missingOptions(rule, config.get(rule.name)!.options));
  expect(missing).toEqual([]);
});

test.each([...own, ...workflows])(
  "%s pins its actions, limits every job, and leaves no token in a checkout",
  (_, text) => {
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, what, version] of used) {
      expect(what).toMatch(/^(actions\/[\w-]+|pulumi\/actions)@[0-9a-f]{40}$/);
      expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
    expect(workflowOf(text).permissions).toEqual({});
    for (const [job, { permissions, steps }] of jobsOf(text)) {
      expect(permissions, job).toBeDefined();
      for (const { uses, with: inputs } of steps)
        if (uses?.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
  },
);

test.each(own)(
  "%s was linted, and not run here; has GitHub's actions only, and runs neither forever nor twice",
  (_, text) => {
    expect(text.split("\n", 1)[0]).toMatch(/^# Checked by actionlint .* It has not been run/);
    expect(text).not.toMatch(/uses: (?!actions\/)/);
    expect(workflowOf(text).concurrency).toBeDefined();
    for (const [job, { "timeout-minutes": limit }] of jobsOf(text)) expect(limit, job).toBeGreaterThan(0);
  },
);

test("a release is attested, by its checksums, before anybody can download it", () => {
  const { steps } = new Map(jobsOf(new Map(own).get("release.yml")!)).get("github")!;
  const attested = steps.findIndex(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
  expect(steps[attested]?.with).toEqual({ "subject-checksums": "release/SHA256SUMS" });
  expect(steps.findIndex(({ run }) => run?.startsWith("gh release create"))).toBeGreaterThan(attested);
});

test("of this repository's jobs, only those that publish may write", () => {
  const writing = own.flatMap(([name, text]) =>
    jobsOf(text).flatMap(([job, { permissions }]) =>
      Object.entries(permissions).flatMap(([what, level]) => (level === "write" ? [`${name} ${job}: ${what}`] : [])),
    ),
  );
  const released = ["github: contents", "github: id-token", "github: attestations", "npm: id-token"];
  expect(writing).toEqual(released.map((what) => `release.yml ${what}`));
});

describe.each(workflows)("%s", (_name, text) => {
  test("keeps no packages, runs no scripts of packages, and only runs the command", () => {
    // setup-node keeps packages by itself where package.json names npm.
    expect(text).not.toMatch(/write-all|cache:(?! false)/);
    expect(text.match(/package-manager-cache: false/g)).toHaveLength(text.match(/actions\/setup-node@/g)!.length);
    const runs = [...text.matchAll(/- run: (.*)/g)].map(([, command]) => command!);
    const allowed = [
      /^npm ci --ignore-scripts$/,
      /^node node_modules\/pulumi-dataplatform\/dist\/cli\/main\.js pipeline [a-z]+ (dev|prod|"\$STACK")( --[a-z]+( "[\w$./]+")?| \$\{PULL:\+--pull "\$PULL"\})*$/,
      /^test "\$SEALED" = success$/,
    ];
    expect(runs.filter((command) => !allowed.some((pattern) => pattern.test(command)))).toEqual([]);
    // Values reach the shell as variables, never as script text.
    expect(runs.join()).not.toContain("${{");
  });

  test("the job that runs a program holds neither key, backend nor a token of the forge, and no other job runs it", () => {
    for (const [job, one] of jobsOf(text)) {
      const { environment = "", permissions, steps } = one;
      const isUntrusted = steps.some(({ run }) => run?.includes("pipeline preview"));
      expect(isUntrusted, job).toBe(job === "preview");
      const checkedOut = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"))?.with?.["ref"];
      if (!isUntrusted) expect(checkedOut, job).toBeUndefined();
      if (!isUntrusted) continue;
      expect(secretsOf(one).sort()).toEqual(["secrets.DATAPLATFORM_API_TOKEN", "secrets.PULUMI_CONFIG_PASSPHRASE"]);
      expect(permissions).toEqual({ contents: "read" });
      expect(environment).toMatch(/-preview$/);
    }
  });

  test("only the job that seals can sign, and every job with a token has its hosts", () => {
    for (const [job, one] of jobsOf(text)) {
      expect(secretsOf(one).includes("secrets.DATAPLATFORM_SIGNING_KEY"), job).toBe(job === "seal");
      for (const { env = {} } of one.steps)
        if ("DATAPLATFORM_API_TOKEN" in env) expect(env, job).toHaveProperty("DATAPLATFORM_TOKEN_HOSTS");
    }
  });

  test("the job that seals has the whole history: it compares with what was deployed last", () => {
    const seal = jobsOf(text).find(([job]) => job === "seal")![1];
    expect(seal.steps[0]!.with).toMatchObject({ "fetch-depth": 0 });
  });
});

describe("platform.yml", () => {
  const [, text] = workflows.find(([name]) => name === "platform.yml")!;
  const jobs = new Map(jobsOf(text));

  test("comes from the base branch, and leaves forks out", () => {
    expect(text).toMatch(/^ {2}pull_request_target:$/m);
    expect(text).not.toMatch(/^ {2}pull_request:$/m);
    expect(jobs.get("snapshot")!.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
  });

  test("the required check that the page names exists, and fails when anything before it did not succeed", () => {
    const page = readFileSync(join(root, "docs/gitops.md"), "utf8");
    const [, required] = /with `(\w+)` as (?:a|the) required check/.exec(page)!;
    const check = jobs.get(required!)!;
    expect(check.if).toMatch(/^always\(\)/);
    expect(check.needs).toEqual(["snapshot", "preview", "seal"]);
    expect(check.steps[0]!.env).toEqual({ SEALED: `\${{ needs.seal.result }}` });
  });

  test("apply takes the id that was found, in an environment that people approve", () => {
    for (const stack of ["dev", "prod"]) {
      const { environment, steps } = jobs.get(`apply-${stack}`)!;
      expect(environment).toBe(stack);
      expect(steps.at(-1)!.env!["PLAN"]).toBe(`\${{ needs.find.outputs.${stack} }}`);
    }
  });
});

test("the commands of the page give each environment what its jobs use, and no secret that they do not", () => {
  const page = readFileSync(join(root, "docs/gitops.md"), "utf8");
  const [, commands] = /```sh\n( +\(set -eu\n +host=[^`]+)```/.exec(page)!;
  const folder = mkdtempSync(join(tmpdir(), "gh-"));
  const script = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  script("gh", `printf '%s\\n' "$*" >> "${folder}/calls"`);
  script("npx", `: > "$6"; echo "DATAPLATFORM_VERIFY_KEY=of-$(basename "$6" .key)"`);
  execFileSync("sh", ["-euc", commands!], {
    env: {
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: folder,
      PULUMI_CONFIG_PASSPHRASE: "p",
      PULUMI_BACKEND_URL: "b",
    },
    stdio: "pipe",
  });
  const calls = readFileSync(join(folder, "calls"), "utf8");
  const given = [...calls.matchAll(/^(secret|variable) set (\w+)(?: --env (\S+))?(?: --body (\S+))?$/gm)];
  const environments = ["dev", "prod"].flatMap((stack) => [`${stack}-preview`, `${stack}-seal`, stack]);
  for (const environment of [undefined, ...environments]) {
    const used = workflows
      .flatMap(([, text]) => Object.values(workflowOf(text).jobs))
      .filter((job) =>
        ["dev", "prod"].some((stack) => job.environment?.replace(/\$\{\{.*\}\}/, stack) === environment),
      );
    const needed = used.flatMap(settingsOf);
    const set = given
      .filter(([, , , of]) => of === environment)
      .map(([, kind, name]) => `${kind === "secret" ? "secrets" : "vars"}.${name}`);
    expect(set, environment).toEqual(expect.arrayContaining(needed));
    expect(needed, environment).toEqual(expect.arrayContaining(set.filter((one) => one.startsWith("secrets."))));
  }
  for (const environment of environments) {
    expect(calls).toContain(
      `environments/${environment} --silent -F deployment_branch_policy[protected_branches]=false`,
    );
    expect(calls).toContain(`environments/${environment}/deployment-branch-policies --silent -f name=main`);
  }
  const keys = given.filter(([, , name]) => name === "DATAPLATFORM_VERIFY_KEY").map(([, , , of, value]) => [of, value]);
  expect(keys).toContainEqual(["prod-seal", "of-signing-prod"]);
  expect(keys).toContainEqual([undefined, "of-signing-dev,of-signing-prod"]);
});
