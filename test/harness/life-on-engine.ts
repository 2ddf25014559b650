import { describe, expect, test } from "vitest";
import { asPattern, type LifecycleCase } from "./lifecycle";
import { Changes, expectNoChanges, expectSame, Incidents, type Step } from "./shared-life";
import {
  errorsAbout,
  type Moment,
  type Place,
  programOf,
  resourceIn,
  SharedRun,
  upAll,
  warningsOf,
} from "./shared-run";

/** The lives of resources in dynamic mode, all in one stack: created, changed behind our back and by us, destroyed. */
export function livesOnEngine(lives: readonly LifecycleCase[]): void {
  const run = new SharedRun(lives, { mode: "dynamic", extended: false });
  const first = programOf(lives, ({ args }) => args);
  const previewed = run.step("the first preview", ({ stack }) => stack.preview(first));
  const created = run.step("the creation", ({ stack }) => upAll(stack));
  const refreshed = run.step("the refresh", ({ stack }) => stack.refresh());
  const unchanged = run.step("the preview without changes", ({ stack }) => stack.preview());
  const incidents = new Incidents(run, lives);
  const changes = new Changes(run, lives, ({ changes: all = [] }) => all);
  const settled = run.step("the preview after the changes", ({ stack }) => stack.preview());
  const refusals = new Refusals(run, lives);
  const destroyed = run.step("destroy", ({ stack }) => stack.destroy());

  describe("all of them on the engine", () => {
    test("are created; then neither preview nor refresh shows changes", async () => {
      const { outcome, writes } = await previewed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(writes, "preview must not write").toEqual([]);
      expect((await created()).outcome.code).toBe(0);
      await expectSame(refreshed);
      await expectNoChanges(unchanged);
    });
    incidents.testOthers();
    changes.testOthers();
    test("after the changes, preview shows no changes", () => expectNoChanges(settled));
    refusals.testBadInput(settled);
    test("are destroyed", async () => {
      const { outcome, resources } = await destroyed();
      expect(outcome.code, outcome.text).toBe(0);
      expect(resources).toEqual([]);
    });
  });

  describe.each(lives.map((life) => [life.type, life] as const))("%s on the engine", (type, life) => {
    test("is created; then neither preview nor refresh shows changes", async () => {
      expect(errorsAbout((await previewed()).outcome, type)).toEqual([]);
      const moment = await created();
      expect(errorsAbout(moment.outcome, type)).toEqual([]);
      const it = resourceIn(moment, type);
      life.present(moment.platform, it.id!);
      expect(it.sourcePosition, "the line of the program").toMatch(/^project:\/\/\/index\.js#/);
      await expectSame(refreshed, type);
      await expectNoChanges(unchanged, type);
    });
    incidents.testsOf(life);
    changes.testsOf(life);
    test("after the changes, preview shows no changes", () => expectNoChanges(settled, type));
    refusals.testsOf(life);
    test("is destroyed, also on the platform", async () => {
      const { outcome, platform } = await destroyed();
      expect(errorsAbout(outcome, type)).toEqual([]);
      life.absent(platform);
      if (life.kept) expectKept(warningsOf(outcome), life.kept, resourceIn(await settled(), type).id!);
    });
  });
}

function expectKept(warnings: readonly string[], kept: string | RegExp, id: string): void {
  const pattern = asPattern(typeof kept === "string" ? kept.replace("ID", id) : kept);
  expect(warnings.filter((warning) => pattern.test(warning) && warning.includes(id)).join("\n")).toMatch(pattern);
}

/**
 * What the provider or the platform refuses. Each resource's own rules are tried without the engine (`inputsOf`); here it
 * is the engine's part, which is the same for all of them, with one resource.
 */
class Refusals {
  readonly #forbidden: Map<string, Step>;
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
    const later = this.#withLater && {
      it: { type: this.#withLater.type, args: this.#withLater.badLater!.args },
    };
    this.#badLater =
      later &&
      run.step("bad input that is known at apply", async ({ empty }) =>
        outcomeOn(await empty(), (stack) => stack.up(later)),
      );
    const { type, bad } = lives[0]!;
    const worst = { [type]: { type, args: bad[0]![0] } };
    this.#bad = run.step("the preview of bad input", ({ stack }) => stack.preview(worst));
  }

  #attempt(token: string): Parameters<SharedRun["step"]> {
    const program = programOf(
      this.lives.filter(({ forbidden }) => forbidden.token === token),
      ({ args }) => args,
    );
    const work = async ({ empty }: Place) => outcomeOn(await empty(token), (stack) => upAll(stack, program));
    return [`the attempt with the token ${token}`, work];
  }

  /** The test of one resource. */
  testsOf({ type, forbidden }: LifecycleCase): void {
    test("a token without the permission gets an error that names it, and the state stays correct", async () => {
      const { outcome, resources } = await this.#forbidden.get(forbidden.token)!();
      expect(outcome.code).not.toBe(0);
      expect(errorsAbout(outcome, type).join("\n"), outcome.text).toContain(forbidden.says);
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

async function outcomeOn<S>(on: S, work: (stack: S) => Promise<Moment["outcome"]>) {
  return { outcome: await work(on), on };
}
