import { describe, expect, test } from "vitest";
import { resources as definitions } from "../../provider/resources";
import type { Change, LifecycleCase } from "./lifecycle";
import { Imports, importAlone } from "./shared-import";
import { Changes } from "./shared-life";
import { about, errorsAbout, type Living, programOf, resourceIn, SharedRun, upAll } from "./shared-run";

/** The lives of resources in the plugin, all in one stack: shorter than in dynamic mode, since the core is the same, plus import. */
export function livesInPlugin(lives: readonly LifecycleCase[]): void {
  const run = new SharedRun(lives, { mode: "plugin", extended: false });
  const created = run.step("the creation", ({ stack }) =>
    upAll(
      stack,
      programOf(lives, ({ args }) => args),
    ),
  );
  const changes = new Changes(run, lives, firstOfEachKind);
  const importable = lives.filter(({ cannotImport }) => cannotImport === undefined);
  const imports = new Imports(run, importable, (life) => life.imported ?? changes.lastArgsOf(life));
  const refused = new Map(
    lives.flatMap(({ type, cannotImport }) =>
      cannotImport === undefined ? [] : [[type, importAlone(run, type)] as const],
    ),
  );
  const before = run.step("the preview before destroy", ({ stack }) => stack.preview());
  const destroyed = run.step("destroy", ({ stack }) => stack.destroy());

  describe("all of them in the plugin", () => {
    test("are created", async () => {
      const { outcome } = await created();
      expect(outcome.code, outcome.text).toBe(0);
    });
    changes.testOthers();
    imports.testAll();
    test("are destroyed", async () => {
      const { outcome, resources } = await destroyed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(resources).toEqual([]);
    });
  });

  describe.each(lives.map((life) => [life.type, life] as const))("%s in the plugin", (type, life) => {
    test("is created", async () => {
      const moment = await created();
      expect(errorsAbout(moment.outcome, type)).toEqual([]);
      const it = resourceIn(moment, type);
      expect(it.type).toBe(`dataplatform:index:${type}`);
      expect(it.outputs).not.toHaveProperty("__provider");
      life.present(moment.platform, it.id!);
    });
    changes.testsOf(life, { kindOnly: true });
    if (life.cannotImport === undefined) imports.testsOf(life);
    else
      test("cannot be imported, and the error says why", async () => {
        const { outcome } = await refused.get(type)!();
        expect(outcome.code).not.toBe(0);
        expect(outcome.stdout + outcome.stderr).toContain(life.cannotImport);
      });
    test("is destroyed, with a warning on the resource about what remains", async () => {
      const { id, outputs } = resourceIn(await before(), type);
      const { outcome, platform } = await destroyed();
      expect(errorsAbout(outcome, type)).toEqual([]);
      const kept = definitions.find((definition) => definition.type === type)!.limits.kept?.(id!, outputs);
      if (kept) expect(about(outcome.diagnostics, type, "warning").join("\n")).toContain(kept);
      if (!life.kept) life.absent(platform);
    });
  });
}

function firstOfEachKind({ changes = [] }: Living): readonly Change[] {
  const firstOf = (kind: Change["expect"]) => changes.find((change) => change.expect === kind);
  return changes.filter((change) => change === firstOf("update") || change === firstOf("replace"));
}
