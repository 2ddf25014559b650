import type { Log } from "./define";

/** Tells how far a long piece of work is: a line every few seconds, and none at all when it is quick. */
export class Progress {
  readonly #log: Log;
  readonly #say: (done: number) => string;
  readonly #everyMs: number;
  readonly #now: () => number;
  #done = 0;
  #saidAt: number;

  constructor(log: Log, say: (done: number) => string, { everyMs = 5000, now = () => performance.now() } = {}) {
    this.#log = log;
    this.#say = say;
    this.#everyMs = everyMs;
    this.#now = now;
    this.#saidAt = now();
  }

  step(): void {
    this.#done++;
    if (this.#now() - this.#saidAt < this.#everyMs) return;
    this.#saidAt = this.#now();
    this.#log.info(this.#say(this.#done));
  }
}
