import type { Command } from "../../model";
import type { World } from "../../world";
import { commandObject, progressOf } from "../command-object";

const seconds = (ms: number) => Math.floor(ms / 1000);
const blankSeparated = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

function shownStatus(world: World, status: string): string {
  if (world.switches.viewStatus === "upper case") return status.toUpperCase();
  return world.switches.viewStatus === "as listed" ? status : status.charAt(0).toUpperCase() + status.slice(1);
}

function shownProgress(world: World, progress: number): Record<string, unknown> {
  const forms = { integer: progress, text: String(progress), fraction: progress / 100, null: null };
  return world.switches.viewProgress === "absent" ? {} : { progress: forms[world.switches.viewProgress] };
}

function runTime(world: World, ms: number): unknown {
  switch (world.switches.viewTimes) {
    case "epoch text":
      return String(seconds(ms));
    case "ISO text":
      return world.stamp(ms);
    default:
      return seconds(ms);
  }
}

function created(world: World, ms: number): Record<string, unknown> {
  return {
    "blank-separated UTC text": { created_at: blankSeparated(ms) },
    "ISO 8601": { created_at: world.stamp(ms) },
    "epoch seconds": { created_at: seconds(ms) },
    absent: {},
  }[world.switches.viewCreated];
}

function qlog(world: World, ended: boolean): Record<string, unknown> {
  const value = { "QUERY-SCHEMA": { "-1": [{ ColumnName: "id", ColumnType: "int" }] } };
  return {
    "JSON text": { qlog: ended ? JSON.stringify(value) : null },
    absent: {},
    null: { qlog: null },
    object: { qlog: ended ? value : null },
  }[world.switches.viewQlog];
}

function more(world: World, command: Command): Record<string, unknown> {
  const shown = {
    updated_at: world.stamp(command.createdAt + 9000),
    nominal_time: null,
    sequence_id: null,
    email: world.data.users.find((user) => user.userId === command.userId)?.email ?? "",
  };
  return {
    "as shown": shown,
    absent: {},
    "job_url and throttled too": { ...shown, job_url: "https://jobs.example/1", throttled: false },
  }[world.switches.viewMore];
}

/** The command object as the status page's example shows it: some fields more, and other forms of times. */
export function shownCommand(world: World, command: Command): Record<string, unknown> {
  const progress = progressOf(world, command);
  const { created_at: _, qlog: __, progress: ___, ...base } = commandObject(world, command, false);
  const times = world.switches.viewTimes !== "as in the history" && {
    start_time: progress.started ? runTime(world, command.createdAt + 2000) : null,
    end_time: progress.ended ? runTime(world, command.createdAt + 9000) : null,
  };
  const waits = progress.status === "waiting" && world.switches.viewThrottled === "throttled true";
  return {
    ...base,
    status: shownStatus(world, progress.status),
    ...shownProgress(world, progress.progress),
    ...created(world, command.createdAt),
    ...times,
    ...qlog(world, progress.ended),
    ...more(world, command),
    ...(waits && { throttled: true }),
  };
}
