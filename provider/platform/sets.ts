import type { Client } from "../api/client";
import { type ErrorCode, isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { inParallel } from "../api/parallel";
import type { Context } from "../core/define";
import { enumerate } from "../values/enumerate";

/** What belongs to one parent, such as the addresses of an account: changes of several at once, and what must stay. */

export interface Failure<T> {
  readonly one: T;
  readonly error: Error;
}

/** What became of a change of several things. */
export interface Changes<T> {
  readonly done: readonly T[];
  /** Nobody knows whether these were carried out. */
  readonly open: readonly T[];
  readonly failures: readonly Failure<T>[];
  /** How many were not attempted, because of a failure that would affect them too, or a cancellation. */
  readonly untried: number;
}

/** Changes each by a request of its own, in parallel. `aboutOne`: refusals that concern only one of them. */
export async function changeEach<T>(
  api: Client,
  things: readonly T[],
  aboutOne: readonly ErrorCode[],
  change: (one: T) => Promise<unknown>,
): Promise<Changes<T>> {
  const done: T[] = [];
  const failures: Failure<T>[] = [];
  await inParallel(things, api.settings.connections, async (one) => {
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
  { failures, untried }: Pick<Changes<T>, "failures" | "untried">,
  { change, total, things }: { readonly change: string; readonly total: number; readonly things: string },
): PlatformError | undefined {
  if (failures.length + untried === 0) return undefined;
  const reasons = failures.slice(0, maxReasons).map(({ one, error }) => `${one}: ${error.message}`);
  const more = failures.length > maxReasons ? [`and ${failures.length - maxReasons} more`] : [];
  const cancelled = failures.length === 0 ? ", because the run was cancelled" : "";
  const rest = untried > 0 ? [`${untried} not attempted${cancelled}`] : [];
  const message = `could not ${change} ${failures.length + untried} of ${total} ${things}: ${[...reasons, ...more, ...rest].join("; ")}. What was done stays; run the command again to finish`;
  const errors = failures.map(({ error }) => error).filter((error) => isPlatformError(error));
  const cause = errors.find(leavesOutcomeOpen) ?? errors[0];
  return cause?.with(message) ?? new PlatformError(message, { code: failures.length > 0 ? "rejected" : "cancelled" });
}

/** Without what another resource of this run declares, which must stay. `where`: `in group 204`. */
export function notDeclaredElsewhere<T>(
  /** Absent where the same is said later. */
  log: Context["log"] | undefined,
  things: readonly T[],
  where: string,
  keeperOf: (one: T) => string | undefined,
  nameOf: (one: T) => string = String,
): T[] {
  const keepers = things.map(keeperOf);
  const staying = things.flatMap((one, index) =>
    keepers[index] === undefined ? [] : [`${nameOf(one)} (${keepers[index]})`],
  );
  if (staying.length > 0) log?.info(`left ${where} because this run declares it elsewhere: ${enumerate(staying, 10)}`);
  return things.filter((_, index) => keepers[index] === undefined);
}
