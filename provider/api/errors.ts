/** Stable codes: programs and tests may rely on them, messages may be reworded. */
export type ErrorCode =
  | "config" // a setting is missing or wrong
  | "invalid-path" // a value cannot be a path segment
  | "unauthorized" // 401
  | "forbidden" // 403
  | "not-found" // 404
  | "conflict" // 409
  | "rejected" // any other 4xx
  | "throttled" // 429, or a lock, until the retries ran out
  | "server-error" // 5xx, and the 4xx that ask for a retry
  | "unreachable" // no connection: nothing was sent
  | "connection-lost" // the connection broke after the request was sent
  | "timeout" // no response in time
  | "redirected" // 3xx: never followed, because that would forward the token
  | "bad-answer" // not JSON, or JSON of another shape
  | "answer-too-large"
  | "wrong-account" // the token belongs to another account than the resource
  | "outcome-unknown" // a request was sent, its response was lost, and nothing tells whether it was carried out
  | "cancelled";

/**
 * What became of a request. Decided once, where the answer is read:
 * - `not-sent`: nothing left this machine;
 * - `refused`: the platform said that it did not do it;
 * - `open`: everything else. It may have been carried out, or may yet be.
 */
export type Outcome = "not-sent" | "refused" | "open";

/**
 * The form of a refusal: one of the two that the specification shows, other JSON, which platforms and gateways send, a
 * page, as a proxy would show one, or anything else, such as a text or nothing. The specification does not show how
 * missing things are refused.
 */
export type Form = "specified" | "json" | "page" | "other";

interface ErrorDetails {
  readonly code: ErrorCode;
  /** Default: `refused`. */
  readonly outcome?: Outcome | undefined;
  /** The HTTP status, or the status inside the body where that is the one that refuses. */
  readonly status?: number | undefined;
  /** What the platform itself said. */
  readonly platformMessage?: string | undefined;
  readonly form?: Form | undefined;
  /** How long the platform asks to wait before a retry. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The one error class of the provider: says what failed, on what, why, and what to do next. */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly platformMessage: string | undefined;
  readonly form: Form | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "PlatformError";
    this.code = details.code;
    this.outcome = details.outcome ?? "refused";
    this.status = details.status;
    this.platformMessage = details.platformMessage;
    this.form = details.form;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the response is certainly the platform's, rather than a page from a proxy. */
  get fromPlatform(): boolean {
    return this.form === "specified";
  }

  /** The same error with another message, and other details where given. */
  with(message: string, changes: Partial<ErrorDetails> = {}): PlatformError {
    return new PlatformError(message, { ...this, cause: this.cause, ...changes });
  }
}

export function isPlatformError(error: unknown, ...codes: ErrorCode[]): error is PlatformError {
  return error instanceof PlatformError && (codes.length === 0 || codes.includes(error.code));
}

/** The same error, with what else to know about it. */
export function withNote(error: Error, note: string): Error {
  return isPlatformError(error) ? error.with(`${error.message}. ${note}`) : error;
}

/** Whether a request may have been carried out although its response was lost. */
export function leavesOutcomeOpen(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.outcome === "open";
}

/** For work that cannot be looked up: adds that the outcome is unknown, and how to find out. */
export function outcomeUnknown(error: unknown, howToFindOut: string): unknown {
  if (!leavesOutcomeOpen(error)) return error;
  const saysSo = error.code === "outcome-unknown";
  const message = saysSo ? error.message : `${error.message}. ${outcomeIsOpen}`;
  return error.with(`${message}. ${howToFindOut}`, { code: "outcome-unknown", cause: error });
}

export const outcomeIsOpen = "The request was sent, but its outcome is unknown";

/** The error of cancelled work, with the reason that was given for cancelling it. */
export function stopped(signal: AbortSignal | undefined, cause?: unknown): PlatformError {
  const why = signal?.reason instanceof PlatformError ? signal.reason.message : "the operation was cancelled";
  return new PlatformError(why, { code: "cancelled", outcome: "not-sent", cause });
}

/** Cancels work by itself, when the time is over. It begins now, or when another signal cancels, whose reason it gives. */
export function stopAfter(limitMs: number, after?: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const tooLate = new PlatformError(`not done within ${limitMs / 1000} s`, { code: "timeout" });
  const why = () => (isPlatformError(after?.reason) ? after.reason : tooLate);
  const begin = () => setTimeout(() => limit.abort(why()), limitMs).unref();
  if (!after || after.aborted) begin();
  else after.addEventListener("abort", begin, { once: true });
  return limit.signal;
}
