import { z } from "zod";
import { shownText, told } from "../../values/fields";
import { asNumber, outputId, recordId, shownId } from "../../values/id";

const noStatus = "unknown";
const moment = z.union([z.string(), z.number()]).nullish().catch(undefined);

/** A command as the API returns it. Only the id is required, and fields that are only shown are not listed here. */
export const commandRecord = z.looseObject({
  id: recordId.transform(asNumber),
  /** A command without a status counts as not ended. */
  status: z
    .string()
    .nullish()
    .catch(undefined)
    .transform((status) => normalised(status || noStatus)),
  command_type: shownText,
  command: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  account_id: shownId,
  user_id: shownId,
  created_at: moment,
  submit_time: moment,
  start_time: moment,
  end_time: moment,
  meta_data: z.looseObject({ logs_resource: shownText, results_resource: shownText }).nullish().catch(undefined),
  name: shownText,
  template: shownText,
});
export type CommandRecord = z.output<typeof commandRecord>;

/** The specification lists no statuses. `cancelled` was seen on some installations; the others are words that a platform may have for it. */
const killedStatuses: readonly string[] = ["cancelled", "canceled", "killed", "aborted", "terminated"];
/** `done` and `error` were seen too. */
const successStatuses: readonly string[] = ["done", "success", "succeeded", "completed", "finished"];
const finalStatuses: readonly string[] = [...successStatuses, "error", "failed", "failure", ...killedStatuses];
const statusesInProgress: readonly string[] = ["waiting", "running", "cancelling"];

function quoted(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

const anyText = z.string().optional();
const anyNumber = z.number().optional();
const anything = z.unknown().optional();

export const commandOutputs = {
  status: z
    .string()
    .describe(
      `Status, such as \`waiting\` after the submission. The platform's list is not documented. The provider takes these as the end of a command: ${quoted(finalStatuses)}; and any other word with an end time. Only ${quoted(successStatuses)} are a success.`,
    ),
  progress: z
    .number()
    .describe("Progress, as the platform reports it: 0 after the submission. Its unit is not documented."),
  commandType: anyText.describe("Type: `SparkCommand`, `HadoopCommand` or `HiveCommand`."),
  accountId: z.int().optional().describe("Account in which the command runs."),
  userId: z.int().optional().describe("User who submitted it."),
  createdAt: anyText.describe("Time when it was submitted."),
  startTime: anyText.describe("Time when it started to run."),
  endTime: anyText.describe("Time when it ended."),
  path: anyText.describe("Working path of the command."),
  logsResource: z.string().describe("Path of its logs, relative to the API's base URL."),
  resultsResource: z.string().describe("Path of its results, relative to the API's base URL."),
  submitTime: anyText.describe("Time of the submission, as the platform recorded it."),
  uid: anyNumber.describe("`uid` of the command, where the platform shows one: seen in the answer to a table refresh."),
  svcSessionId: anyNumber.describe("Session in which it runs, once it has one."),
  commandSource: anyText.describe("Where the command came from, as the platform calls it."),
  pool: anyText.describe("Pool of the fair scheduler, if one was submitted."),
  pid: anyNumber.describe("`pid` of the command, which is not documented further."),
  canNotify: z.boolean().optional().describe("`can_notify` of the command, which is not documented further."),
  numResultDir: anyNumber.describe("`num_result_dir` of the command, which is not documented further."),
  savedQueryMutableId: anyNumber.describe("`saved_query_mutable_id` of the command, which is not documented further."),
  qlog: anything.describe("`qlog` of the command, in the platform's form, which is not documented further."),
  resolvedMacros: anything.describe(
    "`resolved_macros` of the command, in the platform's form, which is not documented further.",
  ),
  command: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "What the platform made of the submission, with its names in the API: for a table refresh the generated `query`. What was submitted is not repeated here.",
    ),
};

export function outputsFrom(record: CommandRecord) {
  return {
    progress: 0,
    ...told(commandOutputs, record),
    status: record.status,
    accountId: outputId(record.account_id),
    userId: outputId(record.user_id),
    createdAt: createdAt(record),
    startTime: timestamp(record.start_time),
    endTime: timestamp(record.end_time),
    submitTime: timestamp(record.submit_time),
    ...resourcePaths(record),
    command: generatedFrom(record),
  };
}

const generatedFields = [
  "query",
  "loader_table_name",
  "loader_stable",
  "retry",
  "sample",
  "approx_aggregations",
  "approx_mode",
];

/** A program can hold secrets, so the state repeats nothing that was submitted: only a table refresh has more. */
function generatedFrom({ command, command_type, template }: CommandRecord) {
  if (!command || (command_type !== "HiveCommand" && template !== "s3import")) return undefined;
  const made = generatedFields.filter((name) => command[name] !== undefined && command[name] !== null);
  return made.length === 0 ? undefined : Object.fromEntries(made.map((name) => [name, command[name]]));
}

export function resourcePaths({ id, meta_data: paths }: CommandRecord) {
  return {
    logsResource: paths?.logs_resource ?? `commands/${id}/logs`,
    resultsResource: paths?.results_resource ?? `commands/${id}/results`,
  };
}

/** Converts to ISO 8601. The API sends that, `2019-09-17 23:37:14 UTC`, or seconds since 1970. */
function timestamp(value: string | number | null | undefined): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const seconds = typeof value === "number" || /^\d+$/.test(value) ? Number(value) : undefined;
  const isoLike = String(value).replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?: UTC)?$/, "$1T$2Z");
  const date = seconds === undefined ? Date.parse(isoLike) : seconds * 1000;
  return Number.isNaN(date) ? String(value) : iso(date);
}

export function createdAt({ created_at, submit_time }: CommandRecord): string | undefined {
  return timestamp(created_at ?? submit_time);
}

export function iso(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** In lower case, if it is a known word. */
function normalised(status: string): string {
  return [...statusesInProgress, ...finalStatuses].find((one) => one === status.toLowerCase()) ?? status;
}

/** Of a record, or of the outputs made of one. Any other status, without an end time, means that it is in progress. */
export function hasEnded({ status, end_time, endTime = end_time }: Ended): boolean {
  const word = status.toLowerCase();
  const isOtherWord = word !== noStatus && !statusesInProgress.includes(word);
  return finalStatuses.includes(word) || (isOtherWord && Boolean(endTime));
}
type Ended = Readonly<Record<"status", string> & Partial<Record<"end_time" | "endTime", unknown>>>;

/** Not one of which nobody knows whether it was submitted: that has no status. */
export function hasSucceeded({ status = "" }: Partial<Pick<CommandRecord, "status">>): boolean {
  return successStatuses.includes(status.toLowerCase());
}

/** Whether it was ended from outside, as far as its status tells. */
export function wasKilled({ status }: Pick<CommandRecord, "status">): boolean {
  return killedStatuses.includes(status.toLowerCase());
}
