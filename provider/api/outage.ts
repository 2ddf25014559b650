import type { PlatformError } from "./errors";

/** How long a platform that could not be reached counts as such, unless it answers. */
const maxAgeMs = 30_000;
/** A connection that fails once may work a moment later. */
const doubtMs = 300;

/** Whether the platform can be reached at all, for work that can go on without it. Everything else tries and retries. */
export class Outage {
  #stop = new AbortController();
  #noticedAt = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isTold = false;

  /** Stops work that can do without the platform. */
  get signal(): AbortSignal {
    const isOld = performance.now() - this.#noticedAt > maxAgeMs;
    if (this.#stop.signal.aborted && isOld) this.#stop = new AbortController();
    return this.#stop.signal;
  }

  get isKnown(): boolean {
    return this.signal.aborted;
  }

  answered(): void {
    this.#answeredAt = performance.now();
    this.#isTold = false;
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  /** A request that began at this moment could not be sent. `isLast`: it is not tried again. */
  failed(error: PlatformError, begunAt: number, isLast: boolean): void {
    if (error.code === "unreachable" && (isLast || performance.now() - begunAt > doubtMs)) this.#notice(error);
  }

  /** Work that began at this moment has not been done in the time that it had. */
  gaveUp(error: PlatformError, begunAt: number): void {
    if (this.#answeredAt < begunAt) this.#notice(error);
  }

  /** True for the first who asks: one warning is enough for a run. */
  takeFirst(): boolean {
    const isFirst = !this.#isTold;
    this.#isTold = true;
    return isFirst;
  }

  #notice(error: PlatformError): void {
    if (this.isKnown) return;
    this.#noticedAt = performance.now();
    this.#stop.abort(error);
  }
}
