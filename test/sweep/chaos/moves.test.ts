import { expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import { seeds, summarise } from "./long/settings";
import { Moves } from "./moves";
import { SlowPlatform, SmallRunner } from "./slow-platform";

test.each([
  ["specified", false],
  ["extended", true],
])("things move, without the engine, on a slow platform whose lists lag, with the %s API", async (api, extended) => {
  const broken: string[] = [];
  await inParallel(seeds, 16, async (seed) => {
    const platform = await SlowPlatform.start(seed, extended);
    const moves = await Moves.start({ seed, extended, steps: 12 }, platform, new SmallRunner(platform, extended));
    const report = await moves.run();
    if (report !== undefined) broken.push(report);
    const { ups, failures } = moves;
    summarise(`moves-${api}`, { seed, ups, failures, broken: report });
    await platform.close();
  });
  expect(broken.join("\n\n")).toBe("");
});
