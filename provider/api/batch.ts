interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settle: (result: Promise<Result>) => void;
}

/**
 * Gathers single requests into one, so that many deletes become one comma list. The callers are workers of the engine:
 * each sends the next request only when its last one is answered, and how many there are is not known. So a batch is
 * sent when nobody has come for a while; that tells how many workers there are, and from then on a batch is sent as
 * soon as all of them wait.
 */
export class Batcher<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<Result>;
  readonly #quietMs: number;
  readonly #largest: number;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #workers = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (items: readonly Item[]) => Promise<Result>, { quietMs = 250, largest = 200 } = {}) {
    this.#send = send;
    this.#quietMs = quietMs;
    this.#largest = largest;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve) => {
      this.#waiting.push({ item, settle: resolve });
      const seen = this.#waiting.length + this.#inFlight;
      if (Number.isFinite(this.#workers)) this.#workers = Math.max(this.#workers, seen);
      this.#sendIfComplete();
    });
  }

  #sendIfComplete(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) return;
    if (this.#waiting.length >= Math.min(this.#workers, this.#largest)) this.#flush();
    else if (this.#inFlight === 0) this.#timer = setTimeout(() => this.#flushQuiet(), this.#quietMs);
  }

  #flushQuiet(): void {
    if (!Number.isFinite(this.#workers)) this.#workers = this.#waiting.length;
    this.#flush();
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
