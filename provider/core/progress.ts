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

/** The pauses between two lines about a wait grow, so that one of a day takes a screen and not a book. */
const shortestPauseSeconds = 10;
const longestPauseSeconds = 3600;

/** Tells what a wait has come to: at once when something has changed, and less and less often while nothing does. */
export class WaitProgress {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #startedAt: number;
  #last: string | undefined;
  #nextAt = 0;
  #pause = shortestPauseSeconds;

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Seconds since the wait began. */
  get waited(): number {
    return (this.#now() - this.#startedAt) / 1000;
  }

  /** `stage`: what is waited for now. The same stage again is told only now and then. */
  tell(stage: string, say: (seconds: number) => string): void {
    if (stage === this.#last && this.waited < this.#nextAt) return;
    if (stage === this.#last) this.#pause = Math.min(this.#pause * 2, longestPauseSeconds);
    this.#last = stage;
    this.#nextAt = this.waited + this.#pause;
    this.#log.info(say(Math.round(this.waited)));
  }
}
