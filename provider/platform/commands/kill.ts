import { anyAnswer } from "../../api/answer";
import { isPlatformError, PlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import { ProgressLog, slowing } from "../../core/progress";
import type { Id } from "../../values/id";
import { actOn } from "../lacking";
import type { CommandWatch } from "./history";
import { type CommandRecord, hasEnded } from "./record";

/** What became of a command that was to be killed. */
export type Killed =
  /** It has ended, by the kill or by itself. */
  | { readonly outcome: "ended"; readonly command: CommandRecord }
  /**
   * - `accepted`: the platform accepted the kill, but the command had not ended when it was last seen;
   * - `lacking`: this installation cannot kill a command;
   * - `gone`: the platform does not know the command.
   *
   * Its command is absent if the platform did not show it.
   */
  | { readonly outcome: "accepted" | "lacking" | "gone"; readonly command: CommandRecord | undefined };

const pollSeconds = 1;

/** Kills a command that has not ended, and waits a limited time until it has. */
export async function kill(context: Context, id: Id, watch: CommandWatch, limitSeconds: number): Promise<Killed> {
  // A token may be allowed to kill a command and not to see it.
  const look = () => watch().catch(undefinedIfForbidden);
  const before = await look();
  if (before && hasEnded(before)) return { outcome: "ended", command: before };
  const sent = isStopping(before) ? "done" : await send(context, id, watch);
  if (sent !== "done") return { outcome: sent, command: before };
  const progress = new ProgressLog(context.log, slowing);
  for (let latest = before; ; ) {
    latest = (await look()) ?? latest;
    if (latest && hasEnded(latest)) return { outcome: "ended", command: latest };
    if (!latest || progress.elapsedSeconds >= limitSeconds) return { outcome: "accepted", command: latest };
    const { status } = latest;
    progress.report((after) => `killing command ${id}: ${status} after ${after} s`, status);
    await context.api.pause(pollSeconds * 1000);
  }
}

/** A command takes a moment to end, and a destroy should not take much longer. */
const destroyLimitSeconds = 60;

/** Kills a command that is destroyed, and says what became of it. `status`: as it was last seen. */
export async function killAndReport(context: Context, id: Id, watch: CommandWatch, status: string) {
  const { log } = context;
  const { outcome, command } = await kill(context, id, watch, destroyLimitSeconds);
  const latest = command?.status ?? status;
  if (outcome === "gone") log.warn(`command ${id} was not killed: the platform does not know it any more`);
  if (outcome === "ended") log.info(`command ${id} has ended with status ${latest}`);
  if (outcome !== "accepted") return { outcome, status: latest };
  const after = `${latest} after ${destroyLimitSeconds} s`;
  if (!command) log.warn(`command ${id} was killed, but the platform does not show what became of it`);
  else if (isStopping(command))
    log.warn(`command ${id} was killed, but is still ${after}; the platform is stopping it`);
  else
    throw new PlatformError(
      `command ${id} was not stopped: the platform accepted the kill, but its status is still ${after}. Run this again; to let the command run, set onDestroy to "keep" and run "pulumi up" first`,
      { code: "timeout" },
    );
  return { outcome, status: latest };
}

function undefinedIfForbidden(error: unknown): undefined {
  if (!isPlatformError(error, "forbidden")) throw error;
}

async function send(context: Context, id: Id, watch: CommandWatch): Promise<"done" | "gone" | "lacking"> {
  const operation = extendedOperations.cancelCommand;
  const put = () => context.api.call(operation, { path: { id }, body: { status: "kill" }, answer: anyAnswer });
  try {
    return await actOn(context, operation, put, async () => (await watch()) ?? "gone");
  } catch (error) {
    // It may have ended just before, or the response to an attempt that reached the platform was lost.
    const now = await watch().catch(() => undefined);
    if (isStopping(now)) return "done";
    throw error;
  }
}

/** It ends, or has ended, without another request. */
function isStopping(command: CommandRecord | undefined): boolean {
  return command !== undefined && (command.status === "cancelling" || hasEnded(command));
}
