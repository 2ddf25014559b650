import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readRules } from "../../../cli/pipeline/rules";
import { rules } from "../../../policies";
import { missingOptions } from "../../../policies/rule";

const example = join(__dirname, "../../../examples/gitops");
const folder = join(example, ".github/workflows");
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);

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
  readonly steps: readonly Step[];
}
const jobsOf = (text: string) => Object.entries((parse(text) as { jobs: Record<string, Job> }).jobs);
const secretsOf = ({ steps }: Job): string[] => [
  ...new Set(
    steps
      .flatMap(({ env = {} }) => Object.values(env))
      .flatMap((value) => value.match(/secrets\.\w+|github\.token/g) ?? []),
  ),
];

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

describe.each(workflows)("%s", (name, text) => {
  test("pins its actions by commit", () => {
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, what, version] of used) {
      expect(what).toMatch(/@[0-9a-f]{40}$/);
      expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
  });

  test("asks for minimal permissions, keeps no credentials, runs no scripts of packages, and only runs the command", () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    // setup-node keeps packages by itself where package.json names npm.
    expect(text).not.toMatch(/write-all|cache:(?! false)/);
    expect(text.match(/package-manager-cache: false/g)).toHaveLength(text.match(/actions\/setup-node@/g)!.length);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)!.length);
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
    for (const [job, { environment = "", permissions, steps, ...rest }] of jobsOf(text)) {
      const secrets = secretsOf({ environment, permissions, steps, ...rest });
      const isUntrusted = steps.some(({ run }) => run?.includes("pipeline preview"));
      expect(isUntrusted, job).toBe(job === "preview");
      const checkedOut = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"))?.with?.["ref"];
      if (!isUntrusted) expect(checkedOut, job).toBeUndefined();
      if (!isUntrusted) continue;
      expect(secrets.sort()).toEqual(["secrets.DATAPLATFORM_API_TOKEN", "secrets.PULUMI_CONFIG_PASSPHRASE"]);
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
    expect(name).toBeTruthy();
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
    const page = readFileSync(join(__dirname, "../../../docs/gitops.md"), "utf8");
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
