import type { Emulator, Faults } from "../../emulator";
import type { TemporaryStack } from "./backend";
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

/** What two runs of the same program give differently: ids, times, tokens. A sensor leaves nothing that could differ. */
const leftOut = new Set(["id", "user_id", "created_at", "updated_at", "submitted", "plan", "tags", "token", "sensors"]);

/** What the emulator holds, without what the platform gives: each thing, and how often it is there. */
export function endOf(emulator: Emulator): Map<string, number> {
  const end = new Map<string, number>();
  for (const { name, ...account } of emulator.state().accounts) {
    const add = (text: string) => void end.set(text, (end.get(text) ?? 0) + 1);
    add(`account ${name}`);
    for (const [part, records] of Object.entries(account))
      if (Array.isArray(records) && !leftOut.has(part))
        for (const record of records) add(`${part} of ${name}: ${JSON.stringify(record, withoutGiven)}`);
  }
  return end;
}

function withoutGiven(this: unknown, key: string, value: unknown): unknown {
  return leftOut.has(key) ? undefined : value;
}

/** In words, what the second end has more or less of. */
export function differencesBetween(first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): string[] {
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((thing) => {
    const more = (second.get(thing) ?? 0) - (first.get(thing) ?? 0);
    return more === 0 ? [] : [`${more > 0 ? `${more} more` : `${-more} fewer`}: ${thing}`];
  });
}
