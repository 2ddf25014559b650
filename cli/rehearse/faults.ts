import type { Emulator, Faults } from "../../emulator";
import type { TemporaryStack } from "./backend";
import { differencesBetween, endOf } from "./end";
import type { FaultReport, Message } from "./report";
import { update } from "./update";

const mostUpdates = 5;

/** Together they hit about one call in ten, and the first one in any case. */
const faults: Faults = {
  seed: 1,
  rules: [
    { kind: "429" as const, retryAfter: 0 },
    { kind: "503" as const },
    { kind: "500" as const },
    { kind: "html" as const, status: 502 },
    { kind: "truncated" as const },
    { kind: "reset-before" as const },
    { kind: "reset-after" as const },
  ]
    .map((rule): Faults["rules"][number] => ({ ...rule, body: undefined, probability: 0.015 }))
    .concat({ kind: "503", body: undefined, nth: 1 }),
};

/** Runs the update, and runs it again while it fails, as a user would. `expected`: the end without faults. */
export async function runWithFaults(
  emulator: Emulator,
  stack: TemporaryStack,
  expected: ReadonlyMap<string, number>,
): Promise<FaultReport> {
  emulator.clearRequests();
  emulator.setFaults(faults);
  const errors: Message[] = [];
  let updates = 0;
  let recovered = false;
  while (!recovered && updates < mostUpdates) {
    const { isOk, errors: reported } = await update(stack);
    updates += 1;
    recovered = isOk;
    errors.push(...reported);
  }
  emulator.clearFaults();
  const hit = emulator.requests(5000).requests.filter(({ fault }) => fault !== undefined).length;
  return { updates, faults: hit, recovered, errors, differences: differencesBetween(expected, endOf(emulator)) };
}
