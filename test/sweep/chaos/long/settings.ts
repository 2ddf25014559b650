/** The options of `npm run chaos`, passed as environment variables. */
export const wanted = {
  seed: Number(process.env["CHAOS_SEED"] ?? 1),
  /** How many seeds of the random programs without the engine, for each API. */
  seeds: Number(process.env["CHAOS_SEEDS"] ?? 200),
  /** Kill only at every n-th call, for a quick run; 1 means every call. */
  killStride: Number(process.env["CHAOS_KILL_STRIDE"] ?? 1),
};

/** Whether this is the long form; the short form is part of `npm test`. */
export const isLong = process.env["CHAOS_LONG"] !== undefined;

/** Says in one line what a long run found. `npm run chaos` repeats these lines at its end. */
export function summarise(name: string, result: unknown): void {
  if (isLong) console.log(`result ${name}: ${JSON.stringify(result)}`);
}
