import { z } from "zod";
import { anyone } from "../auth";
import { refreshSchema } from "../commands/refresh";
import { hadoopSchema } from "../commands/s3distcp";
import { sparkSchema } from "../commands/spark";
import { type Submission, schemaFor, submit } from "../commands/submit";
import { commandAnswer, commandForm, queryProperties, viewCommand } from "../commands/view";
import { invalid } from "../errors";
import { pagingInfo } from "../extended/paging";
import { defineRoute } from "../router";

const submission = defineRoute<Submission>({
  operation: "commands.submit",
  summary: "Submit a Spark, S3DistCp or table-refresh command",
  method: "POST",
  paths: ["/api/v1.2/commands"],
  access: anyone("submitting a command"),
  params: z.union([sparkSchema, hadoopSchema, refreshSchema]),
  choose: schemaFor,
  answer: commandAnswer,
  handle: (context, params) =>
    commandForm(viewCommand(submit(context, params), context.account.id, context.clock.now()), context.readings),
});

const historyParams = z.strictObject({
  page: z.int().min(1).default(1),
  per_page: z.int().min(1).max(100).default(10),
  all_users: z.int().min(0).max(1).default(0),
  include_query_properties: z.boolean().default(false),
  start_date: z.string().optional().describe("Inclusive; a date or a UTC timestamp; default 30 days before end_date"),
  end_date: z.string().optional().describe("Inclusive; a date or a UTC timestamp; default today"),
});

const history = defineRoute({
  operation: "commands.history",
  summary: "View the command history",
  method: "GET",
  paths: ["/api/v1.2/commands", "/api/v1/commands"],
  access: anyone("viewing the command history"),
  from: "query-or-body",
  params: historyParams,
  answer: z.object({
    paging_info: pagingInfo,
    commands: z.array(commandAnswer),
  }),
  handle({ store, clock, account, user, readings }, params) {
    const now = clock.now();
    const [from, to] = dateWindow(params.start_date, params.end_date, now);
    const found = store
      .list("commands", account.id)
      .filter(({ submitted }) => submitted >= from && submitted <= to)
      .filter(({ user_id }) => params.all_users === 1 || user_id === user.user_id)
      .sort((a, b) => b.id - a.id);
    const { page, per_page } = params;
    const commands = found.slice((page - 1) * per_page, page * per_page).map((record) => ({
      ...commandForm(viewCommand(record, account.id, now), readings),
      ...(params.include_query_properties && queryProperties(record, readings)),
    }));
    const none = readings.historyPageEnds === "null" ? null : undefined;
    return {
      paging_info: {
        previous_page: page > 1 ? page - 1 : none,
        next_page: found.length > page * per_page ? page + 1 : none,
        per_page,
      },
      commands,
    };
  },
});

const day = 24 * 60 * 60 * 1000;

function dateWindow(start: string | undefined, end: string | undefined, now: number): [number, number] {
  const today = new Date(now).toISOString().slice(0, 10);
  const last = parseDate("end_date", end ?? today);
  const first = start === undefined ? { at: last.at - 30 * day, span: 0 } : parseDate("start_date", start);
  const to = last.at + last.span - 1;
  if (first.at > to) throw invalid("start_date: must not be after end_date");
  return [first.at, to];
}

/** A date covers its whole day, a timestamp its whole second. */
function parseDate(name: string, text: string): { at: number; span: number } {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}Z)?$/.exec(text) ?? [];
  const at = Date.parse(`${date}${time ?? "T00:00:00Z"}`);
  if (date === undefined || Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    throw invalid(`${name}: must be a date or a UTC timestamp YYYY-MM-DDTHH:MM:SSZ`);
  return { at, span: time === undefined ? day : 1000 };
}

export const commandRoutes = [submission, history];
