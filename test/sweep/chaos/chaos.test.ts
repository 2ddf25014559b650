import { describe, expect, test } from "vitest";
import { ownEmulator, sharedEmulator } from "../../harness/emulators";
import { forTest } from "../../harness/shared";
import { KillBench } from "./engine-kill";
import { unexplained } from "./kill";
import { everyType } from "./model";
import { randomRun } from "./random-run";
import { RealEngine } from "./real-engine";
import { world } from "./world";

/** A small version of `npm run chaos` on the real engine. */
const seed = Number(process.env["CHAOS_SEED"] ?? 3);

describe("on the engine", () => {
  const emulator = sharedEmulator({ seed: world(4) });

  test("a random program under faults matches the model through create, refresh, change and removal", async () => {
    const engine = forTest(await RealEngine.start(emulator.url));
    const report = await randomRun(engine, emulator, { seed, sizes: everyType(2), steps: 1, share: 0.08 });
    expect(report).toMatchObject({ differences: [], stuck: [] });
  });

  test("kill the plugin: the next up converges", async () => {
    const bench = forTest(await KillBench.start(emulator, seed, { mode: "plugin" }));
    const report = await bench.killAt(/^POST .*add_packages/, "provider");
    expect(report && unexplained(report)).toEqual([]);
  });

  test("kill the CLI while a data store is created: with the extended API the next up finds it", async () => {
    const readings = { dataStoreViewName: "shown" } as const;
    const extended = await ownEmulator({ seed: world(4), extended: true, readings });
    const bench = forTest(await KillBench.start(extended, seed, { mode: "plugin", extendedApi: "true" }));
    const report = await bench.killAt(/^POST .*db_taps/, "CLI");
    expect(report && unexplained(report, true)).toEqual([]);
    expect(report?.told.join()).toContain("already exists, so no other one was created");
  });
});
