import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { readAnswer } from "./answer";
import { leavesOutcomeOpen, outcomeIsOpen, PlatformError, stopAfter, stopped } from "./errors";
import type { Operation } from "./operations";
import { Outage } from "./outage";
import { fillPath, type PathParameters, queryString } from "./path";
import { RateLimit } from "./rate-limit";
import { complaintIn, refusalOf } from "./refusal";
import { defaultRetryPolicy, delayBefore, mayRetry, parseRetryAfter, type RetryPolicy } from "./retry";
import type { Settings } from "./settings";
import { type RawAnswer, Transport } from "./transport";

export interface Call<Template extends string, Answer> {
  /** The values of the path template. */
  readonly path?: PathParameters<Template>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, also with GET and DELETE where the API asks for it. */
  readonly body?: unknown;
  /** Schema of a successful response, in JSON unless it is `rawText`. Undocumented fields are accepted. */
  readonly answer: z.ZodType<Answer>;
}

interface LookUp<Result> {
  /** Finds what a request with an open outcome created. */
  readonly lookUp: () => Promise<Result | undefined>;
  /** How many times to look: the platform may show new records late. The pauses double. */
  readonly looks: number;
}

/** The API client: sends a request with retries and a timeout, and parses its response or its error. */
export class Client {
  readonly settings: Settings;
  readonly #transport: Transport;
  readonly #retry: RetryPolicy;
  readonly #rate: RateLimit | undefined;
  readonly #shared = new Map<unknown, unknown>();
  readonly #signal: AbortSignal | undefined;
  readonly #root: Client;

  constructor(
    settings: Settings,
    retry: Partial<RetryPolicy> = {},
    signal?: AbortSignal,
    root?: Client,
    rate = settings.requestsPerSecond > 0 ? new RateLimit(settings.requestsPerSecond) : undefined,
  ) {
    this.settings = settings;
    this.#signal = signal;
    this.#root = root ?? this;
    this.#retry = root ? root.#retry : { ...defaultRetryPolicy, retries: settings.retries, ...retry };
    this.#transport = root ? root.#transport : new Transport(settings);
    this.#rate = root ? root.#rate : rate;
  }

