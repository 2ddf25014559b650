import { expect, test } from "vitest";
import { ownEmulator } from "../../harness/emulators";
import { forTest } from "../../harness/shared";
import { mixedFaults } from "./faults";
import { SmallEngine } from "./small-engine";
import { twoStacks } from "./two-stacks";
import { token, world } from "./world";

test.each([
  ["under faults", 0.05],
  ["without faults", 0],
] as const)("two stacks in the same places never remove each other's declared entries: %s", async (_, share) => {
  const emulator = await ownEmulator({ seed: world(2) });
  const start = () => forTest(new SmallEngine({ baseUrl: emulator.url, token }));
  if (share > 0) emulator.setFaults(mixedFaults(5, share));
  const report = await twoStacks([start(), start()], emulator, { seed: 5, rounds: 6 });
  expect(report).toMatchObject({ missing: [], surplus: [], failures: [], strangePolicies: [] });
});
