import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator";
import { root } from "./harness/engine";
import { TestStack } from "./harness/stack";

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

/** Examples with configurations, and the template, are more than a program: each has its own test. */
const hasOwnTest = ({ files, project }: Example): boolean =>
  files.some((file) => /^Pulumi\..+\.yaml$/.test(file)) || /^template:/m.test(project);
/** Examples that only call functions create nothing, so they run together as one program to save time. */
const callsOnly = ({ code }: Example): boolean => !code.includes("new dataplatform.");

const programs = examples.filter((example) => !hasOwnTest(example));
const functions = mkdtempSync(join(tmpdir(), "dataplatform-functions-"));
afterAll(() => rmSync(functions, { recursive: true, force: true }));

/** The secrets that a program does not run without. */
const secretsOf = (code: string): string[] => [...code.matchAll(/\.requireSecret\("(\w+)"\)/g)].map(([, key]) => key!);

async function stackOf(program: string, emulator: Emulator): Promise<TestStack> {
  return TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    program,
    // `npm run check` checks their types.
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  });
}

async function live(program: string, secrets: readonly string[] = []): Promise<void> {
  const emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = await stackOf(program, emulator);
  try {
    for (const key of secrets) {
      const set = await stack.pulumi("config", "set", "--secret", key, `hidden-${key}`);
      expect(set.code, set.stderr).toBe(0);
    }
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    const preview = await stack.preview();
    expect(preview.code, preview.text).toBe(0);
    expect(preview.changed, preview.text).toEqual({});
    expect((await stack.exportState()).text).not.toContain("hidden-");
    const destroyed = await stack.destroy();
    expect(destroyed.code, destroyed.text).toBe(0);
    expect((await stack.exportState()).resources).toEqual([]);
  } finally {
    stack.remove();
    await emulator.close();
  }
}

test.each(programs.filter((example) => !callsOnly(example)))(
  "$name is created, shows no changes, and is destroyed",
  ({ name, code }) => live(`examples/${name}`, secretsOf(code)),
);

const withSecrets = programs.filter(({ code }) => secretsOf(code).length > 0);

test("some examples need a secret", () => {
  expect(withSecrets.map(({ name }) => name)).toEqual(["account", "data-store"]);
});

// One of them: Pulumi takes half a minute of the processor to report the error of a TypeScript program.
test("without its secret an example says how to set it, and makes nothing", async () => {
  const emulator = await startEmulator();
  const stack = await stackOf("examples/data-store", emulator);
  try {
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.text).toContain("pulumi config set --secret data-store:password <value>");
    expect(emulator.requests().counts).toEqual({});
  } finally {
    stack.remove();
    await emulator.close();
  }
});

test.each(examples)("$name has no secret of its own", ({ code, project }) => {
  expect(code).not.toMatch(/getSecret\([^)]*\)\s*(\?\?|\|\|)|pulumi\.secret\("/);
  expect(project).not.toMatch(/[Pp]assw(or)?d:\n(?:\s+\w+:.*\n)*?\s+default:/);
});

test("the examples of functions run", async () => {
  const called = programs.filter(callsOnly).map(({ name }) => name);
  expect(called.length).toBeGreaterThan(5);
  for (const name of called) cpSync(join(root, "examples", name, "index.ts"), join(functions, `${name}.ts`));
  const lines = called.map((name, index) => `export * as example${index} from "./${name}";`);
  writeFileSync(join(functions, "index.ts"), lines.join("\n"));
  writeFileSync(join(functions, "Pulumi.yaml"), "name: functions\nruntime: nodejs\n");
  await live(functions);
});

test.each(examples.filter(hasOwnTest))("$name has its own test", ({ name }) => {
  const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const naming = tests.filter(
    (file) => file.endsWith(".test.ts") && readFileSync(join(root, "test", file), "utf8").includes(`examples/${name}`),
  );
  expect(naming).not.toEqual([]);
});
