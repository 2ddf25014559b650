import { describe, expect, test } from "vitest";
import { ownEmulator, sharedEmulator } from "../../harness/emulators";
import { forTest } from "../../harness/shared";
import { KillBench } from "./engine-kill";
import { Moves } from "./moves";
import { Random } from "./random";
import { RealEngine } from "./real-engine";
import { SlowPlatform } from "./slow-platform";
import { world } from "./world";

/** A small version of `npm run chaos` on the real engine. */
const seed = Number(process.env["CHAOS_SEED"] ?? 3);

describe("on the engine", () => {
  const emulator = sharedEmulator({ seed: world(5) });

  test.each(["dynamic", "plugin"])("things move, on a slow platform whose lists lag, in %s mode", async (mode) => {
    const extended = mode === "plugin";
    const platform = forTest(await SlowPlatform.start(new Random(seed), extended));
    const { url } = await platform.open();
    const engine = forTest(await RealEngine.start(url, { mode, extendedApi: String(extended) }));
    const moves = await Moves.start({ seed, extended, steps: 2, isGentle: true }, platform, engine);
    expect(await moves.run()).toBeUndefined();
  });

  test("kill the plugin: the next up converges", async () => {
    const bench = forTest(await KillBench.start(emulator, seed, { mode: "plugin" }));
    const report = await bench.killAt(/^POST .*add_packages/, "provider");
    expect(report?.broken).toEqual([]);
  });

  test("kill the CLI while a data store is created: with the extended API the next up finds it", async () => {
    const readings = { dataStoreViewName: "shown" } as const;
    const extended = await ownEmulator({ seed: world(5), extended: true, readings });
    const bench = forTest(await KillBench.start(extended, seed, { mode: "plugin", extendedApi: "true" }));
    const report = await bench.killAt(/^POST .*db_taps/, "CLI");
    expect(report?.broken).toEqual([]);
    expect(report?.told.join()).toContain("already exists, so no other one was created");
  });
});
