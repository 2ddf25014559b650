import type { Client } from "../../provider/api/client";

/** Something that could not be removed, although it should. Contains no secret. */
export interface LeftBehind {
  readonly what: string;
  readonly why: string;
}

/** What became of an undo: nothing is left, something stays as announced, or something stays that should not. */
export type Undone = undefined | { readonly stays: string } | { readonly failed: string };

export interface Step {
  readonly what: string;
  readonly undo: (client: Client) => Promise<Undone>;
}

/** What a run has to remove, newest first: a group before the roles that it has. */
export class Cleanup {
  readonly #steps: Step[] = [];
  readonly #stays: string[] = [];

  /** Noted before the request that creates the thing, so that a lost answer leaves nothing behind. */
  add(what: string, undo: Step["undo"]): Step {
    const step = { what, undo };
    this.#steps.push(step);
    return step;
  }

  /** It is gone already, or was never created. */
  done(step: Step): void {
    const at = this.#steps.indexOf(step);
    if (at !== -1) this.#steps.splice(at, 1);
  }

  /** Something that cannot be removed, and was announced before. */
  stays(what: string): void {
    if (!this.#stays.includes(what)) this.#stays.push(what);
  }

  get stayed(): readonly string[] {
    return this.#stays;
  }

  /** Undoes everything that is left, also after an error: one failure does not stop the rest. */
  async run(client: Client): Promise<LeftBehind[]> {
    const left: LeftBehind[] = [];
    for (const { what, undo } of this.#steps.splice(0).reverse()) {
      const undone = await undo(client).catch((error: unknown) => ({
        failed: error instanceof Error ? error.message : "an error",
      }));
      if (undone && "stays" in undone) this.stays(undone.stays);
      else if (undone) left.push({ what, why: undone.failed });
    }
    return left;
  }
}
