import { z } from "zod";

interface Descriptions {
  readonly timeout: string;
  readonly longestTimeout?: number;
  readonly interval: string;
}

/** Shared, so that every resource with a wait has the same options. */
export function waitSchema({ timeout, longestTimeout = Number.MAX_SAFE_INTEGER, interval }: Descriptions) {
  return z.strictObject({
    timeoutSeconds: seconds(longestTimeout).optional().describe(timeout),
    intervalSeconds: waitInterval.optional().describe(interval),
  });
}

export const waitInterval = z
  .number()
  .min(1, "must be at least 1, so as not to overload the platform")
  .max(3600, "must be at most 3600 (an hour)");

export function seconds(longest: number) {
  return z.number().positive("must be greater than 0").max(longest, `must be at most ${longest}`);
}
