import type { Client } from "../api/client";

/** A platform may show what is new with a delay, so it is looked for this many times. */
export const maxLooks = 4;

/** Looks until what is seen will do, with growing pauses, and gives up after a few times. Returns what was seen last. */
export async function lookUntil<T>(
  api: Client,
  look: (looks: number) => Promise<T>,
  willDo: (seen: T) => boolean,
): Promise<T> {
  for (let looks = 1; ; looks++) {
    const seen = await look(looks);
    if (willDo(seen) || looks === maxLooks) return seen;
    await api.pause(looks * 500);
  }
}
