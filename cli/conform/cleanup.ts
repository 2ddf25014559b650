import type { PlatformError } from "../../provider/api/errors";
import { statusText } from "./forms";

/** Something that could not be removed, although it should. Contains no secret. */
export interface LeftBehind {
  readonly what: string;
  readonly why: string;
}

export interface Step {
  readonly what: string;
  /** Returns why something is left that should not be. */
  readonly undo: () => Promise<string | undefined>;
}

/** The undo was one request, which the platform may have refused. */
export const undoneUnless = (error: PlatformError | undefined, request: string): string | undefined =>
  error && `${request} was refused (${statusText(error)})`;

/** What a run has to remove, newest first: a group before the roles that it has. */
export class Cleanup {
  readonly #steps = new Set<Step>();
  /** What cannot be removed, and was announced before. */
  readonly stayed = new Set<string>();

  /** Noted before the request that creates the thing, so that a lost answer leaves nothing behind. */
  add(step: Step): void {
    this.#steps.add(step);
  }

  /** It is gone already, or was never created. */
  done(step: Step): void {
    this.#steps.delete(step);
  }

  stays(what: string): void {
    this.stayed.add(what);
  }

  /** Undoes everything that is left, also after an error: one failure does not stop the rest. */
  async run(): Promise<LeftBehind[]> {
    const left: LeftBehind[] = [];
    for (const { what, undo } of [...this.#steps].reverse()) {
      const why = await undo().catch((error: Error) => error.message);
      if (why !== undefined) left.push({ what, why });
    }
    return left;
  }
}
