import { setTimeout as sleep } from "node:timers/promises";

/** Spaces requests evenly so that no more than `perSecond` leave in a second. */
export class RateLimit {
  readonly #intervalMs: number;
  #nextFreeAt = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  async turn(signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    const startAt = Math.max(now, this.#nextFreeAt);
    this.#nextFreeAt = startAt + this.#intervalMs;
    if (startAt > now) await sleep(startAt - now, undefined, signal ? { signal } : {});
  }
}
