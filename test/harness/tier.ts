import { describe, test } from "vitest";

/** Whether this is `npm run test:fast`, which leaves out the engine and the browser, and takes samples of the long sweeps. */
export const isFastTier = process.env["TEST_TIER"] === "fast";

/** Tests that start the engine, in a file whose other tests do not. A file of its own is named `*.engine.test.ts`. */
export const describeOnEngine = (isFastTier ? leaveOut : describe) as typeof describe;
export const testOnEngine = (isFastTier ? leaveOut : test) as typeof test;

/** A third of them in the fast tier, for what is the same for every one. */
export function sampled<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => !isFastTier || index % 3 === 0);
}

/** How often a property is tried: a fifth of it in the fast tier. */
export function tries(runs: number): number {
  return isFastTier ? Math.ceil(runs / 5) : runs;
}

/** Tests that start npm, which takes seconds. */
export const testWithNpm = testOnEngine;

/** Tests that start a browser. */
export const describeInBrowser = describeOnEngine;
export const testInBrowser = testOnEngine;

function leaveOut(): void {}
leaveOut.each = () => leaveOut;
