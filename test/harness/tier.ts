import { describe, test } from "vitest";

/** Whether this is `npm run test:fast`, which leaves the engine and the long sweeps out. */
export const isFastTier = process.env["TEST_TIER"] === "fast";

/** Tests that start the engine, in a file whose other tests do not. A file of its own is named `*.engine.test.ts`. */
export const describeOnEngine = (isFastTier ? leaveOut : describe) as typeof describe;
export const testOnEngine = (isFastTier ? leaveOut : test) as typeof test;

function leaveOut(): void {}
leaveOut.each = () => leaveOut;
