import { describe, expect, test } from "vitest";
import { asPattern, type LifecycleCase } from "./lifecycle";
import { Imports, importAlone } from "./shared-import";
import { Changes, expectNoChanges, expectSame, Incidents, type Step } from "./shared-life";
import {
  about,
  errorsAbout,
  type Living,
  type Place,
  programOf,
  resourceIn,
  SharedRun,
  type SharedRunOptions,
  upAll,
  warningsOf,
} from "./shared-run";

type Life = Living &
  Pick<LifecycleCase, "present" | "absent"> &
  Partial<Pick<LifecycleCase, "kept" | "imported" | "cannotImport">>;

/** The lives of resources, all in one stack: created, changed behind our back and by us, imported, destroyed. */
export function livesOnEngine(lives: readonly Life[], options: SharedRunOptions): void {
  const { mode, extended } = options;
  const run = new SharedRun(lives, options);
  const first = programOf(lives, ({ args }) => args);
  const previewed = run.step("the first preview", ({ stack }) => stack.preview(first));
  const created = run.step("the creation", ({ stack }) => upAll(stack));
  const unchanged = run.step("the preview after the creation", ({ stack }) => stack.operate("preview", "--refresh"));
  const incidents = new Incidents(run, lives);
  const changes = new Changes(run, lives);
  const settled = run.step("the preview after the changes", ({ stack }) => stack.preview());
  const importable = lives.filter(({ cannotImport }) => cannotImport === undefined);
  const imports = new Imports(run, importable, (life) => life.imported ?? changes.lastArgsOf(life));
  const notImported = new Map(
    lives.filter((life) => !importable.includes(life)).map(({ type }) => [type, importAlone(run, type)]),
  );
  const refused = lives.filter((life): life is LifecycleCase => "forbidden" in life);
  const refusals = refused.length > 0 ? new Refusals(run, refused) : undefined;
  const destroyed = run.step("destroy", ({ stack }) => stack.destroy());

  describe("all of them on the engine", () => {
    test("are created; then neither refresh nor preview shows changes", async () => {
      const { outcome, writes } = await previewed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(writes, "preview must not write").toEqual([]);
      expect((await created()).outcome.code).toBe(0);
      await expectSame(unchanged);
      await expectNoChanges(unchanged);
    });
    incidents.testOthers();
    changes.testOthers();
    test("after the changes, preview shows no changes", () => expectNoChanges(settled));
    if (importable.length > 0) imports.testAll();
    refusals?.testBadInput(settled);
    test("are destroyed, with no other warnings than those about what stays", async () => {
      const { outcome, resources } = await destroyed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(resources).toEqual([]);
      expect(warningsOf(outcome)).toHaveLength(lives.filter(({ kept }) => kept !== undefined).length);
    });
  });

  const where = `${extended ? "with the extended API" : "on the engine"}, in ${mode} mode`;
  describe.each(lives.map((life) => [life.type, life] as const))(`%s ${where}`, (type, life) => {
    test("is created; then neither refresh nor preview shows changes", async () => {
      expect(errorsAbout((await previewed()).outcome, type)).toEqual([]);
      const moment = await created();
      expect(errorsAbout(moment.outcome, type)).toEqual([]);
      const it = resourceIn(moment, type);
      life.present(moment.platform, it.id!);
      expect(it.sourcePosition, "the line of the program").toMatch(/^project:\/\/\/index\.js#/);
      expect(it.type).toBe(
        `${mode === "plugin" ? "dataplatform:index" : "pulumi-nodejs:dynamic/dataplatform"}:${type}`,
      );
      expect("__provider" in it.outputs).toBe(mode === "dynamic");
      await expectSame(unchanged, type);
      await expectNoChanges(unchanged, type);
    });
    incidents.testsOf(life);
    changes.testsOf(life);
    test("after the changes, preview shows no changes", () => expectNoChanges(settled, type));
    if (life.cannotImport === undefined) imports.testsOf(life);
    else
      test("cannot be imported, and the error says why", async () => {
        const { outcome } = await notImported.get(type)!();
        expect(outcome.code).not.toBe(0);
        expect(outcome.stdout + outcome.stderr).toContain(life.cannotImport);
      });
    refusals?.testsOf(type);
    test("is destroyed, also on the platform, with a warning about what stays", async () => {
      const { outcome, platform } = await destroyed();
      expect(errorsAbout(outcome, type)).toEqual([]);
      life.absent(platform);
      // Only the plugin can tell the engine which resource a warning is about.
      const warnings = mode === "plugin" ? about(outcome.diagnostics, type, "warning") : warningsOf(outcome);
      const kept = life.kept?.replace("ID", resourceIn(await settled(), type).id!);
      if (kept !== undefined) expect(warnings).toContainEqual(expect.stringContaining(kept));
      else if (mode === "plugin") expect(warnings).toEqual([]);
    });
  });
}

/**
 * What the provider or the platform refuses. Each resource's own rules are tried without the engine (`inputsOf`); here it
 * is the engine's part, which is the same for all of them, with one resource.
 */
class Refusals {
  readonly #forbidden: ReadonlyMap<string, Step>;
  readonly #bad: Step;
  readonly #badLater: Step | undefined;
  readonly #withLater: LifecycleCase | undefined;

  constructor(
    run: SharedRun,
    readonly lives: readonly LifecycleCase[],
  ) {
    const tokens = [...new Set(lives.map(({ forbidden }) => forbidden.token))];
    this.#forbidden = new Map(tokens.map((token) => [token, run.step(...this.#attempt(token))]));
    this.#withLater = lives.find(({ badLater }) => badLater);
    const later = this.#withLater && { it: { type: this.#withLater.type, args: this.#withLater.badLater!.args } };
    this.#badLater =
      later &&
      run.step("bad input that is known at apply", async ({ empty }) => {
        const on = await empty();
        return { outcome: await on.up(later), on };
      });
    const { type, bad } = lives[0]!;
    const worst = { [type]: { type, args: bad[0]![0] } };
    this.#bad = run.step("the preview of bad input", ({ stack }) => stack.preview(worst));
  }

  #attempt(token: string): Parameters<SharedRun["step"]> {
    const theirs = this.lives.filter(({ forbidden }) => forbidden.token === token);
    const program = programOf(theirs, ({ args }) => args);
    const work = async ({ empty }: Place) => {
      const on = await empty({ token });
      return { outcome: await upAll(on, program), on };
    };
    return [`the attempt with the token ${token}`, work];
  }

  /** The test of one resource. */
  testsOf(type: string): void {
    const life = this.lives.find((one) => one.type === type);
    if (!life) return;
    test("a token without the permission gets an error that names it, and the state stays correct", async () => {
      const { outcome, resources } = await this.#forbidden.get(life.forbidden.token)!();
      expect(outcome.code).not.toBe(0);
      expect(errorsAbout(outcome, type).join("\n"), outcome.text).toContain(life.forbidden.says);
      expect(resources.map(({ urn }) => urn)).toEqual([]);
    });
  }

  /** The tests of bad input; `before` is when the state was last known to be good. */
  testBadInput(before: Step): void {
    test("bad input fails at preview, naming the property; nothing is sent, and the state is as it was", async () => {
      const { outcome, writes, resources } = await this.#bad();
      expect(outcome.code).not.toBe(0);
      const [, property, says] = this.lives[0]!.bad[0]!;
      expect(outcome.text).toContain(`property ${property}`);
      expect(outcome.text).toMatch(asPattern(says));
      expect(writes).toEqual([]);
      expect(resources).toEqual((await before()).resources);
    });

    const badLater = this.#badLater;
    if (!badLater) return;
    test("a bad value that is only known at apply fails there, and leaves nothing incomplete", async () => {
      const { outcome, resources, writes } = await badLater();
      expect(outcome.code).not.toBe(0);
      expect(outcome.text).toMatch(asPattern(this.#withLater!.badLater!.says));
      expect(resources.map(({ urn }) => urn).filter((urn) => urn.endsWith("::it"))).toEqual([]);
      expect(writes).toEqual([]);
    });
  }
}
