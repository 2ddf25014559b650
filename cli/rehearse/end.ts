import type { Emulator } from "../../emulator";

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
