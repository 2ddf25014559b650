import { expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { nameOf } from "./engine-events";
import type { Args, Change, LifecycleCase } from "./lifecycle";
import { errorsAbout, type Living, type Moment, programOf, resourceIn, type SharedRun, upAll } from "./shared-run";
import { kindOf } from "./stacks";

export type Step = () => Promise<Moment>;
type WithPresent = Living & Pick<LifecycleCase, "present">;

/** Something that happens to a resource behind our back. */
interface Incident {
  readonly make: (emulator: Emulator, id: string) => Promise<void> | void;
  readonly test: string;
  /** What refresh must find. */
  readonly found: "update" | "delete";
  /** What up must do about it. */
  readonly repaired: string;
}

/** What happens in round n: to every resource, what its case says n-th. */
function rounds<T>(lives: readonly Living[], all: (life: Living) => readonly T[]): Map<string, T>[] {
  const longest = Math.max(0, ...lives.map((life) => all(life).length));
  return Array.from({ length: longest }, (_, round) => {
    const now = lives.map((life) => [life.type, all(life)[round]] as const);
    return new Map(now.filter((entry): entry is readonly [string, NonNullable<T>] => entry[1] !== undefined));
  });
}

function changedBy({ make, repaired = "update" }: NonNullable<Living["drift"]>): Incident {
  return { make, test: "refresh notices a change behind our back, and up repairs it", found: "update", repaired };
}

function incidentsOf({ drift, disappear }: Living): Incident[] {
  const gone = "refresh notices that it is gone, and up recreates it";
  return [
    ...(drift ? [changedBy(drift)] : []),
    ...(disappear ? [{ make: disappear, test: gone, found: "delete", repaired: "create" } as const] : []),
  ];
}

/** What a preview says of a change, in the words of the definitions. */
const predictions =
  /\bwill (add|remove|assign|unassign|create)\b|creates a (NEW|new)|takes effect only after|the API cannot change/;

/** Refresh and up after something happened behind our back. */
export class Incidents {
  readonly #rounds: { of: Map<string, Incident>; refreshed: Step; repaired: Step }[];

  constructor(
    run: SharedRun,
    readonly lives: readonly WithPresent[],
  ) {
    this.#rounds = rounds(lives, incidentsOf).map((of) => ({
      of,
      refreshed: run.step("the refresh after an incident", async ({ emulator, stack }) => {
        const { resources } = await stack.exportState();
        for (const [type, { make }] of of)
          await make(emulator, resources.find(({ urn }) => nameOf(urn) === type)?.id ?? "");
        return stack.refresh();
      }),
      repaired: run.step("the repair", ({ stack }) => upAll(stack)),
    }));
  }

  /** The tests of one resource. */
  testsOf({ type, present }: WithPresent): void {
    for (const { of, refreshed, repaired } of this.#rounds) {
      const incident = of.get(type);
      if (!incident) continue;
      test(incident.test, async () => {
        const { outcome: shown } = await refreshed();
        expect(shown.found[type], shown.text).toBe(incident.found);
        const after = await repaired();
        expect(errorsAbout(after.outcome, type)).toEqual([]);
        expect(after.outcome.changed[type], after.outcome.text).toBe(incident.repaired);
        present(after.platform, resourceIn(after, type).id!);
      });
    }
  }

  /** The test of all together. */
  testOthers(): void {
    for (const [index, { of, refreshed, repaired }] of this.#rounds.entries()) {
      test(`incident ${index + 1}: refresh and up succeed, and touch no other resource`, async () => {
        const { outcome: shown } = await refreshed();
        expect(shown.code, shown.text).toBe(0);
        expect(shown.text, "a refresh tells what it found, not what an update would do").not.toMatch(predictions);
        const others = this.lives.map(({ type }) => type).filter((type) => !of.has(type));
        for (const type of others) expect([type, shown.found[type]]).toEqual([type, "same"]);
        await expectOnly(repaired, [...of.keys()]);
      });
    }
  }
}

/** Ups in which every resource makes its n-th change. */
export class Changes {
  readonly #rounds: { of: Map<string, Change>; done: Step }[];

  constructor(run: SharedRun, lives: readonly Living[]) {
    const args = new Map(lives.map((life) => [life.type, life.args]));
    this.#rounds = rounds(lives, ({ changes = [] }) => changes).map((of) => ({
      of,
      done: run.step("a change", ({ stack }) => {
        for (const [type, change] of of) args.set(type, change.args);
        return upAll(
          stack,
          programOf(lives, ({ type }) => args.get(type)!),
        );
      }),
    }));
  }

  /** The arguments of a resource after all changes. */
  lastArgsOf({ type, args }: Living): Args {
    return this.#rounds.findLast(({ of }) => of.has(type))?.of.get(type)?.args ?? args;
  }

  /** The tests of one resource. */
  testsOf({ type }: Living): void {
    for (const { of, done } of this.#rounds) {
      const change = of.get(type);
      if (!change) continue;
      test(`${change.what}: ${change.expect}`, async () => {
        const { outcome, counts, platform } = await done();
        expect(errorsAbout(outcome, type)).toEqual([]);
        expect(kindOf(outcome, type), outcome.text).toBe(change.expect);
        const counted = Object.keys(change.calls ?? {}).map((operation) => [operation, counts[operation] ?? 0]);
        expect(Object.fromEntries(counted)).toEqual(change.calls ?? {});
        change.after?.(platform, outcome);
      });
    }
  }

  /** The test of all together. */
  testOthers(): void {
    for (const [index, { of, done }] of this.#rounds.entries()) {
      test(`change ${index + 1} succeeds, and touches no other resource`, () =>
        expectOnly(
          done,
          [...of].flatMap(([type, { expect: kind }]) => (kind === "same" ? [] : [type])),
        ));
    }
  }
}

async function expectOnly(step: Step, types: readonly string[]): Promise<void> {
  const { outcome } = await step();
  expect(outcome.code, outcome.text).toBe(0);
  expect(Object.keys(outcome.changed).toSorted()).toEqual(types.toSorted());
}

/** A run in which nothing is different, neither for one resource nor for all. */
export async function expectNoChanges(step: Step, type?: string): Promise<void> {
  const { outcome } = await step();
  if (type !== undefined) return expect(outcome.changed[type], outcome.text).toBeUndefined();
  expect(outcome.code, outcome.text).toBe(0);
  expect(outcome.changed, outcome.text).toEqual({});
}

/** A refresh that finds everything as it was. */
export async function expectSame(step: Step, type?: string): Promise<void> {
  const { outcome } = await step();
  if (type !== undefined) return expect(outcome.found[type], outcome.text).toBe("same");
  expect(outcome.code, outcome.text).toBe(0);
  expect(new Set(Object.values(outcome.found)), outcome.text).toEqual(new Set(["same"]));
}
