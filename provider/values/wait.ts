import { z } from "zod";

interface Words {
  readonly timeout: string;
  readonly longestTimeout?: number;
  readonly interval: string;
}

/** How to wait for something on the platform: spelled the same wherever there is something to wait for. */
export function waitSchema({ timeout, longestTimeout = Number.MAX_SAFE_INTEGER, interval }: Words) {
  return z.strictObject({
    timeoutSeconds: seconds(longestTimeout).optional().describe(timeout),
    intervalSeconds: pause.optional().describe(interval),
  });
}

const pause = z
  .number()
  .min(1, "must be at least 1: asking more often would burden the platform")
  .max(3600, "must be at most 3600, an hour");

export const waitInterval = pause;

export function seconds(longest: number) {
  return z.number().positive("must be more than 0").max(longest, `must be at most ${longest}`);
}
