import { type Answer, invalid, ok } from "../answers";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import type { Command } from "../state";
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
function progressOf(world: World, command: Command): Progress {
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

/** The fields whose form a switch decides. */
function inForm(world: World, command: Command, inHistory: boolean): Record<string, unknown> {
  const { switches } = world;
  const { createdAt: at, name, sent } = command;
  const { macros, timeout = null } = sent;
  const seconds = Math.floor(at / 1000);
  const utc = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return {
    ...{
      timestamp: { created_at: world.stamp(at) },
      absent: {},
      null: { created_at: null },
      "epoch seconds": { created_at: seconds },
      "blank-separated UTC text": { created_at: utc },
    }[inHistory ? switches.commandCreatedAt : "timestamp"],
    submit_time: {
      ...{ "epoch seconds": seconds, "epoch text": String(seconds), "ISO text": world.stamp(at) },
      ...{ "epoch milliseconds": at, null: null },
    }[switches.submitTime],
    ...{
      null: { qlog: null },
      absent: {},
      "JSON text": { qlog: '{"QUERY-SCHEMA":{"-1":[]}}' },
      object: { qlog: { schema: [] } },
    }[switches.qlog],
    resolved_macros: macros
      ? { null: null, "list as sent": macros, "JSON text": JSON.stringify(macros) }[switches.resolvedMacros]
      : null,
    name: {
      "as sent": name,
      trimmed: name?.trim() ?? null,
      "lower case": name?.toLowerCase() ?? null,
      "null in the history": inHistory ? null : name,
    }[switches.nameEcho],
    timeout: { null: timeout, "129600": timeout ?? 129600, "as text": timeout === null ? null : String(timeout) }[
      switches.timeoutEcho
    ],
  };
}

/** The command object of part 2.2. */
export function commandObject(world: World, command: Command, inHistory: boolean): Record<string, unknown> {
  const { switches } = world;
  const { label = null, pool = null, template = null } = command.sent;
  const progress = progressOf(world, command);
  const withUid = switches.uid === "all" || (switches.uid === "refresh only" && template === "s3import" && !inHistory);
  const inner = inHistory && switches.historyCommandObject !== "full" ? null : structuredClone(command.command);
  const withInner = !(inHistory && switches.historyCommandObject === "absent");
  return {
    id: command.id,
    ...(withUid && { uid: command.userId }),
    account_id: command.accountId,
    user_id: command.userId,
    status: progress.status,
    progress: progress.progress,
    command_type: command.commandType,
    ...(withInner && {
      command: command.commandType === "SparkCommand" && switches.sparkCommandObject === "null" ? null : inner,
    }),
    ...inForm(world, command, inHistory),
    start_time: progress.started ? world.stamp(command.createdAt + 2000) : null,
    end_time: progress.ended ? world.stamp(command.createdAt + 9000) : null,
    path: `/runs/${new Date(command.createdAt).toISOString().slice(0, 10)}/${command.accountId}/${command.id}`,
    meta_data: {
      logs_resource: `commands/${command.id}/logs`,
      results_resource: `commands/${command.id}/results`,
    },
    svc_session_id: null,
    label: label ?? "default",
    pool,
    template,
    command_source: "API",
    can_notify: false,
    num_result_dir: 0,
    pid: null,
    saved_query_mutable_id: null,
  };
}

const day = 86_400_000;
const names = ["page", "per_page", "all_users", "include_query_properties", "start_date", "end_date"];

/** Parameters of the query are text by nature; they are given the type the table names. */
function typed(query: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      /^(page|per_page|all_users)$/.test(name) && /^-?\d+$/.test(value) ? Number(value) : value,
    ]),
  );
}

function isTrue(world: World, value: unknown): boolean {
  const text = String(value);
  if (world.switches.historyFlag === "1 only") return text === "1";
  return text === "true" || (world.switches.historyFlag === "true or 1" && text === "1");
}

function dateOf(value: string | undefined, end: boolean): number | undefined {
  if (value === undefined) return undefined;
  const dateOnly = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const ms = dateOnly || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw invalid(`${value} is not a date`);
  // A time names a whole second, which is included.
  if (!end) return ms;
  return dateOnly ? ms + day - 1 : ms + 999;
}

