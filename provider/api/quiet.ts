import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for the rest of what comes at about the same time, such as the engine's calls about one program: nothing says
 * which call is the last one, so it counts as the last when no other has come for a while. On a busy machine the calls
 * come with longer gaps, so the wait grows with the longest gap so far.
 */
export class Quiet {
  #lastHeard = Number.NEGATIVE_INFINITY;
  #longestGapMs = 0;

  heard(): void {
    const now = performance.now();
    const gapMs = now - this.#lastHeard;
    // A longer gap is a call that waited for something else.
    if (gapMs <= longestUsualGapMs) this.#longestGapMs = Math.max(this.#longestGapMs, gapMs);
    this.#lastHeard = now;
  }

  /** What comes next has waited for an answer until now. */
  answered(): void {
    this.#lastHeard = performance.now();
  }

  /** Until nothing was heard for so long, or for twice the longest gap. `elsewhere`: when other processes last heard. */
  async lasts(ms: number, elsewhere: () => number | undefined = () => undefined): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    const heardAt = () => Math.max(this.#lastHeard, elsewhere() ?? Number.NEGATIVE_INFINITY);
    for (;;) {
      const quietAt = Math.min(heardAt() + Math.max(ms, 2 * this.#longestGapMs), deadline);
      const leftMs = quietAt - performance.now();
      // After a stall, timers fire before pending socket reads: so once more, when these had their turn.
      await sleep(Math.max(leftMs, 0));
      if (leftMs <= 0 && performance.now() >= Math.min(heardAt() + ms, deadline)) return;
    }
  }
}

const longestUsualGapMs = 1000;
const longestWaitMs = 10_000;
