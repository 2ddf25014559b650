import { inParallel } from "../../provider/api/parallel";

interface StatusStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A transient status line on a terminal; prints nothing when the output is not a terminal. */
export class StatusLine {
  readonly #stream: StatusStream;
  readonly #live: boolean;

  constructor(stream: StatusStream = process.stderr) {
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
    let done = 0;
    if (items.length > 0) this.say(`${what}: 0 of ${items.length}`);
    try {
      await inParallel([...items.entries()], parallel, async ([index, item]) => {
        results[index] = await work(item, index);
        this.say(`${what}: ${++done} of ${items.length}`);
        return true;
      });
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
