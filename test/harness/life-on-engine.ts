import { describe, expect, test } from "vitest";
import { asPattern, type LifecycleCase } from "./lifecycle";
import { Changes, expectNoChanges, expectSame, Incidents, type Step } from "./shared-life";
import { errorsAbout, type Moment, programOf, resourceIn, SharedRun, upAll, warningsOf } from "./shared-run";

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
    test("what was refused left the state as it was", async () => {
      expect((await refusals.last()).resources).toEqual((await settled()).resources);
    });
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

/** What the provider or the platform refuses. The engine stops at the first input that check refuses, so these are one run each. */
class Refusals {
  readonly #forbidden: Map<string, Step>;
  readonly #bad: Map<string, Step>;
  readonly #badLater: Map<string, Step>;
  /** The state of the stack after all of them. */
  readonly last: Step;

  constructor(run: SharedRun, lives: readonly LifecycleCase[]) {
    const tokens = [...new Set(lives.map(({ forbidden }) => forbidden.token))];
    this.#forbidden = new Map(
      tokens.map((token) => {
        const program = programOf(
          lives.filter(({ forbidden }) => forbidden.token === token),
          ({ args }) => args,
        );
        return [
          token,
          run.step(`the attempt with the token ${token}`, async ({ empty }) =>
            outcomeOn(await empty(token), (stack) => upAll(stack, program)),
          ),
        ];
      }),
    );
    this.#bad = new Map(
      lives.map(({ type, bad: [worst] }) => {
        const program = { [type]: { type, args: worst![0] } };
        return [type, run.step(`the preview of bad input for ${type}`, ({ stack }) => stack.preview(program))];
      }),
    );
    this.#badLater = new Map(
      lives.flatMap(({ type, badLater }) => {
        if (!badLater) return [];
        const program = { [type]: { type, args: badLater.args } };
        return [
          [
            type,
            run.step(`bad input for ${type}`, async ({ empty }) =>
              outcomeOn(await empty(), (stack) => stack.up(program)),
            ),
          ] as const,
        ];
      }),
    );
    this.last = [...this.#bad.values()].at(-1)!;
  }

  /** The tests of one resource. */
  testsOf({ type, forbidden, bad, badLater }: LifecycleCase): void {
    test("a token without the permission gets an error that names it, and the state stays correct", async () => {
      const { outcome, resources } = await this.#forbidden.get(forbidden.token)!();
      expect(outcome.code).not.toBe(0);
      expect(errorsAbout(outcome, type).join("\n"), outcome.text).toContain(forbidden.says);
      expect(resources.map(({ urn }) => urn)).toEqual([]);
    });

    test("bad input fails at preview, naming the property, and nothing is sent", async () => {
      const { outcome, writes } = await this.#bad.get(type)!();
      expect(outcome.code).not.toBe(0);
      const [, property, says] = bad[0]!;
      expect(outcome.text).toContain(`property ${property}`);
      expect(outcome.text).toMatch(asPattern(says));
      expect(writes).toEqual([]);
    });

    if (!badLater) return;
    test("a bad value that is only known at apply fails there, and leaves nothing incomplete", async () => {
      const { outcome, resources, writes } = await this.#badLater.get(type)!();
      expect(outcome.code).not.toBe(0);
      expect(outcome.text).toMatch(asPattern(badLater.says));
      expect(resources.map(({ urn }) => urn).filter((urn) => urn.endsWith(`::${type}`))).toEqual([]);
      expect(writes).toEqual([]);
    });
  }
}

async function outcomeOn<S>(on: S, work: (stack: S) => Promise<Moment["outcome"]>) {
  return { outcome: await work(on), on };
}
