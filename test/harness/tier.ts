/** Whether this is `npm run test:fast`, or that part of `npm test`. */
export const isFastTier = process.env["TEST_TIER"] === "fast";
export const sampled = <T>(all: readonly T[]): readonly T[] => all;
export const tries = (runs: number): number => runs;
