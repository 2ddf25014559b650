import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The options of `npm run chaos`, passed as environment variables. */
export const wanted = {
  seed: Number(process.env["CHAOS_SEED"] ?? 1),
  operations: Number(process.env["CHAOS_OPERATIONS"] ?? 10_000),
  /** Kill only at every n-th call, for a quick run; 1 means every call. */
  killStride: Number(process.env["CHAOS_KILL_STRIDE"] ?? 1),
};

/** Saves a run's result for the results page. */
export function keepResult(name: string, result: unknown): void {
  const folder = process.env["CHAOS_RESULTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 1)}\n`);
}

/** Whether this is the long form, whose results are saved; the short form is part of `npm test`. */
export const isLong = process.env["CHAOS_RESULTS"] !== undefined;
