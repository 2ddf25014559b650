import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { parse, type Refusal, refusal } from "./answer";
import { leavesOutcomeOpen, PlatformError, stopped } from "./errors";
import type { Operation } from "./operations";
import { fillPath, type PathParameters } from "./path";
import { RateLimit } from "./rate-limit";
import { defaultRetryPolicy, delayBefore, mayRetry, type RetryPolicy } from "./retry";
import type { Settings } from "./settings";
import { Transport } from "./transport";

export interface Call<Template extends string, Answer> {
  /** The values of the path template. */
  readonly path?: PathParameters<Template>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, also with GET and DELETE where the API asks for it. */
  readonly body?: unknown;
  /** The shape of a good answer. Fields the document does not show are let through. */
  readonly answer: z.ZodType<Answer>;
  /** Whether a DELETE that finds nothing when it is repeated has done its work the first time. Default: true. */
  readonly goneIsDone?: boolean;
  /** Beside the client's own: ends the waits between repetitions, and a GET that is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** The API's client: one request with its retries, its time-out, its parsed answer and its clear error. */
export class Client {
  readonly settings: Settings;
  readonly #transport: Transport;
  readonly #retry: RetryPolicy;
  readonly #rate: RateLimit | undefined;
  readonly #shared = new Map<unknown, unknown>();
  readonly #signal: AbortSignal | undefined;
  readonly #root: Client;

  constructor(settings: Settings, retry: Partial<RetryPolicy> = {}, signal?: AbortSignal, root?: Client) {
    this.settings = settings;
    this.#signal = signal;
    this.#root = root ?? this;
    if (root) {
      this.#retry = root.#retry;
      this.#transport = root.#transport;
      this.#rate = root.#rate;
    } else {
      this.#retry = { ...defaultRetryPolicy, retries: settings.retries, ...retry };
      this.#transport = new Transport(settings);
      this.#rate = settings.requestsPerSecond > 0 ? new RateLimit(settings.requestsPerSecond) : undefined;
    }
  }

  /**
   * The same client, its pool and all that it shares, for work that may be told to stop: no wait and no repetition
   * begins or goes on after that. A request under way is awaited, because what it makes must be recorded.
   */
  withSignal(signal: AbortSignal | undefined): Client {
    const both = either(signal, this.#signal);
    return both === this.#signal ? this : new Client(this.settings, {}, both, this.#root);
  }

  async call<Template extends string, Answer>(
    operation: Operation<Template>,
    call: Call<Template, Answer>,
  ): Promise<Answer> {
    const path = fillPath(operation.path, (call.path ?? {}) as PathParameters<Template>) + queryString(call.query);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const torn = operation.method === "GET" ? call.signal : undefined;
    return this.#withRetries(operation, call.signal, async (attempt) => {
      await this.#rate?.turn(call.signal);
      const answer = await this.#transport.send(operation.method, path, body, torn);
      // The first try did the work and its answer was lost: what is not there any more has been deleted.
      if (operation.method === "DELETE" && answer.status === 404 && attempt > 0 && call.goneIsDone !== false)
        return parse(operation, "{}", call.answer, true);
      if (answer.status >= 300) throw refusal(operation, answer);
      return parse(operation, answer.text, call.answer);
    });
  }

  /**
   * A POST that must not be carried out twice. When its answer is lost, `lookUp` tells whether the work was done: what
   * it finds is the result, and only when it finds nothing is the request sent again.
   */
  async callOnce<Template extends string, Answer, Result>(
    operation: Operation<Template>,
    call: Call<Template, Answer> & {
      readonly lookUp: () => Promise<Result | undefined>;
      /** Whether the request may be sent again after this error. Default: always. */
      readonly mayRepeat?: (error: PlatformError) => boolean;
    },
  ): Promise<Answer | Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.call(operation, call);
      } catch (error) {
        if (!leavesOutcomeOpen(error)) throw error;
        await this.pause(delayBefore(attempt, undefined, this.#retry), call.signal);
        // Also after the last try: what was done then would be lost otherwise.
        const found = await call.lookUp().catch((cause: unknown) => {
          throw notLookedUp(error, cause);
        });
        if (found !== undefined) return found;
        if (attempt >= this.#retry.retries || call.mayRepeat?.(error) === false) throw error;
      }
    }
  }

  /** Something that belongs to this client and is made once: a shared read, a batch of deletes. */
  shared<T>(make: (client: Client) => T): T {
    const shared = this.#root.#shared;
    if (!shared.has(make)) shared.set(make, make(this.#root));
    return shared.get(make) as T;
  }

  /** For work that others share, or that may be dropped: whoever is told to stop waits no longer for it. */
  async untilStopped<T>(work: Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (!signal) return work;
    let stop = (): void => undefined;
    const whenStopped = new Promise<never>((_, reject) => {
      stop = () => reject(stopped(signal));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop);
    });
    try {
      return await Promise.race([work, whenStopped]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    const stop = either(signal, this.#signal);
    try {
      await sleep(ms, undefined, stop ? { signal: stop } : {});
    } catch (error) {
      throw stopped(stop, error);
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #withRetries<T>(
    operation: Operation,
    signal: AbortSignal | undefined,
    send: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const giveUpAt = performance.now() + this.#retry.budgetMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await send(attempt);
      } catch (caught) {
        const error = named(operation, caught, attempt);
        const delay = delayBefore(attempt, (caught as Refusal).retryAfterMs, this.#retry);
        const timeLeft = giveUpAt - performance.now();
        if (attempt >= this.#retry.retries || !mayRetry(operation.method, error) || delay > timeLeft) throw error;
        await this.pause(delay, signal);
      }
    }
  }
}

function either(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  // Mostly they are the same one, and a joined signal costs more than the rest of a call.
  return a && b && a !== b ? AbortSignal.any([a, b]) : (a ?? b);
}

/** Both are to be told: the answer that was lost, and why nobody knows what became of the request. */
function notLookedUp(lost: PlatformError, cause: unknown): unknown {
  if (!(cause instanceof PlatformError) || cause.code === "outcome-unknown" || cause.code === "cancelled") return cause;
  return new PlatformError(
    `${lost.message}. Whether it was carried out is unknown, because looking it up failed too: ${cause.message}`,
    { code: "outcome-unknown", operation: lost.operation, status: lost.status, cause },
  );
}

function queryString(query: Call<string, unknown>["query"]): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** Every error says what was being done; how often it was tried, if more than once; and, for a POST, what may have happened. */
function named(operation: Operation, caught: unknown, attempt: number): PlatformError {
  if (!(caught instanceof PlatformError)) {
    return new PlatformError(
      `could not ${operation.does}: ${caught instanceof Error ? caught.message : String(caught)}`,
      { code: "rejected", operation: operation.does, cause: caught },
    );
  }
  const tries = attempt > 0 ? ` (tried ${attempt + 1} times)` : "";
  const { code, status, platformMessage, fromPlatform, cause } = caught;
  return new PlatformError(`could not ${operation.does}: ${caught.message}${tries}`, {
    code,
    status,
    platformMessage,
    fromPlatform,
    cause,
    operation: operation.does,
  });
}
