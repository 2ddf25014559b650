import { PlatformError } from "../../api/errors";
import { clip } from "../../api/refusal";
import type { Killed } from "./kill";
import { type CommandRecord, hasEnded, resourcePaths, wasKilled } from "./record";

/** What became of a command when it was to be killed at the end of a wait. */
export type Ending =
  | Killed
  | { readonly outcome: "failed"; readonly reason: string; readonly command: CommandRecord | undefined };

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
    // As platformMessage, so that it is redacted: the platform's log may quote the submitted inputs.
    super(`${message}${end}${logPaths(command)}`, { code, platformMessage: said });
    this.name = "WaitFailure";
  }
}

/** For a resource, which submits its command once. */
export function withWayOut(error: Error): Error {
  if (!(error instanceof WaitFailure) || !hasEnded(error.command)) return error;
  const advice = 'To submit it again, change a value in triggers, or run "pulumi up --replace" of this resource';
  return error.with(`${error.message}. ${advice}`);
}

export function stillRunning(command: CommandRecord, timeout: number, killed?: Ending): WaitFailure {
  const { id, status } = command;
  const message = `timed out after ${timeout} s (wait.timeoutSeconds) waiting for command ${id}, last seen with status ${status}. ${killed ? whatBecame(killed) : "The command is not stopped"}; raise wait.timeoutSeconds to wait longer`;
  return new WaitFailure(message, "timeout", killed?.command ?? command);
}

export function interrupted(command: CommandRecord, error: Error, killed?: Ending): WaitFailure {
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

function logPaths(command: CommandRecord): string {
  const { logsResource, resultsResource } = resourcePaths(command);
  return `Logs: ${logsResource}; results: ${resultsResource}`;
}