  /**
   * The same client, with its pool and its shared reads, for work that can be cancelled: from then on no wait and no
   * retry starts or continues. A write in flight is awaited, because its result must be recorded.
   */
  withSignal(signal: AbortSignal | undefined): Client {
    const both = combined(signal, this.#signal);
    return both === this.#signal ? this : new Client(this.settings, {}, both, this.#root);
  }

  /** A client for the token of another account, within the same rate limit and bound to the same cancellation. */
  forToken(apiToken: string): Client {
    const others = this.shared(makeOthers);
    // Each account gets only a few requests, so one connection is enough.
    const settings = { ...this.settings, apiToken, connections: 1 };
    const client = others.get(apiToken) ?? new Client(settings, this.#retry, undefined, undefined, this.#rate);
    others.set(apiToken, client);
    return client.withSignal(this.#signal);
  }

  /**
   * The same client for what must still be sent after a cancellation, such as killing a command that nobody waits for
   * any more. It stops by itself after `limitMs`.
   */
  afterStop(limitMs: number): Client {
    return new Client(this.settings, {}, stopAfter(limitMs), this.#root);
  }

  /** The same client for a delete, of which no state can keep a part: it goes on for 10 s after a cancellation. */
  lingering(): Client {
    return this.#signal ? new Client(this.settings, {}, stopAfter(10_000, this.#signal), this.#root) : this;
  }

  /** The same client for what can be left undone: it stops after `limitMs`, and at once while the platform is out of reach. */
  within(limitMs: number): Client {
    return this.withSignal(combined(stopAfter(limitMs), this.outage.signal));
  }

  get outage(): Outage {
    return this.shared(makeOutage);
  }

  /** For a `Batcher`. */
  get patienceMs(): number {
    return this.#retry.patienceMs;
  }

  get isStopped(): boolean {
    return this.#signal?.aborted ?? false;
  }

  throwIfStopped(): void {
    if (this.isStopped) throw stopped(this.#signal);
  }

  /** One operation, within one budget of attempts and time. Retries only what was not done or may be done twice. */
  async call<Template extends string, Answer>(
    operation: Operation<Template>,
    call: Call<Template, Answer>,
  ): Promise<Answer> {
    const { profile } = this.settings;
    const template = profile ? (profile.pathOf(operation) as Template) : operation.path;
    const { query, body: content } = profile ? profile.written(operation, call) : call;
    const path = fillPath(template, (call.path ?? {}) as PathParameters<Template>) + queryString(query);
    const body = content === undefined ? undefined : JSON.stringify(content);
    return this.#withRetries(operation, async () =>
      readAnswer(operation, await this.#send(operation, path, body), call.answer),
    );
  }

  /**
   * The response as it came, whatever its status and form: for those who examine the platform itself. It is retried
   * like any other request; the last response counts, even if it asks for another retry.
   */
  async exchange<Template extends string>(
    operation: Operation<Template>,
    { headers, ...call }: Omit<Call<Template, unknown>, "answer"> & { readonly headers?: Record<string, string> },
  ): Promise<RawAnswer> {
    const path = fillPath(operation.path, (call.path ?? {}) as PathParameters<Template>) + queryString(call.query);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    let last: RawAnswer | undefined;
    try {
      return await this.#withRetries(operation, async () => {
        last = undefined;
        last = await this.#send(operation, path, body, headers);
        if (last.status < 400) return last;
        throw refusalOf(operation, last.status, complaintIn(last.text), parseRetryAfter(last.retryAfter));
      });
    } catch (error) {
      if (last && !this.isStopped) return last;
      throw error;
    }
  }

  /**
   * A request that must not be carried out twice. If its outcome is open, it is looked up and never sent again. What is
   * not found may still appear, so that is an error too.
   */
  async callOnce<Template extends string, Answer, Result>(
    operation: Operation<Template>,
    { lookUp, looks, ...call }: Call<Template, Answer> & LookUp<Result>,
  ): Promise<Answer | Result> {
    try {
      return await this.call(operation, call);
    } catch (error) {
      if (!leavesOutcomeOpen(error)) throw error;
      return await this.#lookUp(error, { lookUp, looks });
    }
  }

  /** Something that is created once per client, such as a shared read or a batch of deletes. */
  shared<T>(make: (client: Client) => T): T {
    const shared = this.#root.#shared;
    if (!shared.has(make)) shared.set(make, make(this.#root));
    return shared.get(make) as T;
  }

  /** For work that is shared or can be abandoned: a cancelled caller stops waiting for it. */
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

  async pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, this.#signal ? { signal: this.#signal } : {});
    } catch (error) {
      throw stopped(this.#signal, error);
    }
  }

  /** The pause before a further attempt (0 = the first) at something that took several requests. */
  backOff(attempt: number): Promise<void> {
    return this.pause(delayBefore(attempt, undefined, this.#retry));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #send(
    { method }: Operation,
    path: string,
    body: string | undefined,
    headers?: Record<string, string>,
  ): Promise<RawAnswer> {
    const waitMs = this.#rate?.next() ?? 0;
    if (waitMs > 0) await this.pause(waitMs);
    this.throwIfStopped();
    // A read may be aborted in flight; the result of a write must be recorded.
    return this.#transport.send(method, path, body, method === "GET" ? this.#signal : undefined, headers);
  }

  async #withRetries<T>(operation: Operation, send: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    const giveUpAt = begunAt + this.#retry.budgetMs;
    let earlier: PlatformError | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await send();
        this.outage.answered();
        return answer;
      } catch (caught) {
        const last = named(operation, caught, attempt);
        const error = afterEarlier(last, earlier);
        const delay = delayBefore(attempt, error.retryAfterMs, this.#retry);
        const timeLeft = giveUpAt - performance.now();
        // Judged by this attempt alone: a 429 or a failed connection after a lost response is worth a retry too.
        // A platform that throttles, or is in maintenance, says that it will answer: that needs more patience.
        const retries = this.#retry.retries * (last.code === "throttled" || last.status === 503 ? 4 : 1);
        const isLast = attempt >= retries || !mayRetry(operation, last) || delay > timeLeft;
        this.outage.failed(last, begunAt, isLast);
        if (isLast) throw withoutEffect(operation, error);
        earlier = leavesOutcomeOpen(error) ? error : (earlier ?? error);
        await this.pause(delay).catch((cause: unknown) => {
          throw afterEarlier(cause as PlatformError, error);
        });
      }
    }
  }

  async #lookUp<Result>(lost: PlatformError, { lookUp, looks }: LookUp<Result>): Promise<Result> {
    let problem: Error | undefined;
    for (let look = 0; look < looks && !problem; look++) {
      try {
        await this.pause(delayBefore(look, undefined, this.#retry));
        const found = await lookUp();
        if (found !== undefined) return found;
      } catch (error) {
        problem = error as Error;
      }
    }
    const why = problem ? `looking it up also failed: ${problem.message}` : "it is not visible on the platform yet";
    throw lost.with(`${lost.message}. ${outcomeIsOpen}: ${why}`, { code: "outcome-unknown", cause: problem ?? lost });
  }
}

const makeOthers = (): Map<string, Client> => new Map();
const makeOutage = (): Outage => new Outage();

function combined(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  // Usually they are the same one, and combining signals costs more than the rest of a call.
  return a && b && a !== b ? AbortSignal.any([a, b]) : (a ?? b);
}

/** An earlier attempt whose outcome is open stays open, whatever became of the later ones. */
export function afterEarlier(error: PlatformError, earlier: PlatformError | undefined): PlatformError {
  if (!earlier || error === earlier) return error;
  if (error.code === "cancelled") {
    const open = earlier.outcome === "open" ? `. ${outcomeIsOpen}` : "";
    return error.with(`${error.message}; before that: ${earlier.message}${open}`, { outcome: earlier.outcome });
  }
  // A refused retry was not carried out itself, which says nothing about the first attempt.
  if (earlier.outcome !== "open" || error.outcome === "open") return error;
  return error.with(`${error.message}. An earlier attempt may have succeeded: its response was lost`, {
    outcome: "open",
  });
}

/** A read that failed leaves nothing open: whatever became of it, it changed nothing. */
function withoutEffect({ method }: Operation, error: PlatformError): PlatformError {
  return method === "GET" && error.outcome === "open" ? error.with(error.message, { outcome: "refused" }) : error;
}

/** Every error says what was being done, and how many times it was tried if more than once. */
function named(operation: Operation, caught: unknown, attempt: number): PlatformError {
  if (!(caught instanceof PlatformError)) {
    return new PlatformError(
      `could not ${operation.does}: ${caught instanceof Error ? caught.message : String(caught)}`,
      { code: "rejected", outcome: "open", cause: caught },
    );
  }
  const tries = attempt > 0 ? ` (tried ${attempt + 1} times)` : "";
  return caught.with(`could not ${operation.does}: ${caught.message}${tries}`);
}
