import { describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { isFastTier } from "../harness/tier";
import { everyType } from "./model";
import { randomRun } from "./random-run";
import { SmallEngine } from "./small-engine";
import { token, world } from "./world";

const sizes = { ...everyType(12), WhitelistedIp: 40, IpWhitelist: 2 };

describe("random programs under faults, without the engine", () => {
  test.each(isFastTier ? [1] : [1, 2])("seed %i", async (seed) => {
    const emulator = await startEmulator({ seed: world(40) });
    const driver = new SmallEngine({ baseUrl: emulator.url, token });
    try {
      const report = await randomRun(driver, emulator, { seed, sizes, steps: 6 });
      expect(report).toMatchObject({ differences: [], stuck: [] });
    } finally {
      await driver.close();
      await emulator.close();
    }
  });
});
