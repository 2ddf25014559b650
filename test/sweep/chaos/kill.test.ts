import { describe, expect, test } from "vitest";
import { sharedEmulator } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { type KillReport, perType, recover, twoPrograms, unexplained } from "./kill";
import { summarise } from "./long/settings";
import { SmallEngine } from "./small-engine";
import { observe, token, world } from "./world";

const seed = Number(process.env["CHAOS_SEED"] ?? 7);
/** `npm run chaos` kills at every call, the test suite at every second one, its fast tier at every fortieth. */
const stride = Number(process.env["CHAOS_KILL_STRIDE"] ?? 2);
const emulator = sharedEmulator({ seed: world(4), extended: true, readings: { dataStoreViewName: "shown" } });

/** One run from the first program to the second, killed after the n-th call was processed. Undefined if there is none. */
async function killedAt(nth: number, extended: boolean): Promise<KillReport | undefined> {
  emulator.reset();
  const { model, before, after } = twoPrograms(seed, observe(emulator), extended);
  const first = new SmallEngine({ baseUrl: emulator.url, token, extended });
  expect(await first.up(before)).toEqual([]);
  emulator.clearRequests();
  // A separate proxy, blocked for good: a killed run must never reach the platform again.
  const between = await GoBetween.start(emulator.url);
  const victim = new SmallEngine({ baseUrl: between.url, token, extended, parallel: 1, from: first.recorded() });
  const killed = between.withhold(({ number }) => number === nth);
  const ended = await Promise.race([killed, victim.up(after)]);
  const [recorded, name] = [victim.recorded(), victim.busyWith];
  await between.stop();
  if (Array.isArray(ended)) return undefined;
  const { operation } = emulator.requests().requests.at(-1)!;
  const next = new SmallEngine({ baseUrl: emulator.url, token, extended, from: recorded });
  const outcome = await recover(next, emulator, model);
  await Promise.all([first.close(), next.close()]);
  return { operation, type: name.split("-")[0]!, ...outcome };
}

describe.each([
  ["the specified API", false, stride],
  ["the extended API", true, stride * 2],
])("killed at every single call, with %s", (_api, extended, step) => {
  test("the next up converges, except for what the API makes impossible", async () => {
    const reports: KillReport[] = [];
    for (let nth = 1; ; nth += step) {
      const report = await killedAt(nth, extended);
      if (!report) break;
      reports.push(report);
    }
    summarise(extended ? "kill-in-process-extended" : "kill-in-process", perType(reports));
    expect(reports.length).toBeGreaterThanOrEqual(Math.floor(40 / step));
    expect(reports.flatMap((report) => unexplained(report, extended))).toEqual([]);
  });
});
