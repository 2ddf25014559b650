import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileProgram } from "../harness/compile";
import { ownEmulator } from "../harness/emulators";
import { root, run } from "../harness/engine";
import { ownFolder } from "../harness/folders";
import { linkPackages } from "../harness/stack";
import { ownStack } from "../harness/stacks";

interface Example {
  readonly name: string;
  readonly files: readonly string[];
  readonly project: string;
  readonly code: string;
}

const examples: Example[] = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, files: readdirSync(join(root, "examples", name)) }))
  .filter(({ files }) => files.includes("Pulumi.yaml") && files.includes("index.ts"))
  .map(({ name, files }) => ({ name, files, project: read(name, "Pulumi.yaml"), code: read(name, "index.ts") }));

function read(name: string, file: string): string {
  return readFileSync(join(root, "examples", name, file), "utf8");
}

/** Examples with configurations, the template and the first steps are more than a program: each has its own test. */
const hasOwnTest = ({ name, files, project }: Example): boolean =>
  name === "quickstart" || files.some((file) => /^Pulumi\..+\.yaml$/.test(file)) || /^template:/m.test(project);
/** Those of functions, which create next to nothing. */
const callsOnly = ({ name, code }: Example): boolean =>
  name === "get-whitelisted-ips" || !code.includes("new dataplatform.");

/** Examples of the extended API say so in their configuration, and run against an installation that has it. */
const isExtended = ({ project }: Example): boolean => project.includes("dataplatform:extendedApi:");

const programs = examples.filter((example) => !hasOwnTest(example));

/** The secrets that a program does not run without. */
const secretsOf = (code: string): string[] => [...code.matchAll(/\.requireSecret\("(\w+)"\)/g)].map(([, key]) => key!);

type Verbs = readonly ("up" | "preview" | "destroy")[];

async function live(program: string, verbs: Verbs, extended: boolean, secrets: readonly string[]): Promise<void> {
  const stack = await ownStack(await ownEmulator({ waitSeconds: 0, runSeconds: 0, extended }), { program });
  compileProgram(stack.folder);
  const values = secrets.flatMap((key) => ["--secret", `${key}=hidden-${key}`]);
  const set = secrets.length === 0 ? undefined : await stack.pulumi("config", "set-all", ...values);
  expect(set?.code ?? 0, set?.stderr).toBe(0);
  for (const verb of verbs) {
    const { code, text, changed } = await stack[verb]();
    expect(code, text).toBe(0);
    if (verb === "preview") expect(changed, text).toEqual({});
    expect((await stack.exportState()).text).not.toContain("hidden-");
  }
  if (verbs.includes("destroy")) expect((await stack.exportState()).resources).toEqual([]);
}

/** Runs examples as one program with a module for each: a run of the engine costs about the same for one as for ten. */
async function liveTogether(together: readonly Example[], extended: boolean, ...verbs: Verbs): Promise<void> {
  const folder = ownFolder();
  for (const { name } of together) cpSync(join(root, "examples", name, "index.ts"), join(folder, `${name}.ts`));
  const lines = together.map(({ name }, index) => `export * as example${index} from "./${name}";`);
  writeFileSync(join(folder, "index.ts"), lines.join("\n"));
  const config = extended ? "config:\n  dataplatform:extendedApi:\n    value: true\n" : "";
  writeFileSync(join(folder, "Pulumi.yaml"), `name: examples\nruntime: nodejs\n${config}`);
  writeFileSync(join(folder, "package.json"), '{ "main": "index.ts" }');
  const secrets = together.flatMap(({ code }) => secretsOf(code));
  await live(folder, verbs, extended, secrets);
}

/** They manage what some of the other examples manage too. */
const apart = ["group-roles", "object-grant", "partition-sensor", "ip-whitelist"];
const ofResources = programs.filter((example) => !callsOnly(example));
const groups = [
  { which: "most examples", all: ofResources.filter((one) => !isExtended(one) && !apart.includes(one.name)) },
  { which: "those that overlap with others", all: ofResources.filter(({ name }) => apart.includes(name)) },
  { which: "those of the extended API", all: ofResources.filter(isExtended) },
];

test.each(groups)("$which are created, show no changes, and are destroyed", async ({ all }) => {
  expect(all.length).toBeGreaterThan(1);
  await liveTogether(all, isExtended(all[0]!), "up", "preview", "destroy");
});

const withSecrets = programs.filter(({ code }) => secretsOf(code).length > 0);

// In a plain Node process: reporting an error of a program takes Pulumi half a minute of the processor.
test.each(withSecrets)(
  "without its secret $name says how to set it, before anything is made",
  async ({ name, code }) => {
    const folder = ownFolder();
    cpSync(join(root, "examples", name), folder, { recursive: true });
    linkPackages(folder);
    compileProgram(folder);
    const env = { ...process.env, PULUMI_NODEJS_PROJECT: name, PULUMI_NODEJS_STACK: "dev" };
    const ran = await run(process.execPath, ["index.js"], { cwd: folder, env });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(`pulumi config set --secret ${name}:${secretsOf(code)[0]} <value>`);
  },
);

test.each(examples)("$name has no secret of its own", ({ name, code, project }) => {
  if (name === "account" || name === "data-store") expect(secretsOf(code)).not.toEqual([]);
  expect(code).not.toMatch(/getSecret\([^)]*\)\s*(\?\?|\|\|)|pulumi\.secret\("/);
  expect(project).not.toMatch(/[Pp]assw(or)?d:\n(?:\s+\w+:.*\n)*?\s+default:/);
});

test.each([false, true])("the examples of functions run; extended API: %s", async (extended) => {
  const called = programs.filter((example) => callsOnly(example) && isExtended(example) === extended);
  expect(called.length).toBeGreaterThan(1);
  await liveTogether(called, extended, "up");
});

test.each(examples.filter(hasOwnTest))("$name has its own test", ({ name }) => {
  const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const naming = tests.filter(
    (file) => file.endsWith(".test.ts") && readFileSync(join(root, "test", file), "utf8").includes(`examples/${name}`),
  );
  expect(naming).not.toEqual([]);
});
