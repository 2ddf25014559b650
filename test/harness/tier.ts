import { describe, test } from "vitest";

/** Whether this is `npm run test:fast`, which leaves out the engine and the browser, and takes samples of the long sweeps. */
export const isFastTier = process.env["TEST_TIER"] === "fast";

/** Tests that start the engine, in a file whose other tests do not. A file of its own is named `*.engine.test.ts`. */
export const describeOnEngine = (isFastTier ? leaveOut : describe) as typeof describe;
export const testOnEngine = (isFastTier ? leaveOut : test) as typeof test;

/** Tests that start a browser. */
export const describeInBrowser = describeOnEngine;
export const testInBrowser = testOnEngine;

function leaveOut(): void {}
leaveOut.each = () => leaveOut;
