import type { Log } from "./define";

interface Pace {
  /** Work that is done before the first pause is over logs nothing. */
  readonly isQuietAtFirst: boolean;
  /** The pauses double, from the first to the longest. */
  readonly firstPauseSeconds: number;
  readonly longestPauseSeconds: number;
}

/** For work that takes seconds: a line now and then. */
export const steady: Pace = { isQuietAtFirst: true, firstPauseSeconds: 5, longestPauseSeconds: 5 };

/** For a wait, which may take a day: less and less often, so that it fills a screen and not a book. */
export const slowing: Pace = { isQuietAtFirst: false, firstPauseSeconds: 10, longestPauseSeconds: 3600 };

/** Logs how far a long piece of work is: at once when its stage changes, else at its pace. */
export class ProgressLog {
  readonly #log: Log;
  readonly #longestPause: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  #stage: string | undefined;
  #pause: number;
  #nextAt: number;

  constructor(log: Log, pace: Pace, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#longestPause = pace.longestPauseSeconds;
    this.#now = now;
    this.#startedAt = now();
    this.#stage = pace.isQuietAtFirst ? "" : undefined;
    this.#pause = pace.firstPauseSeconds;
    this.#nextAt = pace.firstPauseSeconds;
  }

  get elapsedSeconds(): number {
    return (this.#now() - this.#startedAt) / 1000;
  }

  report(line: (seconds: number) => string, stage = ""): void {
    const elapsed = this.elapsedSeconds;
    if (stage === this.#stage) {
      if (elapsed < this.#nextAt) return;
      this.#pause = Math.min(this.#pause * 2, this.#longestPause);
    }
    this.#stage = stage;
    this.#nextAt = elapsed + this.#pause;
    this.#log.info(line(Math.round(elapsed)));
  }
}
