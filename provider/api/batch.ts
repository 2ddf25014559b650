import { availableParallelism } from "node:os";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settle: (result: Promise<Result>) => void;
}

/** The engine's default: four workers for each core. Whether this one has as many is not known. */
const usualWorkers = 4 * availableParallelism();

/** How long nobody must have come before a batch is sent, in milliseconds. */
const patience = {
  /** As many wait as the engine usually has workers. */
  allThere: 25,
  /** Fewer wait than are known to be there: mostly it is the end. */
  someMissing: 100,
  /** Nobody knows how many will come; or they are more than usual, which takes the engine longer to send. */
  unknown: 250,
};

/**
 * Gathers single requests into one, so that many deletes become one comma list. The callers are workers of the engine:
 * each sends the next request only when its last one is answered, and how many there are is not known. So a batch is
 * sent when nobody has come for a while; that tells how many workers there are, and from then on a batch is sent as
 * soon as all of them wait.
 */
export class Batcher<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<Result>;
  readonly #largest: number;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #workers: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (items: readonly Item[]) => Promise<Result>, { largest = 200 } = {}) {
    this.#send = send;
    this.#largest = largest;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve) => {
      this.#waiting.push({ item, settle: resolve });
      const seen = this.#waiting.length + this.#inFlight;
      if (this.#workers !== undefined) this.#workers = Math.max(this.#workers, seen);
      this.#sendIfComplete();
    });
  }

  #sendIfComplete(): void {
    clearTimeout(this.#timer);
    const count = this.#waiting.length;
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
    // When this process was held up, its timers come before those who have waited at its sockets: look again.
    this.#timer = setTimeout(() => {
      this.#workers ??= count;
      this.#flush();
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    const batch = this.#waiting.splice(0, this.#largest);
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
