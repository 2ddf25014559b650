import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { resources } from "../../provider/resources";
import type { Args, LifecycleCase } from "./lifecycle";
import { expectOk, kindOf } from "./outcomes";
import { type Program, TestStack } from "./stack";
import { describeOnEngine } from "./tier";

/** The lifecycle of a resource in the plugin: shorter than in dynamic mode, since the core is the same, plus import. */
export function lifeInPlugin(life: LifecycleCase): void {
  const { type } = life;
  describeOnEngine(`${type} in the plugin`, () => {
    let emulator: Emulator;
    let stack: TestStack;
    let args: Args = life.args;
    const program = (): Program => ({ ...life.beside, it: { type, args } });
    const find = async (one: TestStack) => (await one.exportState()).resources.find(({ urn }) => urn.endsWith("::it"))!;
    const open = () => TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]!, mode: "plugin" });

    beforeAll(async () => {
      emulator = await startEmulator();
      await life.prepare?.(emulator);
      stack = await open();
    });
    afterAll(async () => {
      stack?.remove();
      await emulator?.close();
    });

    test("is created", async () => {
      await expectOk(stack.up(program()));
      const it = await find(stack);
      expect(it.type).toBe(`dataplatform:index:${type}`);
      expect(it.outputs).not.toHaveProperty("__provider");
      life.present(emulator.state({ secrets: true }), it.id!);
    });

    const changes = life.changes ?? [];
    const firstOf = (kind: string) => changes.find((change) => change.expect === kind);
    for (const change of changes.filter((one) => one === firstOf("update") || one === firstOf("replace"))) {
      test(`${change.what}: ${change.expect}`, async () => {
        args = change.args;
        expect(kindOf(await expectOk(stack.up(program())))).toBe(change.expect);
      });
    }

    const importTest =
      life.cannotImport === undefined
        ? "is imported by its id, and the matching program shows no changes"
        : "cannot be imported, and the error says why";
    test(importTest, async () => {
      const { id } = await find(stack);
      const other = await open();
      try {
        const flags = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview", "--stack", "test"];
        const imported = await other.pulumi("import", `dataplatform:index:${type}`, "it", id!, ...flags);
        if (life.cannotImport !== undefined) {
          expect(imported.code).not.toBe(0);
          expect(imported.stdout + imported.stderr).toContain(life.cannotImport);
          return;
        }
        expect(imported.code, imported.stdout + imported.stderr).toBe(0);
        expect((await find(other)).id).toBe(id);
        const matching = { ...life.beside, it: { type, args: life.imported ?? args } };
        const preview = await expectOk(other.preview(matching));
        expect(preview.changed["it"], preview.text).toBeUndefined();
      } finally {
        other.remove();
      }
    });

    test("is destroyed, with a warning on the resource about what remains", async () => {
      const { id, urn, outputs } = await find(stack);
      const outcome = await expectOk(stack.destroy());
      expect((await stack.exportState()).resources).toEqual([]);
      const definition = resources.find((candidate) => candidate.type === type)!;
      const kept = definition.kept?.(id!, outputs);
      const warnings = outcome.diagnostics.filter((line) => line.severity === "warning" && line.urn === urn);
      if (kept) expect(warnings.map(({ message }) => message).join("\n")).toContain(kept);
      if (!life.kept) life.absent(emulator.state({ secrets: true }));
    });
  });
}
