import { setTimeout as sleep } from "node:timers/promises";

interface Snapshot<T> {
  readonly startedAt: number;
  readonly result: Promise<T>;
  settled: boolean;
}

const longestRestMs = 25;

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
  #writes = 0;
  #whenWritten: (() => void) | undefined;
  #gathering: Promise<void> | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;

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

  /** A write: while it is under way, `afterWrites` waits for it. */
  async writing<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#writes++;
    try {
      return await write();
    } finally {
      this.written();
      if (--this.#writes === 0) this.#whenWritten?.();
    }
  }

  /**
   * A snapshot that shows everything written, and one for many: eight writes side by side are followed by one read, not
   * by one each. So it waits for the writes under way, unless one takes long, and leaves as much time between two reads
   * as the first one took: a long list is asked for less often than a short one.
   */
  async afterWrites(): Promise<T> {
    this.#gathering ??= this.#gather().finally(() => {
      this.#gathering = undefined;
    });
    await this.#gathering;
    return this.fresh();
  }

  async #gather(): Promise<void> {
    const rest = this.#restUntil - performance.now();
    if (rest > 0) await sleep(rest);
    if (this.#writes === 0) return;
    const written = new Promise<void>((resolve) => {
      this.#whenWritten = resolve;
    });
    await Promise.race([written, sleep(this.#patienceMs)]);
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
        const now = performance.now();
        this.#restUntil = now + Math.min(longestRestMs, now - snapshot.startedAt);
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
