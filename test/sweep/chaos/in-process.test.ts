import { describe, expect, test } from "vitest";
import { ownEmulator } from "../../harness/emulators";
import { forTest } from "../../harness/shared";
import { everyType } from "./model";
import { randomRun } from "./random-run";
import { SmallEngine } from "./small-engine";
import { token, world } from "./world";

const sizes = { ...everyType(12), WhitelistedIp: 40, IpWhitelist: 2 };

describe("random programs under faults, without the engine", () => {
  const runs: [seed: number, extended: boolean][] = [
    [1, false],
    [2, false],
    [1, true],
    [2, true],
  ];
  test.each(runs)("seed %i, with the extended API: %s", async (seed, extended) => {
    const emulator = await ownEmulator({ seed: world(40), extended });
    const driver = forTest(new SmallEngine({ baseUrl: emulator.url, token, extended }));
    const report = await randomRun(driver, emulator, { seed, sizes, steps: 6, extended });
    expect(report).toMatchObject({ differences: [], stuck: [] });
  });
});
