import { z } from "zod";
import { anyAnswer } from "../../api/answer";
import { isPlatformError, PlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import { clip } from "../../api/refusal";
import type { Context } from "../../core/define";
import { ProgressLog, slowing } from "../../core/progress";
import type { Id } from "../../values/id";
import { flag } from "../../values/simple";
import { seconds, waitInterval, waitSchema } from "../../values/wait";
import { actOn } from "../lacking";
import { type CommandWatch, Finder, watchOf } from "./history";
import { type CommandRecord, createdAt, hasEnded, hasSucceeded, resourcePaths, wasKilled } from "./record";
import { endOfLog } from "./results";

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

export function extendedWaitOptions(wait: Wait): ("wait.killOnTimeout" | "wait.killOnCancel")[] {
  const given = optionsOf(wait);
  const names = ["killOnTimeout", "killOnCancel"] as const;
  return names.filter((name) => given[name] === true).map((name) => `wait.${name}` as const);
}

const optionsOf = (wait: Wait): WaitOptions => (typeof wait === "object" && wait !== null ? wait : {});

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
    if (killed?.outcome !== "ended" || wasKilled(killed.command)) throw stillRunning(latest, timeout, killed);
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

/** What became of a command when it was to be killed at the end of a wait. */
type Ending = Killed | { readonly outcome: "failed"; readonly reason: string; readonly command: CommandRecord };

/** Carries the command as it was last seen. */
export class WaitFailure extends PlatformError {
  /** `said`: the platform's words within the message. */
  constructor(
    message: string,
    code: PlatformError["code"],
    readonly command: CommandRecord,
    said = logOf(command),
  ) {
    const end = said?.includes("\n") && message.endsWith(said) ? "\n" : ". ";
    const { logsResource, resultsResource } = resourcePaths(command);
    // As platformMessage, so that it is redacted: the platform's log may quote the submitted inputs.
    super(`${message}${end}Logs: ${logsResource}; results: ${resultsResource}`, { code, platformMessage: said });
    this.name = "WaitFailure";
  }
}

/** For a resource, which submits its command once. */
export function withWayOut(error: Error): Error {
  if (!(error instanceof WaitFailure) || !hasEnded(error.command)) return error;
  const advice = 'To submit it again, change a value in triggers, or run "pulumi up --replace" of this resource';
  return error.with(`${error.message}. ${advice}`);
}

function stillRunning(command: CommandRecord, timeout: number, killed?: Ending): WaitFailure {
  const { id, status } = command;
  const message = `timed out after ${timeout} s (wait.timeoutSeconds) waiting for command ${id}, last seen with status ${status}. ${killed ? whatBecame(killed) : "The command is not stopped"}; raise wait.timeoutSeconds to wait longer`;
  return new WaitFailure(message, "timeout", killed?.command ?? command);
}

function interrupted(command: CommandRecord, error: Error, killed?: Ending): WaitFailure {
  const { id, status } = command;
  const message = `stopped waiting for command ${id}: ${error.message}. The command was submitted, was last seen with status ${status}${killed ? `. ${whatBecame(killed)}` : ", and keeps running"}`;
  const code = error instanceof PlatformError ? error.code : "rejected";
  return new WaitFailure(message, code, killed?.command ?? command);
}

export function failed(command: CommandRecord, log?: string): WaitFailure {
  const said = reasonOf(command, log);
  const reason = said ? `: ${said}` : "";
  const unknown = hasEnded({ status: command.status }) ? "" : ", a word that the provider does not know for a success";
  const message = `command ${command.id} ended with status ${command.status}${unknown}${reason}`;
  return new WaitFailure(message, "rejected", command, said);
}

function whatBecame(ending: Ending): string {
  const status = ending.command?.status ?? "unknown";
  switch (ending.outcome) {
    case "ended":
      return wasKilled({ status }) ? "The command was killed" : `The command ended by itself with status ${status}`;
    case "accepted":
      return `The platform accepted the kill, but ${ending.command ? `the command still has status ${status}` : "does not show what became of the command"}`;
    case "lacking":
      return "The command could not be killed, because the platform does not allow that, and keeps running";
    case "gone":
      return "The command could not be killed, because the platform does not know it any more";
    case "failed":
      return `Killing it failed (${ending.reason}), so it may keep running`;
  }
}

/** Why the command failed: what its record says, and the end of its log. */
function reasonOf(command: CommandRecord, log: string | undefined): string | undefined {
  const recorded = logOf(command);
  if (log === undefined) return recorded;
  // The record may hold the columns of the results instead, or repeat the log.
  const isNew = recorded !== undefined && !/^\s*[[{]/.test(recorded) && !log.includes(recorded);
  return `${isNew ? `${recorded}; ` : ""}the end of its log:\n${log}`;
}

function logOf({ qlog }: CommandRecord): string | undefined {
  return typeof qlog === "string" && qlog !== "" ? clip(qlog) : undefined;
}

/** What became of a command that was to be killed, and the command as it was last seen, if the platform showed it. */
type Killed =
  /** By the kill or by itself. */
  | { readonly outcome: "ended"; readonly command: CommandRecord }
  /** `accepted`: it had not ended yet. `lacking`: this installation cannot kill. `gone`: the platform does not know it. */
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
