import { Batcher } from "./batch";

interface Snapshot<T> {
  readonly startedAt: number;
  readonly result: Promise<T>;
  settled: boolean;
}

/**
 * One read for all callers that ask at the same time. Refreshing 1,000 addresses asks 1,000 times for one list, a few at
 * a time; one snapshot serves them all until this process writes something, or the snapshot expires.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #maxAgeMs: number;
  #latest: Snapshot<T> | undefined;
  #next: Promise<T> | undefined;
  /** Reads that started before this moment do not show our own last write. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writers = 0;
  #mostWriters = 0;
  /** Writers that wait for each other. */
  readonly #done: Batcher<undefined, void>;

  constructor(
    read: () => Promise<T>,
    { maxAgeMs = 30_000, patienceMs }: { readonly maxAgeMs?: number; readonly patienceMs?: number } = {},
  ) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#done = new Batcher<undefined, void>(async () => undefined, patienceMs);
  }

  /** A snapshot that shows everything this process has written. */
  fresh(): Promise<T> {
    return this.#newerThan(this.#writtenAt);
  }

  /** A recent snapshot, whether or not it shows our own latest writes. */
  recent(): Promise<T> {
    return this.#newerThan(Number.NEGATIVE_INFINITY);
  }

  /** A new snapshot, for what the last one may have been too early to show. */
  again(): Promise<T> {
    this.written();
    return this.fresh();
  }

  /** Call it when a write has been answered: earlier snapshots are stale. */
  written(): void {
    this.#writtenAt = performance.now();
  }

  /** Runs a write, and counts it for `afterWrites`. */
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
   * A snapshot that shows everything written, shared by many writers: a full list costs the platform more the longer it
   * gets, and adding 1,000 addresses must not list 1,000 times. So a writer waits a moment for the others, but no longer
   * once as many are waiting as were ever seen in parallel.
   */
  async afterWrites(): Promise<T> {
    this.#writers++;
    await this.#done.add(undefined, this.#mostWriters);
    this.#writers--;
    return this.fresh();
  }

  #newerThan(moment: number): Promise<T> {
    const latest = this.#latest;
    if (!latest) return this.#start();
    const isRecent = performance.now() - latest.startedAt <= this.#maxAgeMs;
    if (isRecent && latest.startedAt > moment) return latest.result;
    if (latest.settled) return this.#start();
    // One read at a time: callers that need a newer one than the read in flight share the next.
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
        // A failed read is not a snapshot: the next caller tries again.
        snapshot.settled = true;
        if (this.#latest === snapshot) this.#latest = undefined;
      },
    );
    return snapshot.result;
  }
}
