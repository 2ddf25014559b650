import { z } from "zod";
import { timestamp } from "../clock";
import type { Readings } from "../readings";
import type { CommandRecord } from "../records";
import { type CommandProgress, progressAt } from "./life";

const nullableText = z.string().nullable();

/** The command object of part 2.2 of the specification. */
export const commandAnswer = z.object({
  id: z.int(),
  uid: z.int(),
  account_id: z.int(),
  user_id: z.int(),
  status: z.enum(["waiting", "running", "done", "error", "cancelled"]),
  progress: z.int(),
  command_type: z.enum(["SparkCommand", "HadoopCommand", "HiveCommand"]),
  command: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  submit_time: z.int(),
  start_time: nullableText,
  end_time: nullableText,
  path: z.string(),
  meta_data: z.object({ logs_resource: z.string(), results_resource: z.string() }),
  svc_session_id: z.int().nullable(),
  qlog: nullableText,
  resolved_macros: nullableText,
  label: z.string(),
  name: nullableText,
  pool: nullableText,
  timeout: z.int().nullable(),
  template: nullableText,
  command_source: z.string(),
  can_notify: z.boolean(),
  num_result_dir: z.int(),
  pid: z.int().nullable(),
  saved_query_mutable_id: z.int().nullable(),
  tags: z.array(z.string()).optional(),
  comments: z.array(z.string()).optional(),
});

/** `cancelling` exists only where commands can be cancelled. */
export type CommandObject = Omit<z.infer<typeof commandAnswer>, "status"> & CommandProgress;

export function viewCommand(record: CommandRecord, accountId: number, now: number): CommandObject {
  const created = timestamp(record.submitted);
  return {
    id: record.id,
    uid: record.user_id,
    account_id: accountId,
    user_id: record.user_id,
    command_type: record.command_type,
    command: record.command,
    created_at: created,
    submit_time: Math.floor(record.submitted / 1000),
    path: `/tmp/${created.slice(0, 10)}/${accountId}/${record.id}`,
    meta_data: {
      logs_resource: `commands/${record.id}/logs`,
      results_resource: `commands/${record.id}/results`,
    },
    svc_session_id: null,
    resolved_macros: null,
    label: record.label,
    name: record.name,
    pool: record.pool,
    timeout: record.timeout,
    template: record.template,
    command_source: "API",
    can_notify: false,
    num_result_dir: -1,
    pid: null,
    saved_query_mutable_id: null,
    ...progressAt(record.plan, now),
  };
}

/** The command object in the form that the chosen readings prescribe. */
export function commandForm(command: CommandObject, { commandNulls, commandTimes }: Readings): object {
  const timed = commandTimes === "iso" ? command : { ...command, ...timesOf(command, commandTimes) };
  return nullForm(timed, commandNulls);
}

export function nullForm(command: object, form: Readings["commandNulls"]): object {
  if (form === "null") return command;
  return Object.fromEntries(Object.entries(command).filter(([, value]) => value !== null));
}

function timesOf({ created_at, start_time, end_time }: CommandObject, form: "epoch" | "text"): object {
  const as = (time: string | null) => timeIn(form, time);
  return { created_at: as(created_at), start_time: as(start_time), end_time: as(end_time) };
}

export function timeIn(form: Readings["commandTimes"], time: string | null): string | number | null {
  if (time === null || form === "iso") return time;
  return form === "epoch" ? Date.parse(time) / 1000 : time.replace("T", " ").replace("Z", " UTC");
}

/** How many history answers have listed a command without its tags. */
const listedWithoutTags = new WeakMap<CommandRecord, number>();

/** What `include_query_properties` adds. */
export function queryProperties(record: CommandRecord, { historyTags, historyTagsLate }: Readings): object {
  const before = listedWithoutTags.get(record) ?? 0;
  if (before < historyTagsLate) listedWithoutTags.set(record, before + 1);
  const comments: string[] = [];
  if (before < historyTagsLate || historyTags === "never") return { comments };
  const { tags, command } = record;
  const forms = { tags: { tags }, text: { tags: tags.join(",") }, "command.tags": { command: { ...command, tags } } };
  return { ...forms[historyTags], comments };
}
