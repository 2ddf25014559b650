import { z } from "zod";
import { PlatformError } from "../../api/errors";
import { clip } from "../../api/refusal";
import type { Context } from "../../core/define";
import { ProgressLog, slowing } from "../../core/progress";
import { seconds, waitInterval, waitSchema } from "../../values/wait";
import { finderOf } from "./history";
import { type CommandRecord, hasEnded, resources, timestamp } from "./record";

const defaultCommandTimeout = 129_600;
const defaultInterval = 5;
/** The platform looks once a minute for commands that ran too long; then they need a moment to end. */
const graceSeconds = 180;

const waiting = waitSchema({
  timeout: "How many seconds to wait. Default: the command's own timeout and three minutes.",
  interval: `Seconds between two looks at the history. Default: ${defaultInterval}.`,
})
  .extend({
    timeout: seconds(Number.MAX_SAFE_INTEGER).optional().describe("The name of `timeoutSeconds` in version 0.1."),
    interval: waitInterval.optional().describe("The name of `intervalSeconds` in version 0.1."),
  })
  .meta({ id: "CommandWait", description: "How to wait for the end of a command." });

export const waitInput = z
  .union([z.boolean(), waiting])
  .optional()
  .describe(
    "Whether to wait until the command has ended, and how. A command that ends with `error` or `cancelled` is then an error. Default: false.",
  );
export type Wait = z.output<typeof waitInput>;

/** The command at its end. Every error says the command's id, for it goes on or has run on the platform. */
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
    // What the platform logged may quote what was submitted.
    super(`${message}. ${whereToLook(command)}`, { code, platformMessage: logOf(command) });
    this.name = "WaitFailure";
  }
}

function stillRunning(command: CommandRecord, timeout: number): WaitFailure {
  const message = `command ${command.id} has not ended after ${timeout} s (wait.timeoutSeconds); it is ${command.status}, and goes on`;
  return new WaitFailure(message, "timeout", command);
}

function interrupted(command: CommandRecord, error: Error): WaitFailure {
  const message = `waiting for command ${command.id} ended early: ${error.message}. The command was submitted, was last seen ${command.status}, and goes on`;
  return new WaitFailure(message, error instanceof PlatformError ? error.code : "rejected", command);
}

function failed(command: CommandRecord): WaitFailure {
  const log = logOf(command);
  const said = log ? `: ${log}` : "";
  return new WaitFailure(`command ${command.id} ended with status ${command.status}${said}`, "rejected", command);
}

function logOf({ qlog }: CommandRecord): string | undefined {
  return typeof qlog === "string" && qlog !== "" ? clip(qlog) : undefined;
}

function whereToLook(command: CommandRecord): string {
  const { logsResource, resultsResource } = resources(command);
  return `Logs: ${logsResource}; results: ${resultsResource}`;
}
