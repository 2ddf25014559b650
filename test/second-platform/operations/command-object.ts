import type { Command } from "../model";
import type { World } from "../world";

interface Progress {
  status: string;
  progress: number;
  started: boolean;
  ended: boolean;
}

const waiting: Progress = { status: "waiting", progress: 0, started: false, ended: false };
const running: Progress = { status: "running", progress: 40, started: true, ended: false };
const end = (status: string, progress = 100): Progress => ({ status, progress, started: true, ended: true });

/** The specification shows no transitions; here a command moves on each time it is shown in the history. */
export function progressOf(world: World, command: Command): Progress {
  const course = world.switches.statusCourse;
  const { seen } = command;
  if (seen === 0) return waiting;
  return {
    "stays waiting": waiting,
    "running, then done": seen === 1 ? running : end("done"),
    "running, then error": seen === 1 ? running : end("error", 40),
    "done at once": end("done"),
    cancelled: end("cancelled", 0),
    killed: end("killed", 0),
    "unknown words": seen === 1 ? { ...running, status: "QUEUED_ON_CLUSTER" } : end("Finished_ok"),
  }[course];
}

function submitTime(world: World, ms: number): unknown {
  const seconds = Math.floor(ms / 1000);
  return {
    "epoch seconds": seconds,
    "epoch text": String(seconds),
    "ISO text": world.stamp(ms),
    "epoch milliseconds": ms,
    null: null,
  }[world.switches.submitTime];
}

function qlog(world: World): Record<string, unknown> {
  return {
    null: { qlog: null },
    absent: {},
    "JSON text": { qlog: '{"QUERY-SCHEMA":{"-1":[]}}' },
    object: { qlog: { schema: [] } },
  }[world.switches.qlog];
}

function macros(world: World, command: Command): unknown {
  if (!command.macros) return null;
  if (world.switches.resolvedMacros === "list as sent") return command.macros;
  return world.switches.resolvedMacros === "JSON text" ? JSON.stringify(command.macros) : null;
}

function nameOf(world: World, command: Command, inHistory: boolean): string | null {
  const { name } = command;
  return {
    "as sent": name,
    trimmed: name?.trim() ?? null,
    "lower case": name?.toLowerCase() ?? null,
    "null in the history": inHistory ? null : name,
  }[world.switches.nameEcho];
}

function timeoutOf(world: World, timeout: number | null): unknown {
  if (world.switches.timeoutEcho === "as text") return timeout === null ? null : String(timeout);
  return timeout ?? (world.switches.timeoutEcho === "129600" ? 129600 : null);
}

function createdAt(world: World, ms: number, inHistory: boolean): Record<string, unknown> {
  const form = inHistory ? world.switches.commandCreatedAt : "timestamp";
  return {
    timestamp: { created_at: world.stamp(ms) },
    absent: {},
    null: { created_at: null },
    "epoch seconds": { created_at: Math.floor(ms / 1000) },
    "blank-separated UTC text": { created_at: `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC` },
  }[form];
}

/** The command object of part 2.2. */
export function commandObject(world: World, command: Command, inHistory: boolean): Record<string, unknown> {
  const { switches } = world;
  const progress = progressOf(world, command);
  const withUid =
    switches.uid === "all" || (switches.uid === "refresh only" && command.template === "s3import" && !inHistory);
  const inner = inHistory && switches.historyCommandObject !== "full" ? null : structuredClone(command.command);
  const withInner = !(inHistory && switches.historyCommandObject === "absent");
  return {
    id: command.id,
    ...(withUid && { uid: command.uid }),
    account_id: command.accountId,
    user_id: command.userId,
    status: progress.status,
    progress: progress.progress,
    command_type: command.commandType,
    ...(withInner && {
      command: command.commandType === "SparkCommand" && switches.sparkCommandObject === "null" ? null : inner,
    }),
    ...createdAt(world, command.createdAt, inHistory),
    submit_time: submitTime(world, command.createdAt),
    start_time: progress.started ? world.stamp(command.createdAt + 2000) : null,
    end_time: progress.ended ? world.stamp(command.createdAt + 9000) : null,
    path: `/runs/${new Date(command.createdAt).toISOString().slice(0, 10)}/${command.accountId}/${command.id}`,
    meta_data: {
      logs_resource: `commands/${command.id}/logs`,
      results_resource: `commands/${command.id}/results`,
    },
    svc_session_id: null,
    ...qlog(world),
    resolved_macros: macros(world, command),
    label: command.label ?? "default",
    name: nameOf(world, command, inHistory),
    pool: command.pool,
    timeout: timeoutOf(world, command.timeout),
    template: command.template,
    command_source: "API",
    can_notify: false,
    num_result_dir: 0,
    pid: null,
    saved_query_mutable_id: null,
  };
}
