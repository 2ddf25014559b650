import { describe, expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import { Moves } from "./moves";
import { Random } from "./random";
import { SmallRunner } from "./runner";
import { SlowPlatform } from "./slow-platform";

/** `CHAOS_SEED=7` runs one of them, `CHAOS_SEED=7-20` some. */
const [first = 1, last = first] = (process.env["CHAOS_SEED"] ?? "1-5").split("-").map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const steps = 12;

describe("random programs in which things move, on a slow platform whose lists lag", () => {
  test.each([
    ["as specified", false],
    ["with the extended API", true],
  ])("%s", async (_, extended) => {
    const broken: string[] = [];
    await inParallel(seeds, 16, async (seed) => {
      const platform = await SlowPlatform.start(new Random(seed + 1000), extended);
      const moves = await Moves.start({ seed, extended, steps }, platform, new SmallRunner(platform, extended));
      broken.push(...[await moves.run()].filter((one) => one !== undefined));
      await platform.close();
    });
    expect(broken.join("\n\n")).toBe("");
  });
});