function inRange(world: World, parameters: Parameters): (command: Command) => boolean {
  const today = Math.floor(world.now() / day) * day + day - 1;
  const end = dateOf(parameters.text("end_date"), true) ?? today;
  const start = dateOf(parameters.text("start_date"), false) ?? end - 30 * day;
  return (command) => command.createdAt >= start && command.createdAt <= end;
}

function withTags(world: World, command: Command, record: Record<string, unknown>, asked: boolean): void {
  const { switches } = world;
  if (!asked && switches.tagsWhen !== "always") return;
  const tags = world.passed(command.tagsShown) ? [...command.tags] : [];
  if (asked) record["comments"] = [];
  const none = tags.length === 0;
  if (none && switches.tagsOfUntagged === "absent") return;
  const value = none && switches.tagsOfUntagged === "null" ? null : tags;
  const within = (key: string) => ({ [key]: { ...(record[key] as object | null), tags: value } });
  Object.assign(
    record,
    {
      tags: { tags: value },
      "command.tags": within("command"),
      "meta_data.tags": within("meta_data"),
      "query_properties.tags": within("query_properties"),
      "query_properties list": { query_properties: tags.map((tag) => ({ name: "tag", value: tag })) },
      "tags as comma text": { tags: tags.join(",") },
      "tags as objects": { tags: tags.map((name) => ({ name })) },
      "tags as JSON text": { tags: JSON.stringify(tags) },
      never: {},
    }[switches.tagsPlace],
  );
}

function visible(call: Call, parameters: Parameters): Command[] {
  const { world, user } = call;
  const everyone = parameters.within("all_users", 0, 1) === 1;
  const wanted = inRange(world, parameters);
  const found = world.data.commands
    .filter((command) => command.accountId === user.accountId && (everyone || command.userId === user.userId))
    .filter((command) => world.passed(command.shown) && wanted(command));
  const byTime = found.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  if (world.switches.historyOrder === "oldest first") return byTime;
  // "Unsorted" puts every other command to the front, which is neither order.
  if (world.switches.historyOrder === "unsorted")
    return [...byTime.filter((_, i) => i % 2 === 1), ...byTime.filter((_, i) => i % 2 === 0)];
  return byTime.reverse();
}

const oddRecords: Record<string, unknown> = {
  "without command and times": { id: 990001, status: "done", command_type: "SparkCommand" },
  null: null,
  "null status": { id: 990001, status: null, command_type: null, name: null, created_at: null },
};

function pageNumber(world: World, value: number, there: boolean): unknown {
  const form = world.switches.historyPageEnd;
  if (there || form === "next number all the same")
    return world.switches.historyPageNumbers === "text" ? String(value) : value;
  return { null: null, absent: undefined, "empty text": "", "0": 0, false: false }[form];
}

function perPageOf(world: World, parameters: Parameters): number {
  const asked = parameters.within("per_page", 1) ?? 10;
  if (asked > 100 && world.switches.historyPerPageAbove === "refused") throw invalid("per_page is at most 100");
  return Math.min(asked, 100);
}

function history(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const parameters = new Parameters(switches, { ...call.body, ...typed(call.query) }).only(...names);
  const perPage = perPageOf(world, parameters);
  const page = parameters.within("page", 1) ?? 1;
  const tagsAsked = isTrue(world, parameters.raw("include_query_properties"));
  const found = visible(call, parameters);
  const last = Math.max(1, Math.ceil(found.length / perPage));
  const commands: unknown[] = found.slice((page - 1) * perPage, page * perPage).map((command) => {
    command.seen += 1;
    const record = commandObject(world, command, true);
    withTags(world, command, record, tagsAsked);
    return record;
  });
  if (switches.historyOddRecord !== "none") commands.splice(1, 0, oddRecords[switches.historyOddRecord]);
  const info = {
    previous_page: pageNumber(world, page - 1, page > 1),
    next_page: pageNumber(world, page + 1, page < last),
    per_page: switches.historyPageNumbers === "text" ? String(perPage) : perPage,
  };
  return ok({ paging_info: info, commands });
}

export const historyOperations: readonly Operation[] = [
  operation("commands.history", "GET /api/v1.2/commands/ /api/v1/commands/", needs.viewHistory, history, {
    slashOptional: true,
  }),
];
