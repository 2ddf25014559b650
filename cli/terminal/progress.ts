export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A transient status line on a terminal; prints nothing when the output is not a terminal. */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #live: boolean;

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
    this.#live = stream.isTTY === true && process.env["TERM"] !== "dumb";
  }

  say(text: string): void {
    if (!this.#live) return;
    const width = (this.#stream.columns ?? 80) - 1;
    this.#stream.write(`\r\x1b[2K${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
  }

  /** Runs work on many items with limited concurrency, and shows how many are done. */
  async each<T, R>(
    what: string,
    items: readonly T[],
    parallel: number,
    work: (item: T, index: number) => Promise<R>,
  ): Promise<R[]> {
    const results = new Array<R>(items.length);
    let next = 0;
    let done = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < items.length; index = next++) {
        results[index] = await work(items[index]!, index);
        this.say(`${what}: ${++done} of ${items.length}`);
      }
    };
    if (items.length > 0) this.say(`${what}: 0 of ${items.length}`);
    try {
      await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
    } finally {
      this.end();
    }
    return results;
  }

  async during<R>(what: string, work: () => Promise<R>): Promise<R> {
    this.say(`${what} …`);
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  end(): void {
    if (this.#live) this.#stream.write("\r\x1b[2K");
  }
}
