import { expect, test } from "vitest";
import { startEmulator } from "../../../emulator";
import { KillBench, type Victim } from "../engine-kill";
import { type KillReport, unexplained } from "../kill";
import { world } from "../world";
import { keepResult, wanted } from "./settings";

test.each<Victim>(["provider", "CLI"])("the %s is killed at every call of an up", async (victim) => {
  const emulator = await startEmulator({ seed: world(4) });
  const bench = await KillBench.start(emulator, wanted.seed);
  const reports: KillReport[] = [];
  const missed: string[] = [];
  try {
    const calls = (await bench.calls()).filter((_, index) => index % wanted.killStride === 0);
    for (const [index, call] of calls.entries()) {
      // The order of independent calls is the engine's: what did not come up is tried once more.
      const report = (await bench.killAt(call, victim)) ?? (await bench.killAt(call, victim));
      if (report) reports.push(report);
      else missed.push(call);
      console.log(`kill ${victim}: ${index + 1} of ${calls.length}: ${report?.operation ?? "not met"} ${report?.type}`);
      keepResult(`kill-${victim}`, { calls: calls.length, missed, reports });
    }
    expect(reports.flatMap(unexplained)).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(calls.length / 10);
  } finally {
    await bench.stop();
    await emulator.close();
  }
});
