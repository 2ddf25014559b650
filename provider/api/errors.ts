/** Stable codes: programs and tests may rely on them, messages may be reworded. */
export type ErrorCode =
  | "config" // a setting is missing or wrong
  | "invalid-path" // a value cannot be a path segment
  | "unauthorized" // 401
  | "forbidden" // 403
  | "not-found" // 404
  | "conflict" // 409
  | "rejected" // any other 4xx
  | "throttled" // 429 until the retries ran out
  | "server-error" // 5xx
  | "unreachable" // no connection could be made: nothing was sent
  | "connection-lost" // the connection broke after the request was sent
  | "timeout" // no answer in time
  | "redirected" // 3xx: never followed, the token would go with it
  | "bad-answer" // not JSON, or JSON of another shape
  | "answer-too-large"
  | "outcome-unknown" // a POST was sent and its answer was lost
  | "cancelled";

export interface ErrorDetails {
  readonly code: ErrorCode;
  /** What was being done, in words: "add a whitelisted IP". */
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** What the platform itself said. */
  readonly platformMessage?: string | undefined;
  /** Whether the answer had the form of the platform's own errors, and is no page of something in between. */
  readonly fromPlatform?: boolean | undefined;
  readonly cause?: unknown;
}

/** The one error class of the provider: says what failed, on what, why, and what to do next. */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly platformMessage: string | undefined;
  readonly fromPlatform: boolean;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "PlatformError";
    this.code = details.code;
    this.operation = details.operation;
    this.status = details.status;
    this.platformMessage = details.platformMessage;
    this.fromPlatform = details.fromPlatform ?? false;
  }
}

export function isPlatformError(error: unknown, ...codes: ErrorCode[]): error is PlatformError {
  return error instanceof PlatformError && (codes.length === 0 || codes.includes(error.code));
}

/** The platform's clear word that something is not there. A 404 of a proxy, or of a wrong address, is none. */
export function saysItIsGone(error: unknown): error is PlatformError {
  return isPlatformError(error, "not-found") && error.fromPlatform;
}

/** Errors after which a request may have been carried out although nobody heard the answer. */
export function leavesOutcomeOpen(error: unknown): error is PlatformError {
  return isPlatformError(
    error,
    "server-error",
    "connection-lost",
    "timeout",
    "bad-answer",
    "answer-too-large",
    "redirected",
  );
}

/** For a POST whose work cannot be looked up: says honestly that the outcome is not known, and how to find out. */
export function outcomeUnknown(error: unknown, howToFindOut: string): unknown {
  if (!leavesOutcomeOpen(error)) return error;
  const { message, operation, status, platformMessage } = error as PlatformError;
  return new PlatformError(
    `${message}. The request was sent, and whether it was carried out is unknown; nothing was recorded. ${howToFindOut}`,
    {
      code: "outcome-unknown",
      operation,
      status,
      platformMessage,
      cause: error,
    },
  );
}

/** The error of work that was told to stop: why, in the words of whoever did it. */
export function stopped(signal: AbortSignal | undefined, cause?: unknown): PlatformError {
  const why = signal?.reason instanceof PlatformError ? signal.reason.message : "the operation was cancelled";
  return new PlatformError(why, { code: "cancelled", cause });
}
