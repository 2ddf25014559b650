import type { PlatformError } from "../../provider/api/errors";
import { statusText } from "./forms";

/** Something that could not be removed, although it should. Contains no secret. */
export interface LeftBehind {
  readonly what: string;
  readonly why: string;
}

/** What became of an undo: nothing is left, something stays as announced, or something stays that should not. */
export type Undone = undefined | { readonly stays: string } | { readonly failed: string };

/** The undo was one request, which the platform may have refused. */
export const undoneUnless = (error: PlatformError | undefined, request: string): Undone =>
  error && { failed: `${request} was refused (${statusText(error)})` };

export interface Step {
  readonly what: string;
  readonly undo: () => Promise<Undone>;
}

/** What a run has to remove, newest first: a group before the roles that it has. */
export class Cleanup {
  readonly #steps: Step[] = [];
  readonly #stays = new Set<string>();

  /** Noted before the request that creates the thing, so that a lost answer leaves nothing behind. */
  add(step: Step): void {
    this.#steps.push(step);
  }

  /** It is gone already, or was never created. */
  done(step: Step): void {
    const at = this.#steps.indexOf(step);
    if (at !== -1) this.#steps.splice(at, 1);
  }

  /** Something that cannot be removed, and was announced before. */
  stays(what: string): void {
    this.#stays.add(what);
  }

  get stayed(): readonly string[] {
    return [...this.#stays];
  }

  /** Undoes everything that is left, also after an error: one failure does not stop the rest. */
  async run(): Promise<LeftBehind[]> {
    const left: LeftBehind[] = [];
    for (const { what, undo } of this.#steps.splice(0).reverse()) {
      const undone = await undo().catch((error: Error) => ({ failed: error.message }));
      if (undone && "stays" in undone) this.stays(undone.stays);
      else if (undone) left.push({ what, why: undone.failed });
    }
    return left;
  }
}
