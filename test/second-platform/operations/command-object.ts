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

/** The course of a command after a request to cancel it. */
function killedProgress(world: World, views: number): Progress | undefined {
  switch (world.switches.cancelCourse) {
    case "cancelled at once":
      return end("cancelled", 40);
    case "killed at once":
      return end("killed", 40);
    case "stays cancelling":
      return { ...running, status: "cancelling" };
    case "done all the same":
      return views < 2 ? { ...running, status: "cancelling" } : end("done");
    case "without effect":
      return undefined;
    default:
      return views < 2 ? { ...running, status: "cancelling" } : end("cancelled", 40);
  }
}

/** The specification shows no transitions; here a command moves on each time it is shown in the history. */
export function progressOf(world: World, command: Command): Progress {
  const course = world.switches.statusCourse;
  const { seen } = command;
  const killed = command.killedAt === undefined ? undefined : killedProgress(world, seen - command.killedAt);
  if (killed) return killed;
  if (seen === 0) return waiting;
  if (command.failure) return end("error", 0);
  switch (course) {
    case "running, then done":
      return seen === 1 ? running : end("done");
    case "running, then error":
      return seen === 1 ? running : end("error", 40);
    case "done at once":
      return end("done");
    case "cancelled":
      return end("cancelled", 0);
    case "killed":
      return end("killed", 0);
    case "unknown words":
      return seen === 1 ? { ...running, status: "QUEUED_ON_CLUSTER" } : end("Finished_ok");
    default:
      return waiting;
  }
}

function runTime(world: World, ms: number): unknown {
  switch (world.switches.runTimes) {
    case "epoch text":
      return String(Math.floor(ms / 1000));
    case "epoch seconds":
      return Math.floor(ms / 1000);
    case "blank-separated UTC text":
      return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
    default:
      return world.stamp(ms);
  }
}

function submitTime(world: World, ms: number): unknown {
  const seconds = Math.floor(ms / 1000);
  switch (world.switches.submitTime) {
    case "epoch text":
      return String(seconds);
    case "ISO text":
      return world.stamp(ms);
    case "epoch milliseconds":
      return ms;
    case "null":
      return null;
    default:
      return seconds;
  }
}

function qlog(world: World): Record<string, unknown> {
  switch (world.switches.qlog) {
    case "absent":
      return {};
    case "JSON text":
      return { qlog: '{"QUERY-SCHEMA":{"-1":[]}}' };
    case "object":
      return { qlog: { schema: [] } };
    default:
      return { qlog: null };
  }
}

function macros(world: World, command: Command): unknown {
  if (!command.macros) return null;
  if (world.switches.resolvedMacros === "list as sent") return command.macros;
  return world.switches.resolvedMacros === "JSON text" ? JSON.stringify(command.macros) : null;
}

function nameOf(world: World, command: Command, inHistory: boolean): string | null {
  const { name } = command;
  switch (world.switches.nameEcho) {
    case "trimmed":
      return name?.trim() ?? null;
    case "lower case":
      return name?.toLowerCase() ?? null;
    case "null in the history":
      return inHistory ? null : name;
    default:
      return name;
  }
}

function timeoutOf(world: World, timeout: number | null): unknown {
  if (world.switches.timeoutEcho === "as text") return timeout === null ? null : String(timeout);
  return timeout ?? (world.switches.timeoutEcho === "129600" ? 129600 : null);
}

function createdAt(world: World, ms: number, inHistory: boolean): Record<string, unknown> {
  const form = inHistory ? world.switches.commandCreatedAt : "timestamp";
  switch (form) {
    case "absent":
      return {};
    case "null":
      return { created_at: null };
    case "epoch seconds":
      return { created_at: Math.floor(ms / 1000) };
    case "blank-separated UTC text":
      return { created_at: `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC` };
    default:
      return { created_at: world.stamp(ms) };
  }
}

const labels = { default: "default", null: null, "empty text": "" };

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
    start_time: progress.started ? runTime(world, command.createdAt + 2000) : null,
    end_time: progress.ended ? runTime(world, command.createdAt + 9000) : null,
    path: `/runs/${new Date(command.createdAt).toISOString().slice(0, 10)}/${command.accountId}/${command.id}`,
    meta_data: {
      logs_resource: `commands/${command.id}/logs`,
      results_resource: `commands/${command.id}/results`,
    },
    svc_session_id: null,
    ...qlog(world),
    resolved_macros: macros(world, command),
    label: command.label ?? labels[switches.labelDefault],
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
