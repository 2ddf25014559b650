import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../emulator";
import { root } from "./harness/engine";
import { TestStack } from "./harness/stack";

/** The environment has a test of its own, with its configurations. */
const elsewhere = new Set(["environment"]);

const examples = readdirSync(join(root, "examples")).filter((name) => {
  const project = join(root, "examples", name, "Pulumi.yaml");
  return !elsewhere.has(name) && existsSync(project) && /^runtime:\s*nodejs\b/m.test(readFileSync(project, "utf8"));
});

test.each(examples)("%s comes up, shows no change, and goes away", async (name) => {
  const emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = await TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    program: `examples/${name}`,
    // `npm run check` has checked their types.
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
});
