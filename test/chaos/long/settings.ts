import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What `npm run chaos` asks for, told by environment variables. */
export const wanted = {
  seed: Number(process.env["CHAOS_SEED"] ?? 1),
  operations: Number(process.env["CHAOS_OPERATIONS"] ?? 10_000),
  /** Every n-th call only, for a quick look; 1 is all of them. */
  killStride: Number(process.env["CHAOS_KILL_STRIDE"] ?? 1),
};

/** Keeps what a run found, for the page of results. */
export function keepResult(name: string, result: unknown): void {
  const folder = process.env["CHAOS_RESULTS"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 1)}\n`);
}

/** Whether this is the long form, whose results are kept; the short one is part of `npm test`. */
export const isLong = process.env["CHAOS_RESULTS"] !== undefined;
