import { z } from "zod";
import { PlatformError } from "../api/errors";
import type { Context } from "../core/define";
import { finderOf } from "./history";
import { type CommandRecord, hasEnded, resources, timestamp } from "./record";

const defaultCommandTimeout = 129_600;
const defaultInterval = 5;
/** The platform looks once a minute for commands that ran too long; then they need a moment to end. */
const graceSeconds = 180;

const waiting = z
  .strictObject({
    timeout: z
      .number()
      .positive("must be more than 0")
      .optional()
      .describe("How many seconds to wait. Default: the command's own timeout and three minutes."),
    interval: z
      .number()
      .min(1, "must be at least 1: asking more often would burden the platform")
      .max(3600, "must be at most 3600, an hour")
      .optional()
      .describe(`Seconds between two looks at the history. Default: ${defaultInterval}.`),
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
  const { timeout = commandTimeout + graceSeconds, interval = defaultInterval } = wait === true ? {} : wait;
  const started = performance.now();
  const waited = (): number => (performance.now() - started) / 1000;
  const progress = new Progress(context, command.id, waited);
  let latest = command;
  try {
    while (!hasEnded(latest.status)) {
      if (waited() >= timeout) throw stillRunning(latest, timeout);
      await context.api.pause(Math.max(0, Math.min(interval, timeout - waited())) * 1000, context.signal);
      latest = (await finderOf(context.api).byId(command.id, createdAt(command))) ?? latest;
      progress.show(latest);
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

/** One short line when something has changed, and one a minute otherwise. */
class Progress {
  #last = "";
  #lastAt = 0;

  constructor(
    readonly context: Context,
    readonly id: number,
    readonly waited: () => number,
  ) {}

  show({ status, progress }: CommandRecord): void {
    const text = `${status}${status === "running" ? ` ${progress ?? 0} %` : ""}`;
    const now = this.waited();
    if (text === this.#last && now - this.#lastAt < 60) return;
    this.#last = text;
    this.#lastAt = now;
    this.context.log.info(`command ${this.id} ${text} after ${Math.round(now)} s`);
  }
}

/** Carries the command as it was last seen. */
export class WaitFailure extends PlatformError {
  constructor(
    message: string,
    code: PlatformError["code"],
    readonly command: CommandRecord,
  ) {
    super(`${message}. ${whereToLook(command)}`, { code });
    this.name = "WaitFailure";
  }
}

function stillRunning(command: CommandRecord, timeout: number): WaitFailure {
  const message = `command ${command.id} has not ended after ${timeout} s (wait.timeout); it is ${command.status}, and goes on`;
  return new WaitFailure(message, "timeout", command);
}

function interrupted(command: CommandRecord, error: Error): WaitFailure {
  const message = `waiting for command ${command.id} ended early: ${error.message}. The command was submitted, was last seen ${command.status}, and goes on`;
  return new WaitFailure(message, error instanceof PlatformError ? error.code : "rejected", command);
}

function failed(command: CommandRecord): WaitFailure {
  const log = typeof command.qlog === "string" ? command.qlog : "";
  const said = log ? `: ${log.length > 300 ? `${log.slice(0, 300)}…` : log}` : "";
  return new WaitFailure(`command ${command.id} ended with status ${command.status}${said}`, "rejected", command);
}

function whereToLook(command: CommandRecord): string {
  const { logsResource, resultsResource } = resources(command);
  return `Logs: ${logsResource}; results: ${resultsResource}`;
}
