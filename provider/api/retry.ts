import { isPlatformError, type PlatformError } from "./errors";
import type { Operation } from "./operations";

export interface RetryPolicy {
  /** Maximum number of retries. */
  readonly retries: number;
  /** Total time for one request with all its retries. */
  readonly budgetMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** The longest wait for what else one request could do or read. */
  readonly patienceMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  retries: 5,
  budgetMs: 180_000,
  firstDelayMs: 250,
  longestDelayMs: 20_000,
  patienceMs: 250,
};

/** Whether to retry: what was not done, and what has an open outcome if the operation is idempotent. */
export function mayRetry({ ifOpen }: Pick<Operation, "ifOpen">, error: PlatformError): boolean {
  if (error.code === "cancelled") return false;
  if (error.outcome === "not-sent") return error.code === "unreachable" || error.code === "timeout";
  if (error.outcome === "refused") return error.code === "throttled";
  return (
    ifOpen === "repeat" && (isPlatformError(error, "server-error", "timeout", "connection-lost") || isGarbled(error))
  );
}

/** A response that is not JSON at all comes from a proxy, and may be gone on the next attempt. */
function isGarbled(error: PlatformError): boolean {
  return error.code === "bad-answer" && error.cause instanceof SyntaxError;
}

/**
 * Milliseconds before a retry (0 = the first): exponential backoff with jitter, and Retry-After before it if given. The
 * platform tells all callers the same time, and those that come back together are refused together.
 */
export function delayBefore(
  attempt: number,
  retryAfterMs: number | undefined,
  policy: RetryPolicy,
  random = Math.random,
): number {
  const ceiling = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** attempt);
  if (retryAfterMs !== undefined) return retryAfterMs + random() * ceiling;
  // Never less than half: jitter spreads the callers, and must not hammer a server that needs a pause.
  return ceiling / 2 + random() * (ceiling / 2);
}

/** Reads a Retry-After header: seconds, or an HTTP date. */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
