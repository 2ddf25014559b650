import { expect, test } from "vitest";
import { inParallel } from "../../../harness/parallel";
import { Moves } from "../moves";
import { Random } from "../random";
import { RealEngine } from "../real-engine";
import { SmallRunner } from "../runner";
import { SlowPlatform } from "../slow-platform";
import { summarise, wanted } from "./settings";

const seedsFrom = (count: number) => Array.from({ length: count }, (_, index) => wanted.seed + index);

test.each([
  ["specified", false],
  ["extended", true],
])("things move, without the engine, with the %s API", async (api, extended) => {
  const broken: string[] = [];
  await inParallel(seedsFrom(wanted.seeds), 16, async (seed) => {
    const platform = await SlowPlatform.start(new Random(seed + 1000), extended);
    const runner = new SmallRunner(platform, extended);
    const moves = await Moves.start({ seed, extended, steps: 12 }, platform, runner);
    const report = await moves.run();
    if (report !== undefined) console.log(report);
    if (report !== undefined) broken.push(report);
    const { ups, failures } = moves;
    summarise(`moves-${api}`, { seed, ups, failures, broken: report !== undefined });
    await platform.close();
  });
  expect(broken.join("\n\n")).toBe("");
});

test.each([
  ["dynamic", false],
  ["plugin", true],
])("things move, on the engine, in %s mode", async (mode, extended) => {
  for (const seed of seedsFrom(Math.ceil(wanted.seeds / 40))) {
    const platform = await SlowPlatform.start(new Random(seed + 1000), extended);
    const { url } = await platform.open();
    const engine = await RealEngine.start(url, { mode, extendedApi: String(extended) });
    const moves = await Moves.start({ seed, extended, steps: 6, isGentle: true }, platform, engine);
    expect(await moves.run()).toBeUndefined();
    summarise(`moves-engine-${mode}`, { seed, ups: moves.ups, failures: moves.failures });
    engine.close();
    await platform.close();
  }
});
