import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import type { Args, Change, EmulatorState, LifecycleCase } from "./lifecycle";
import { expectOk, kindOf } from "./outcomes";
import { type Program, TestStack } from "./stack";
import { describeOnEngine } from "./tier";

/** What is different in the life of a resource with the extended API. What is absent is as without it. */
export interface ExtendedCase {
  readonly args?: Args;
  readonly prepare?: LifecycleCase["prepare"];
  readonly present?: LifecycleCase["present"];
  /** After destroy. */
  readonly absent: (state: EmulatorState) => void;
  readonly changes?: readonly Change[];
  readonly drift?: LifecycleCase["drift"];
  readonly disappear?: LifecycleCase["disappear"];
  /** In the only warning at destroy, such as about what stays on the platform. */
  readonly kept?: string;
  /** What an import reads nothing about: its preview is empty because the program's values are assumed. */
  readonly imported?: Args;
}

/** The life of a resource with `dataplatform:extendedApi`, on the engine in both modes. */
export function extendedLifecycle(
  life: Pick<LifecycleCase, "type" | "args" | "beside" | "prepare" | "present">,
  extended: ExtendedCase,
): void {
  const { type, beside } = life;
  const { prepare = life.prepare, present = life.present, absent, changes = [], drift, disappear } = extended;

  describeOnEngine.each(["dynamic", "plugin"] as const)(`${type} with the extended API, in %s mode`, (mode) => {
    let emulator: Emulator;
    let stack: TestStack;
    let args = extended.args ?? life.args;
    const program = (): Program => ({ ...beside, it: { type, args } });
    const now = (): EmulatorState => emulator.state({ secrets: true });
    const find = async (one: TestStack) => (await one.exportState()).resources.find(({ urn }) => urn.endsWith("::it"));
    const idOf = async (): Promise<string> => (await find(stack))?.id ?? "";
    const open = () =>
      TestStack.create({
        baseUrl: emulator.url,
        token: emulator.tokens["admin"]!,
        config: { extendedApi: "true" },
        ...(mode === "plugin" ? { mode } : {}),
      });

    beforeAll(async () => {
      emulator = await startEmulator({ extended: true });
      await prepare?.(emulator);
      stack = await open();
    });
    afterAll(async () => {
      stack?.remove();
      await emulator?.close();
    });

    test("is created, and neither refresh nor preview shows changes", async () => {
      await expectOk(stack.up(program()));
      present(now(), await idOf());
      const refreshed = await expectOk(stack.refresh());
      expect(Object.keys(refreshed.summary), refreshed.text).toEqual(["same"]);
      const preview = await expectOk(stack.preview());
      expect(preview.changed, preview.text).toEqual({});
    });

    if (drift) {
      test("refresh notices a change behind our back, and up repairs it", async () => {
        await drift.make(emulator);
        const refreshed = await expectOk(stack.refresh());
        expect(refreshed.summary["update"], refreshed.text).toBe(1);
        const repaired = await expectOk(stack.up());
        expect(repaired.changed, repaired.text).toEqual({ it: "update" });
        present(now(), await idOf());
      });
    }

    if (disappear) {
      test("refresh notices that it is gone, and up recreates it", async () => {
        await disappear(emulator, await idOf());
        const refreshed = await expectOk(stack.refresh());
        expect(refreshed.summary["delete"], refreshed.text).toBe(1);
        await expectOk(stack.up());
        present(now(), await idOf());
      });
    }

    for (const change of changes) {
      test(`${change.what}: ${change.expect}`, async () => {
        args = change.args;
        emulator.clearRequests();
        const outcome = await expectOk(stack.up(program()));
        expect(kindOf(outcome), outcome.text).toBe(change.expect);
        change.after?.(now(), outcome);
      });
    }

    // Import goes through the plugin in both modes.
    if (mode === "plugin") {
      test("is imported by its id, and the matching program shows no changes", async () => {
        const other = await open();
        try {
          const flags = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview", "--stack", "test"];
          const imported = await other.pulumi("import", `dataplatform:index:${type}`, "it", await idOf(), ...flags);
          expect(imported.code, imported.stdout + imported.stderr).toBe(0);
          const matching = { ...beside, it: { type, args: extended.imported ?? args } };
          const preview = await expectOk(other.preview(matching));
          expect(preview.changed["it"], preview.text).toBeUndefined();
        } finally {
          other.remove();
        }
      });
    }

    test("is destroyed, also on the platform", async () => {
      const destroyed = await expectOk(stack.destroy());
      const warnings = destroyed.diagnostics.filter(({ severity }) => severity === "warning");
      const expected = extended.kept === undefined ? [] : [expect.stringContaining(extended.kept)];
      expect(warnings.map(({ message }) => message)).toEqual(expected);
      expect((await stack.exportState()).resources).toEqual([]);
      absent(now());
    });
  });
}
