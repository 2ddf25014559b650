import { expect, test } from "vitest";
import { ownEmulator } from "../../../harness/emulators";
import { forTest } from "../../../harness/shared";
import { unclear } from "../faults";
import { RealEngine } from "../real-engine";
import { sample } from "../sample";
import { twoStacks } from "../two-stacks";
import { world } from "../world";
import { summarise, wanted } from "./settings";

test("two stacks in the same places, on the engine", async () => {
  const emulator = await ownEmulator({ seed: world(2) });
  const start = async () => forTest(await RealEngine.start(emulator.url));
  const engines = [await start(), await start()] as const;
  const report = await twoStacks(engines, emulator, { seed: wanted.seed, rounds: 5 });
  summarise("two-stacks", report);
  expect(report).toMatchObject({ missing: [], surplus: [], failures: [], strangePolicies: [] });
});

test("refresh under every fault, on the engine", async () => {
  const emulator = await ownEmulator({ seed: world(2) });
  const engine = forTest(await RealEngine.start(emulator.url, { retries: "0", requestTimeoutSeconds: "1" }));
  const results: { fault: string; failures: number; dropped: string[] }[] = [];
  expect(await engine.up(sample)).toEqual([]);
  const before = await engine.ids();
  for (const [fault, rule] of unclear) {
    emulator.setFaults({ rules: [rule] });
    const failures = await engine.refresh();
    emulator.clearFaults();
    const now = await engine.ids();
    const dropped = [...before].filter(([name, id]) => now.get(name) !== id).map(([name]) => name);
    results.push({ fault, failures: failures.length, dropped });
  }
  const failed = results.filter(({ failures }) => failures > 0).length;
  const dropped = results.filter((result) => result.dropped.length > 0);
  summarise("refresh", { faults: results.length, failed, dropped: dropped.length });
  expect(dropped).toEqual([]);
});
