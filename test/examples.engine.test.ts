import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startEmulator } from "../emulator";
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

async function live(program: string): Promise<void> {
  const emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = await TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    program,
    // `npm run check` checks their types.
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  });
  try {
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    const preview = await stack.preview();
    expect(preview.code, preview.text).toBe(0);
    expect(preview.changed, preview.text).toEqual({});
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
  ({ name }) => live(`examples/${name}`),
);

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
