import { describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { randomRun } from "./random-run";
import { SmallEngine } from "./small-engine";
import { token, world } from "./world";

const sizes = {
  WhitelistedIp: 40,
  IpWhitelist: 2,
  Account: 6,
  DataStore: 12,
  GroupRoleAssignment: 15,
  ObjectPolicy: 15,
  FolderPolicy: 15,
  PackageSet: 15,
  PartitionSensor: 6,
  EnabledUser: 10,
  Folder: 15,
  Command: 12,
};

describe("random programs under faults, without the engine", () => {
  test.each([1, 2, 3])("seed %i", async (seed) => {
    const emulator = await startEmulator({ seed: world(40) });
    const driver = new SmallEngine({ baseUrl: emulator.url, token });
    try {
      const report = await randomRun(driver, emulator, { seed, sizes, steps: 6 });
      console.log(JSON.stringify(report));
      expect(report).toMatchObject({ differences: [], stuck: [] });
    } finally {
      await driver.close();
      await emulator.close();
    }
  });
});
