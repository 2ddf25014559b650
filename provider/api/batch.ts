import { availableParallelism } from "node:os";

interface Pending<Item, Result> {
  readonly item: Item;
  readonly settle: (result: Promise<Result>) => void;
}

/** The engine's default: four workers for each core. Whether this one has as many is not known. */
const usualWorkers = 4 * availableParallelism();

/** How long no new request may have arrived before a batch is sent, in milliseconds. */
const patience = {
  /** As many requests are pending as the engine usually has workers. */
  allThere: 25,
  /** Fewer are pending than there are known workers: usually these are the last ones. */
  someMissing: 100,
  /** The number of workers is unknown, or higher than usual, which takes the engine longer to send. */
  unknown: 250,
};

/**
 * Combines single requests into one, so that many deletes become one comma list. The callers are workers of the engine:
 * each sends its next request only after the last one is answered, and their number is unknown. So the first batch is
 * sent when no request has arrived for a while; its size is the number of workers, and from then on a batch is sent as
 * soon as all of them are waiting.
 */
export class Batcher<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<Result>;
  readonly #largest: number;
  #pending: Pending<Item, Result>[] = [];
  #inFlight = 0;
  #workers: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (items: readonly Item[]) => Promise<Result>, { largest = 200 } = {}) {
    this.#send = send;
    this.#largest = largest;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve) => {
      this.#pending.push({ item, settle: resolve });
      const seen = this.#pending.length + this.#inFlight;
      if (this.#workers !== undefined) this.#workers = Math.max(this.#workers, seen);
      this.#sendIfComplete();
    });
  }

  #sendIfComplete(): void {
    clearTimeout(this.#timer);
    const count = this.#pending.length;
    if (count === 0) return;
    if (count >= Math.min(this.#workers ?? this.#largest, this.#largest)) this.#flush();
    else if (this.#inFlight === 0) this.#timer = setTimeout(() => this.#flushQuiet(count), this.#patience(count));
  }

  #patience(count: number): number {
    if ((this.#workers ?? count) > usualWorkers) return patience.unknown;
    if (this.#workers !== undefined) return patience.someMissing;
    return count === usualWorkers ? patience.allThere : patience.unknown;
  }

  #flushQuiet(count: number): void {
    // After a stall, timers fire before pending socket reads, so check once more.
    this.#timer = setTimeout(() => {
      this.#workers ??= count;
      this.#flush();
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    const batch = this.#pending.splice(0, this.#largest);
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
