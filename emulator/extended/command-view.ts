import { timestamp } from "../clock";
import { progressAt } from "../commands/life";
import { type CommandObject, nullForm, timeIn, viewCommand } from "../commands/view";
import type { Readings } from "../readings";
import type { CommandRecord } from "../records";
import type { Context } from "../router";

/** The command object as the status operation shows it: that of the history, and more. */
export function viewStatus({ store, clock, account, readings }: Context, record: CommandRecord): object {
  const now = clock.now();
  const command = viewCommand(record, account.id, now);
  const users = store.list("users", account.id);
  const viewed = {
    ...command,
    ...timesOf(record, command, now, readings),
    qlog: readings.commandStatusQlog === "columns" ? columnsText(record, command) : command.qlog,
    nominal_time: null,
    sequence_id: null,
    email: users.find(({ user_id }) => user_id === record.user_id)?.email ?? "",
    ...(record.command_type === "HadoopCommand" && { job_url: `/jobs/${record.id}` }),
  };
  return nullForm(viewed, readings.commandNulls);
}

function timesOf(record: CommandRecord, command: CommandObject, now: number, readings: Readings): object {
  const [ofRun, ofRecord] = {
    epoch: ["epoch", "text"] as const,
    "epoch-iso": ["epoch", "iso"] as const,
    "as-history": [readings.commandTimes, readings.commandTimes] as const,
  }[readings.commandStatusTimes];
  return {
    created_at: timeIn(ofRecord, command.created_at),
    updated_at: timeIn(ofRecord, timestamp(lastChange(record, now))),
    start_time: timeIn(ofRun, command.start_time),
    end_time: timeIn(ofRun, command.end_time),
  };
}

function lastChange({ submitted, plan }: CommandRecord, now: number): number {
  const changes = [plan.startAt, plan.cancelAt, plan.endAt].filter((at) => typeof at === "number" && at <= now);
  return Math.max(submitted, ...(changes as number[]));
}

function columnsText(record: CommandRecord, { status }: CommandObject): string | null {
  const { columns } = resultsOf(record);
  return status === "done" && columns.length > 0 ? JSON.stringify({ columns }) : null;
}

interface Results {
  columns: { name: string; type: string }[];
  rows: string[][];
}

/** Made up: two rows of a Spark command, or those of an outcome rule; the other commands have none. */
export function resultsOf({ plan, command_type }: CommandRecord): Results {
  const given = plan.results?.split(/\r?\n/).filter((line) => line !== "");
  const text = given ?? (command_type === "SparkCommand" ? ["1\tone", "2\ttwo"] : []);
  const rows = text.map((line) => line.split("\t"));
  const width = Math.max(0, ...rows.map((row) => row.length));
  return { rows, columns: Array.from({ length: width }, (_, index) => ({ name: `c${index + 1}`, type: "string" })) };
}

/** What the log says at this time; undefined if the command has not started. */
export function logText({ id, label, plan }: CommandRecord, now: number): string | undefined {
  const { status, start_time, end_time } = progressAt(plan, now);
  const lines: string[] = [];
  if (start_time !== null) lines.push(`${start_time} INFO command ${id} started on cluster ${label}`);
  if (plan.cancelAt !== undefined) lines.push(`${timestamp(plan.cancelAt)} WARN command ${id} is asked to stop`);
  if (status === "done") lines.push(`${end_time} INFO command ${id} is done`);
  if (status === "error") lines.push(`${end_time} ERROR command ${id} failed: ${plan.reason}`);
  if (status === "cancelled") lines.push(`${end_time} WARN command ${id} is cancelled: ${plan.reason}`);
  return lines.length === 0 ? undefined : lines.map((line) => `${line}\n`).join("");
}

/** Why the command failed; empty if it did not. */
export function errorText({ plan }: CommandRecord, now: number): string {
  return progressAt(plan, now).status === "error" ? `${plan.reason}\n` : "";
}
