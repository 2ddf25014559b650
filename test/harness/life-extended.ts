import { describe, expect, test } from "vitest";
import type { ExtendedLife } from "./lifecycle";
import { Imports } from "./shared-import";
import { Changes, expectNoChanges, expectSame, Incidents } from "./shared-life";
import { about, errorsAbout, programOf, resourceIn, SharedRun, upAll, warningsOf } from "./shared-run";

/** The lives of resources with `dataplatform:extendedApi`, all in one stack. */
export function livesWithExtendedApi(lives: readonly ExtendedLife[], mode: "dynamic" | "plugin"): void {
  const run = new SharedRun(lives, { mode, extended: true });
  const first = programOf(lives, ({ args }) => args);
  const created = run.step("the creation", ({ stack }) => upAll(stack, first));
  const refreshed = run.step("the refresh", ({ stack }) => stack.refresh());
  const unchanged = run.step("the preview without changes", ({ stack }) => stack.preview());
  // Import goes through the plugin in both modes; what a refresh finds is tried in dynamic mode without the extended API.
  const incidents = mode === "plugin" ? new Incidents(run, lives) : undefined;
  const changes = new Changes(run, lives, ({ changes: all = [] }) => all);
  const imports =
    mode === "plugin" ? new Imports(run, lives, (life) => life.imported ?? changes.lastArgsOf(life)) : undefined;
  const destroyed = run.step("destroy", ({ stack }) => stack.destroy());

  describe(`all of them with the extended API, in ${mode} mode`, () => {
    test("are created, and neither refresh nor preview shows changes", async () => {
      const { outcome } = await created();
      expect(outcome.code, outcome.text).toBe(0);
      await expectSame(refreshed);
      await expectNoChanges(unchanged);
    });
    incidents?.testOthers();
    changes.testOthers();
    imports?.testAll();
    test("are destroyed, with no other warnings than those about what stays", async () => {
      const { outcome, resources } = await destroyed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(resources).toEqual([]);
      const expected = lives.flatMap(({ kept }) => (kept === undefined ? [] : [expect.stringContaining(kept)]));
      expect(warningsOf(outcome)).toHaveLength(expected.length);
      expect(warningsOf(outcome)).toEqual(expect.arrayContaining(expected));
    });
  });

  describe.each(lives.map((life) => [life.type, life] as const))(
    `%s with the extended API, in ${mode} mode`,
    (type, life) => {
      test("is created, and neither refresh nor preview shows changes", async () => {
        const moment = await created();
        expect(errorsAbout(moment.outcome, type)).toEqual([]);
        life.present(moment.platform, resourceIn(moment, type).id!);
        await expectSame(refreshed, type);
        await expectNoChanges(unchanged, type);
      });
      incidents?.testsOf(life, { repair: "update" });
      changes.testsOf(life);
      imports?.testsOf(life);
      test("is destroyed, also on the platform", async () => {
        const { outcome, platform } = await destroyed();
        expect(errorsAbout(outcome, type)).toEqual([]);
        const kept = life.kept === undefined ? [] : [expect.stringContaining(life.kept)];
        // Only the plugin can tell the engine which resource a warning is about.
        if (mode === "plugin") expect(about(outcome.diagnostics, type, "warning")).toEqual(kept);
        else expect(warningsOf(outcome)).toEqual(expect.arrayContaining(kept));
        life.absent(platform);
      });
    },
  );
}
