import type { Client } from "../api/client";
import { type ErrorCode, isPlatformError, leavesOutcomeOpen, outcomeIsOpen, PlatformError } from "../api/errors";
import { inParallel } from "../api/parallel";

/** What became of a change of several things. */
export interface Changes<T> {
  readonly done: readonly T[];
  /** Nobody knows whether these were carried out. */
  readonly open: readonly T[];
  /** Those of the added ones that somebody else has added meanwhile. */
  readonly alreadyThere?: readonly T[];
  /** Absent if everything was done. */
  readonly error?: PlatformError | undefined;
}

interface Failure<T> {
  readonly one: T;
  readonly error: Error;
}

/** What became of each, before anything is said about it. */
export interface Attempts<T> extends Pick<Changes<T>, "done" | "open"> {
  readonly failures: readonly Failure<T>[];
  /** How many were not attempted, because of a failure that would affect them too, or a cancellation. */
  readonly untried: number;
}

/** Changes each by a request of its own, several at once. `aboutOne`: refusals that concern only one of them. */
export async function changeEach<T>(
  api: Client,
  things: readonly T[],
  aboutOne: readonly ErrorCode[],
  change: (one: T) => Promise<unknown>,
  { atOnce = api.settings.connections }: { readonly atOnce?: number } = {},
): Promise<Attempts<T>> {
  const done: T[] = [];
  const failures: Failure<T>[] = [];
  await inParallel(things, atOnce, async (one) => {
    if (api.isStopped) return false;
    try {
      await change(one);
      done.push(one);
      return true;
    } catch (error) {
      failures.push({ one, error: error as Error });
      return isPlatformError(error, ...aboutOne);
    }
  });
  const open = failures.filter(({ error }) => leavesOutcomeOpen(error)).map(({ one }) => one);
  return { done, open, failures, untried: things.length - done.length - failures.length };
}

const maxReasons = 3;

/** What to say if not all of it was done. Undefined if it was. */
export function failureOf<T>(
  { failures, untried }: Pick<Attempts<T>, "failures" | "untried">,
  { change, total, things }: { readonly change: string; readonly total: number; readonly things: string },
): PlatformError | undefined {
  if (failures.length + untried === 0) return undefined;
  const reasons = failures.slice(0, maxReasons).map(({ one, error }) => `${one}: ${error.message}`);
  const more = failures.length > maxReasons ? [`and ${failures.length - maxReasons} more`] : [];
  const cancelled = failures.length === 0 ? ", because the run was cancelled" : "";
  const rest = untried > 0 ? [`${untried} not attempted${cancelled}`] : [];
  const errors = failures.map(({ error }) => error).filter((error) => isPlatformError(error));
  const cause = errors.find(leavesOutcomeOpen) ?? errors[0];
  // What was refused, or is not there, stays so until the program or the platform changes.
  const isFinal = failures.length > 0 && errors.every((error) => isPlatformError(error, "not-found", "rejected"));
  const isNothingDone = errors.length + untried === total && !errors.some(leavesOutcomeOpen);
  const advice = isNothingDone
    ? `${isFinal ? "Correct that, and run" : "Run"} the command again`
    : "What was done stays; run the command again to finish";
  const message = `could not ${change} ${failures.length + untried} of ${total} ${things}: ${[...reasons, ...more, ...rest].join("; ")}. ${advice}`;
  return cause?.with(message) ?? new PlatformError(message, { code: failures.length > 0 ? "rejected" : "cancelled" });
}

/** For a change of several in one request, or in few: these tell in `done` what went well before a failure. */
export async function changeTogether<T>(
  things: readonly T[],
  change: (done: T[]) => Promise<unknown>,
): Promise<Changes<T>> {
  const done: T[] = [];
  try {
    await change(done);
    return { done: things, open: [] };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    if (!leavesOutcomeOpen(error)) return { done, open: [], error };
    // What is left may have been carried out: the response was lost.
    const open = things.filter((one) => !done.includes(one));
    const advice = `${outcomeIsOpen}. It is kept in the state; run the command again to retry`;
    return { done, open, error: error.with(`${error.message}. ${advice}`) };
  }
}
