import { z } from "zod";
import { PlatformError } from "../../api/errors";
import { clip } from "../../api/refusal";
import type { Context } from "../../core/define";
import { ProgressLog, slowing } from "../../core/progress";
import { seconds, waitInterval, waitSchema } from "../../values/wait";
import { finderOf } from "./history";
import { type CommandRecord, hasEnded, resourcePaths, timestamp } from "./record";

const defaultCommandTimeout = 129_600;
const defaultInterval = 5;
/** The platform checks for overdue commands once a minute, and they take a moment to end. */
const graceSeconds = 180;

const waitOptions = waitSchema({
  timeout: "Maximum time to wait, in seconds. Default: the command's own timeout plus three minutes.",
  interval: `Seconds between checks of the history: 1 to 3600. Default: ${defaultInterval}.`,
})
  .extend({
    timeout: seconds(Number.MAX_SAFE_INTEGER).optional().describe("Name of `timeoutSeconds` in version 0.1."),
    interval: waitInterval.optional().describe("Name of `intervalSeconds` in version 0.1."),
  })
  .meta({ id: "CommandWait", description: "How to wait for a command to end." });

export const waitInput = z
  .union([z.boolean(), waitOptions])
  .optional()
  .describe(
    "Whether to wait until the command has ended, and how long. If it ends with `error` or `cancelled`, that is an error. Default: false.",
  );
export type Wait = z.output<typeof waitInput>;

/** Returns the command once it has ended. Every error names the command's id: it has run, or is still running. */
export async function waitForEnd(
  context: Context,
  command: CommandRecord,
  wait: Exclude<Wait, false | undefined>,
  commandTimeout: number = defaultCommandTimeout,
): Promise<CommandRecord> {
  const given = wait === true ? {} : wait;
  const timeout = given.timeoutSeconds ?? given.timeout ?? commandTimeout + graceSeconds;
  const interval = given.intervalSeconds ?? given.interval ?? defaultInterval;
  const progress = new ProgressLog(context.log, slowing);
  let latest = command;
  try {
    while (!hasEnded(latest.status)) {
      if (progress.elapsedSeconds >= timeout) throw stillRunning(latest, timeout);
      await context.api.pause(Math.max(0, Math.min(interval, timeout - progress.elapsedSeconds)) * 1000);
      latest = (await finderOf(context.api).byId(command.id, createdAt(command))) ?? latest;
      const { id, status, progress: percent } = latest;
      const done = status === "running" ? ` ${percent ?? 0} %` : "";
      progress.report((after) => `command ${id} ${status}${done} after ${after} s`, status);
    }
  } catch (error) {
    throw error instanceof WaitFailure ? error : interrupted(latest, error as Error);
  }
  if (latest.status !== "done") throw failed(latest);
  return latest;
}

export function createdAt(command: CommandRecord): string | undefined {
  return timestamp(command.created_at ?? command.submit_time);
}

/** Carries the command as it was last seen. */
export class WaitFailure extends PlatformError {
  constructor(
    message: string,
    code: PlatformError["code"],
    readonly command: CommandRecord,
  ) {
    // As platformMessage, so that it is redacted: the platform's log may quote the submitted inputs.
    super(`${message}. ${logPaths(command)}`, { code, platformMessage: logOf(command) });
    this.name = "WaitFailure";
  }
}

function stillRunning(command: CommandRecord, timeout: number): WaitFailure {
  const message = `timed out after ${timeout} s (wait.timeoutSeconds) waiting for command ${command.id}, last seen with status ${command.status}. The command is not stopped; raise wait.timeoutSeconds to wait longer`;
  return new WaitFailure(message, "timeout", command);
}

function interrupted(command: CommandRecord, error: Error): WaitFailure {
  const message = `stopped waiting for command ${command.id}: ${error.message}. The command was submitted, was last seen with status ${command.status}, and keeps running`;
  return new WaitFailure(message, error instanceof PlatformError ? error.code : "rejected", command);
}

function failed(command: CommandRecord): WaitFailure {
  const log = logOf(command);
  const reason = log ? `: ${log}` : "";
  return new WaitFailure(`command ${command.id} ended with status ${command.status}${reason}`, "rejected", command);
}

function logOf({ qlog }: CommandRecord): string | undefined {
  return typeof qlog === "string" && qlog !== "" ? clip(qlog) : undefined;
}

function logPaths(command: CommandRecord): string {
  const { logsResource, resultsResource } = resourcePaths(command);
  return `Logs: ${logsResource}; results: ${resultsResource}`;
}
