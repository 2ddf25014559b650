import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { ownEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import type { Program, TestStack } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";
import { everySpecifiedType, prepare } from "./program";

/**
 * States recorded with released versions, each with its program: the current version must find nothing to change in
 * them. See README.md for how they are recorded.
 */

type Mode = "dynamic" | "plugin";

interface Recording {
  readonly mode: Mode;
  readonly program: Program;
  /** The output of `pulumi stack export`, without machine-specific data. Secrets are encrypted with the passphrase "test". */
  readonly state: { readonly deployment: { readonly resources: readonly { readonly type: string }[] } };
}

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const recordings = (): string[] => readdirSync(__dirname).filter((name) => name.endsWith(".json"));
const recording = (name: string): Recording => JSON.parse(readFileSync(join(__dirname, name), "utf8")) as Recording;

async function onEmulator(mode: Mode): Promise<TestStack> {
  const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 0 });
  await prepare(emulator);
  return ownStack(emulator, { mode });
}

/** Drops the paths of the program and the plugins, which are specific to the recording machine. */
function withoutMachine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== "object" || value === null) return value;
  const machineSpecific = new Set(["sourcePosition", "stackTrace", "plugins"]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !machineSpecific.has(key))
      .map(([key, inner]) => [key, withoutMachine(inner)]),
  );
}

if (process.env["RECORD_UPGRADE"]) {
  test.each(["dynamic", "plugin"] as const)("record the state of this version, %s", async (mode) => {
    const stack = await onEmulator(mode);
    await expectOk(stack.up(everySpecifiedType));
    // The key service of the test's own stack ends with it.
    await expectOk(stack.pulumi("stack", "change-secrets-provider", "passphrase"));
    const state = withoutMachine(JSON.parse((await stack.pulumi("stack", "export")).stdout));
    const text = JSON.stringify({ mode, program: everySpecifiedType, state }, null, 2);
    for (const path of [root, stack.folder]) expect(text).not.toContain(path);
    writeFileSync(join(__dirname, `${version}-${mode}.json`), `${text}\n`);
  });
}

describe.each(recordings())("%s", (name) => {
  test("imports, shows no changes, and can be destroyed", async () => {
    const { mode, program, state } = recording(name);
    const stack = await onEmulator(mode);
    const file = join(stack.folder, "recorded.json");
    writeFileSync(file, JSON.stringify(state));
    await expectOk(stack.pulumi("stack", "import", "--file", file));
    const preview = await expectOk(stack.preview(program));
    expect(preview.changed, preview.text).toEqual({});
    // The provider text in the state runs here, without the program.
    await expectOk(stack.destroy());
  });

  test("contains nothing machine-specific and no secret in plain text", () => {
    const { state } = recording(name);
    const text = JSON.stringify(state);
    expect(text).not.toMatch(/"(?:file|project):\/\/|node_modules|dataplatform-test-|\/home\/|\/Users\//);
    expect(text).not.toContain("recorded-");
  });
});

test("the recorded state of a release has every type that needs no extended API, in both modes", () => {
  const types = resources.flatMap(({ type, extended }) => (extended?.required ? [] : [type])).sort();
  // Between two releases, the states are those of the last one, and lack what came since.
  const isRelease = !version.endsWith("-dev");
  for (const mode of ["dynamic", "plugin"]) {
    const name = isRelease ? `${version}-${mode}.json` : recordings().findLast((one) => one.endsWith(`-${mode}.json`))!;
    const recorded = recording(name)
      .state.deployment.resources.map(({ type }) => type)
      .filter((type) => /dataplatform:(?:index:)?\w+$/.test(type) && !type.startsWith("pulumi:"))
      .map((type) => type.split(":").at(-1)!);
    const found = [...new Set(recorded)].sort();
    expect(found.length).toBeGreaterThan(0);
    if (isRelease) expect(found).toEqual(types);
    else expect(types).toEqual(expect.arrayContaining(found));
  }
});
