/** Spaces requests evenly so that no more than `perSecond` leave in a second. */
export class RateLimit {
  readonly #intervalMs: number;
  #nextFreeAt = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** How many milliseconds the next request has to wait for its turn. */
  next(): number {
    const now = performance.now();
    const startAt = Math.max(now, this.#nextFreeAt);
    this.#nextFreeAt = startAt + this.#intervalMs;
    return startAt - now;
  }
}
