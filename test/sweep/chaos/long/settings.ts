/** Whether this is the long form, `npm run chaos`, which passes its options as these variables. */
export const isLong = process.env["CHAOS_LONG"] !== undefined;

const { CHAOS_SEED: first, CHAOS_SEEDS: count = first === undefined ? "5" : "1" } = process.env;

/** Of the random programs without the engine, for each API: `CHAOS_SEED=7` runs one, `CHAOS_SEEDS=14` with it so many. */
export const seeds = Array.from({ length: Number(count) }, (_, index) => Number(first ?? 1) + index);

/** Says in one line what a long run found. `npm run chaos` repeats these lines at its end. */
export function summarise(name: string, result: unknown): void {
  if (isLong) console.log(`result ${name}: ${JSON.stringify(result)}`);
}
