import { describe, expect, test } from "vitest";
import { ownEmulator } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { forTest } from "../../harness/shared";
import { isLong, seeds, summarise } from "./long/settings";
import { Moves, removeLeftover } from "./moves";
import { factsOf, Promises } from "./promises";
import { killAt, RealEngine, type Victim } from "./real-engine";
import { sample } from "./sample";
import { SlowPlatform } from "./slow-platform";
import { world } from "./world";

/** What the other tests try with the small engine, on Pulumi's, where it takes longer. */
const [chosen, steps] = isLong ? [seeds.filter((_, index) => index % 40 === 0), 6] : [[3], 2];

test.each(
  chosen.flatMap(
    (seed) =>
      [
        [seed, "dynamic"],
        [seed, "plugin"],
      ] as const,
  ),
)("things move, on the engine and a slow platform whose lists lag, with seed %i in %s mode", async (seed, mode) => {
  const extended = mode === "plugin";
  const platform = forTest(await SlowPlatform.start(seed, extended));
  const { url } = await platform.open();
  const engine = forTest(await RealEngine.start(url, { mode, extendedApi: String(extended) }));
  const moves = await Moves.start({ seed, extended, steps, isGentle: true }, platform, engine);
  expect(await moves.run()).toBeUndefined();
  summarise(`moves-engine-${mode}`, { seed, ups: moves.ups, failures: moves.failures });
});

describe("after a kill in the middle of a call, the next up converges", () => {
  test.each<[Victim, path: string, told: RegExp]>([
    ["provider", "add_packages", /^$/],
    ["CLI", "db_taps", /already exists, so no other one was created/],
  ])("of the %s, at %s", async (victim, path, told) => {
    const readings = { dataStoreViewName: "shown" } as const;
    const emulator = await ownEmulator({ seed: world(5), extended: true, readings });
    const between = forTest(await GoBetween.start(emulator.url));
    const engine = forTest(await RealEngine.start(between.url, { mode: "plugin", extendedApi: "true" }));
    const before = factsOf(emulator);
    const promises = new Promises(true, before);
    // The commands of a run that was killed are submitted again, and accounts created.
    const { Account: _, Command: __, ...program } = sample;
    expect(await killAt(engine.stack, between, program, path, victim)).toContain(path);
    const text = (await engine.up(program, { refresh: true })).map(({ message }) => message).join("\n");
    expect(text).toMatch(told);
    await removeLeftover(emulator, text);
    expect(await engine.up(program)).toEqual([]);
    const full = factsOf(emulator);
    const ended = { before, after: full, program, tried: [program], isUnsure: true, isRefreshed: true };
    expect(promises.broken(ended)).toEqual([]);
    expect(await engine.up({})).toEqual([]);
    const destroyed = { ...ended, before: full, after: factsOf(emulator), program: {}, isUnsure: false };
    expect(promises.broken(destroyed)).toEqual([]);
  });
});
