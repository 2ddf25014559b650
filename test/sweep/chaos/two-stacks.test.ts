import { expect, test } from "vitest";
import { startEmulator } from "../../../emulator";
import { mixedFaults } from "./faults";
import { SmallEngine } from "./small-engine";
import { twoStacks } from "./two-stacks";
import { token, world } from "./world";

test.each([
  ["under faults", 0.05],
  ["without faults", 0],
] as const)("two stacks in the same places never remove each other's declared entries: %s", async (_, share) => {
  const emulator = await startEmulator({ seed: world(2) });
  const drivers = [1, 2].map(() => new SmallEngine({ baseUrl: emulator.url, token }));
  if (share > 0) emulator.setFaults(mixedFaults(5, share));
  const report = await twoStacks([drivers[0]!, drivers[1]!], emulator, { seed: 5, rounds: 6 });
  expect(report).toMatchObject({ missing: [], surplus: [], failures: [], strangePolicies: [] });
  await Promise.all(drivers.map((driver) => driver.close()));
  await emulator.close();
});
