/** Gathers single requests that come close together into one, so that many deletes become one comma list. */
export class Batcher<Item, Result> {
  readonly #send: (items: readonly Item[]) => Promise<Result>;
  readonly #windowMs: number;
  readonly #largest: number;
  #waiting: { readonly item: Item; readonly settle: (result: Promise<Result>) => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (items: readonly Item[]) => Promise<Result>, { windowMs = 20, largest = 200 } = {}) {
    this.#send = send;
    this.#windowMs = windowMs;
    this.#largest = largest;
  }

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve) => {
      this.#waiting.push({ item, settle: resolve });
      if (this.#waiting.length >= this.#largest) this.#flush();
      // Each newcomer prolongs the window a little: a burst that trickles in is still one request.
      else this.#schedule();
    });
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), this.#windowMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const result = this.#send(batch.map(({ item }) => item));
    for (const { settle } of batch) settle(result);
  }
}
