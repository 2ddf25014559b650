import { z } from "zod";
import type { Context } from "../../core/define";
import { ProgressLog, slowing } from "../../core/progress";
import { flag } from "../../values/simple";
import { seconds, waitInterval, waitSchema } from "../../values/wait";
import { Finder } from "./history";
import { kill } from "./kill";
import { endOfLog } from "./logs";
import { type CommandRecord, hasEnded, hasSucceeded, timestamp, wasKilled } from "./record";
import { type Ending, failed, interrupted, stillRunning } from "./wait-failure";
import { watchOf } from "./watch";

const defaultCommandTimeout = 129_600;
const defaultInterval = 5;
/** The platform checks for overdue commands once a minute, and they take a moment to end. */
const graceSeconds = 180;

const waitOptions = waitSchema({
  timeout: "Maximum time to wait, in seconds. Default: the command's own timeout plus three minutes.",
  interval: `Seconds between checks of the command: 1 to 3600. Default: ${defaultInterval}.`,
})
  .extend({
    timeout: seconds(Number.MAX_SAFE_INTEGER).optional().describe("Name of `timeoutSeconds` in version 0.1."),
    interval: waitInterval.optional().describe("Name of `intervalSeconds` in version 0.1."),
    killOnTimeout: flag.describe(
      "Whether to kill the command when the wait times out. Needs the extended API (`dataplatform:extendedApi`). Default: false.",
    ),
    killOnCancel: flag.describe(
      "Whether to kill the command when the wait is cancelled: by interrupting `pulumi up`, or by `customTimeouts`. Works in plugin mode only: in dynamic mode Pulumi does not pass these on to a provider. Needs the extended API (`dataplatform:extendedApi`). Default: false.",
    ),
  })
  .meta({ id: "CommandWait", description: "How to wait for a command to end." });

export const waitInput = z
  .union([z.boolean(), waitOptions])
  .optional()
  .describe(
    "Whether to wait until the command has ended, and how long. A command that ends otherwise than by success is an error. Default: false.",
  );
export type Wait = z.output<typeof waitInput>;
type WaitOptions = z.output<typeof waitOptions>;

/** The options that need the extended API. */
export function extendedWaitOptions(wait: Wait): ("wait.killOnTimeout" | "wait.killOnCancel")[] {
  const given = optionsOf(wait);
  const names = ["killOnTimeout", "killOnCancel"] as const;
  return names.filter((name) => given[name] === true).map((name) => `wait.${name}` as const);
}

function optionsOf(wait: Wait): WaitOptions {
  return typeof wait === "object" && wait !== null ? wait : {};
}

/** Returns the command once it has ended. Every error names the command's id: it has run, or is still running. */
export async function waitForEnd(
  context: Context,
  command: CommandRecord,
  wait: Exclude<Wait, false | undefined>,
  commandTimeout: number = defaultCommandTimeout,
): Promise<CommandRecord> {
  const given = optionsOf(wait);
  const timeout = given.timeoutSeconds ?? given.timeout ?? commandTimeout + graceSeconds;
  const interval = given.intervalSeconds ?? given.interval ?? defaultInterval;
  const watch = watchOf(context, command.id, createdAt(command));
  const progress = new ProgressLog(context.log, slowing);
  let latest = command;
  try {
    while (!hasEnded(latest) && progress.elapsedSeconds < timeout) {
      await context.api.pause(Math.max(0, Math.min(interval, timeout - progress.elapsedSeconds)) * 1000);
      latest = (await watch()) ?? latest;
      const { id, status, progress: done } = latest;
      const howFar = status === "running" ? ` (progress ${done ?? 0})` : "";
      progress.report((after) => `command ${id} ${status}${howFar} after ${after} s`, status);
    }
  } catch (error) {
    const killed = given.killOnCancel && context.api.isStopped ? await killAfterWait(context, latest) : undefined;
    throw interrupted(latest, error as Error, killed);
  }
  if (!hasEnded(latest)) {
    const killed = given.killOnTimeout ? await killAfterWait(context, latest) : undefined;
    if (!endedByItself(killed)) throw stillRunning(latest, timeout, killed);
    latest = killed.command;
  }
  if (hasSucceeded(latest)) return latest;
  throw failed(latest, context.api.settings.extendedApi ? await endOfLog(context, latest.id) : undefined);
}

/** The whole kill, and the part of it that waits until the command has ended. */
const killLimitMs = 30_000;
const killWaitSeconds = 20;

/** Kills a command that nobody waits for any more, even if this operation was cancelled. Never throws. */
async function killAfterWait({ api, log, run }: Context, command: CommandRecord): Promise<Ending | undefined> {
  if (!api.settings.extendedApi) return undefined;
  const uncancelled = api.afterStop(killLimitMs);
  const context = { api: uncancelled, log, run };
  // Its own finder: shared reads end with the cancellation.
  const watch = watchOf(context, command.id, createdAt(command), new Finder(uncancelled));
  try {
    return await kill(context, command.id, watch, killWaitSeconds);
  } catch (error) {
    return { outcome: "failed", reason: (error as Error).message, command };
  }
}

function endedByItself(killed: Ending | undefined): killed is Ending & { command: CommandRecord } {
  return killed?.outcome === "ended" && killed.command !== undefined && !wasKilled(killed.command);
}

function createdAt(command: CommandRecord): string | undefined {
  return timestamp(command.created_at ?? command.submit_time);
}
