import { availableParallelism } from "node:os";
import { Quiet } from "./quiet";
import { defaultRetryPolicy } from "./retry";

interface Pending<Item, Result> {
  readonly item: Item;
  readonly settle: (result: Promise<Result>) => void;
}

/** The engine's default: four workers for each core. Whether this one has as many is not known. */
const usualWorkers = 4 * availableParallelism();

/** Of what one request may name. */
const largest = 200;

/**
 * How long no new request may have arrived before a batch is sent, in milliseconds. If the number of workers is unknown,
 * or higher than usual, which takes the engine longer to send, it is the whole patience.
 */
const pauses = {
  /** As many requests are pending as the engine usually has workers. */
  allThere: 25,
  /** Fewer are pending than there are known workers: usually these are the last ones. */
  someMissing: 100,
};

/**
 * Combines single requests into one, so that many deletes become one comma list. The callers are workers of the engine:
 * each sends its next request only after the last one is answered, and their number is unknown. So the first batch is
 * sent when no request has arrived for a while; its size is the number of workers, and from then on a batch is sent as
 * soon as all of them are waiting.
 */
export class Batcher<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<Result>;
  readonly #patienceMs: number;
  #quiet = new Quiet();
  #pending: Pending<Item, Result>[] = [];
  #inFlight = 0;
  #workers: number | undefined;

  constructor(send: (items: readonly Item[]) => Promise<Result>, patienceMs = defaultRetryPolicy.patienceMs) {
    this.#send = send;
    this.#patienceMs = patienceMs;
  }

  /** `workers`: how many there are, if that is known. */
  add(item: Item, workers?: number): Promise<Result> {
    return new Promise<Result>((resolve) => {
      this.#quiet.heard();
      this.#pending.push({ item, settle: resolve });
      const seen = this.#pending.length + this.#inFlight;
      const known = Math.max(this.#workers ?? 0, workers ?? 0);
      if (known > 0) this.#workers = Math.max(known, seen);
      this.#sendIfComplete();
    });
  }

  #sendIfComplete(): void {
    const batch = this.#pending;
    if (batch.length === 0) return;
    if (batch.length >= Math.min(this.#workers ?? largest, largest)) this.#flush();
    else if (this.#inFlight === 0) void this.#flushOnceQuiet(batch);
  }

  async #flushOnceQuiet(batch: readonly Pending<Item, Result>[]): Promise<void> {
    const count = batch.length;
    await this.#quiet.lasts(Math.min(this.#pauseAfter(count), this.#patienceMs));
    // Another one has come, and waits in its turn; or the batch is sent already.
    if (this.#pending !== batch || batch.length !== count) return;
    this.#workers ??= count;
    this.#flush();
  }

  #pauseAfter(count: number): number {
    if ((this.#workers ?? count) > usualWorkers) return this.#patienceMs;
    if (this.#workers !== undefined) return pauses.someMissing;
    return count === usualWorkers ? pauses.allThere : this.#patienceMs;
  }

  #flush(): void {
    const batch = this.#pending.splice(0, largest);
    // A new round: nobody goes on waiting for this one, and the time of an answer is not a gap between calls.
    this.#pending = [...this.#pending];
    this.#quiet = new Quiet();
    this.#inFlight += batch.length;
    const result = this.#send(batch.map(({ item }) => item));
    for (const { settle } of batch) settle(result);
    const done = (): void => {
      this.#inFlight -= batch.length;
      this.#sendIfComplete();
    };
    result.then(done, done);
  }
}
