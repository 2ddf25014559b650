interface Gathering {
  count: number;
  readonly over: Promise<void>;
  end(): void;
}

interface Snapshot<T> {
  readonly startedAt: number;
  readonly result: Promise<T>;
  settled: boolean;
}

/**
 * One read for all that ask at the same time. A refresh of a thousand addresses asks a thousand times for one list, a
 * few at once; a snapshot of the list is good for all of them until this process writes something, or it gets old.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #maxAgeMs: number;
  readonly #patienceMs: number;
  #latest: Snapshot<T> | undefined;
  #next: Promise<T> | undefined;
  /** Reads that started before this moment do not show our own last write. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writers = 0;
  #mostWriters = 0;
  #gathering: Gathering | undefined;

  constructor(read: () => Promise<T>, { maxAgeMs = 30_000, patienceMs = 50 } = {}) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#patienceMs = patienceMs;
  }

  /** A snapshot that shows everything this process has written. */
  fresh(): Promise<T> {
    return this.#newerThan(this.#writtenAt);
  }

  /** A young snapshot, whether or not it shows our own latest writes. */
  recent(): Promise<T> {
    return this.#newerThan(Number.NEGATIVE_INFINITY);
  }

  /** To be called when a write has been answered: what was read before it no longer shows the truth. */
  written(): void {
    this.#writtenAt = performance.now();
  }

  /** A write, of which `afterWrites` then knows. */
  async writing<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#writers++;
    this.#mostWriters = Math.max(this.#mostWriters, this.#writers);
    try {
      return await write();
    } finally {
      this.written();
      this.#writers--;
    }
  }

  /**
   * A snapshot that shows everything written, and one for many writers: a list of all there is costs the platform more
   * the longer it gets, and who adds a thousand must not ask for it a thousand times. So a writer waits a moment for the
   * others, and no longer once as many wait as were ever seen side by side.
   */
  async afterWrites(): Promise<T> {
    this.#writers++;
    const others = this.#gathering ?? gathering(this.#patienceMs);
    this.#gathering = others;
    others.count++;
    if (others.count >= this.#mostWriters) others.end();
    await others.over;
    if (this.#gathering === others) this.#gathering = undefined;
    this.#writers--;
    return this.fresh();
  }

  #newerThan(moment: number): Promise<T> {
    const latest = this.#latest;
    if (!latest) return this.#start();
    const young = performance.now() - latest.startedAt <= this.#maxAgeMs;
    if (young && latest.startedAt > moment) return latest.result;
    if (latest.settled) return this.#start();
    // One read at a time: those who need a newer one than that under way share the one after it.
    const start = () => this.#start();
    this.#next ??= latest.result.then(start, start);
    return this.#next;
  }

  #start(): Promise<T> {
    this.#next = undefined;
    const snapshot: Snapshot<T> = { startedAt: performance.now(), result: this.#read(), settled: false };
    this.#latest = snapshot;
    snapshot.result.then(
      () => {
        snapshot.settled = true;
      },
      () => {
        // A failed read is no snapshot: the next one who asks tries again.
        snapshot.settled = true;
        if (this.#latest === snapshot) this.#latest = undefined;
      },
    );
    return snapshot.result;
  }
}

function gathering(longestMs: number): Gathering {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMs);
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { count: 0, over, end };
}
