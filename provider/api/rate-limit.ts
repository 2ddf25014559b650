import { setTimeout as sleep } from "node:timers/promises";
import { stopped } from "./errors";

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
    if (startAt <= now) return;
    try {
      await sleep(startAt - now, undefined, signal ? { signal } : {});
    } catch (error) {
      throw stopped(signal, error);
    }
  }
}
