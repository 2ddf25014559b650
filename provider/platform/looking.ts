import type { Client } from "../api/client";

/** A platform may show what is new with a delay, so what it may not have done is looked for this many times. */
export const maxLooks = 4;
/** What it has accepted is there, even if it is shown late: 14 s in all. */
const maxLooksForAccepted = 8;

/** Looks until what is seen, by default of something accepted, will do, with growing pauses. Returns what was seen last. */
export async function lookUntil<T>(
  api: Client,
  look: (looks: number) => Promise<T>,
  willDo: (seen: T) => boolean,
  most = maxLooksForAccepted,
): Promise<T> {
  for (let looks = 1; ; looks++) {
    const seen = await look(looks);
    if (willDo(seen) || looks === most) return seen;
    await api.pause(looks * 500);
  }
}
