import { expect, test } from "vitest";
import { startEmulator } from "../../../../emulator";
import { everyType } from "../model";
import { type RunReport, randomRun } from "../random-run";
import { RealEngine } from "../real-engine";
import { type Driver, SmallEngine } from "../small-engine";
import { token, world } from "../world";
import { summarise, wanted } from "./settings";

/** Large programs, so that time is spent on calls rather than on starting the engine. */
const sizes = { ...everyType(11), WhitelistedIp: 30, IpWhitelist: 12, Account: 5 };

async function runs(
  name: string,
  steps: number,
  drive: (baseUrl: string) => Promise<Driver & { close(): unknown }>,
): Promise<RunReport[]> {
  const reports: RunReport[] = [];
  const done = (): number => reports.reduce((sum, { operations }) => sum + operations, 0);
  for (let seed = wanted.seed; done() < wanted.operations; seed++) {
    const emulator = await startEmulator({ seed: world(40) });
    const driver = await drive(emulator.url);
    try {
      const report = await randomRun(driver, emulator, { seed, sizes, steps });
      reports.push(report);
      summarise(name, report);
      expect(report, `replay with: npm run chaos -- --seed ${seed} --only ${name}`).toMatchObject({
        differences: [],
        stuck: [],
      });
    } finally {
      await driver.close();
      await emulator.close();
    }
  }
  return reports;
}

test("random programs, without the engine", async () => {
  await runs("random-in-process", 12, async (baseUrl) => new SmallEngine({ baseUrl, token }));
});

test("random programs, on the engine", async () => {
  await runs("random-engine", 10, (baseUrl) => RealEngine.start(baseUrl));
});
