import { z } from "zod";
import { anyone } from "../auth";
import { cancelPlan, hasEnded, progressAt } from "../commands/life";
import { commandAnswer, viewCommand } from "../commands/view";
import { invalid, notFound } from "../errors";
import type { CommandRecord } from "../records";
import { PlainAnswer, textAnswer } from "../respond";
import { type Context, defineRoute } from "../router";
import { resultParams, viewResults } from "./command-results";
import { errorText, logText, viewStatus } from "./command-view";

const path = "/api/v1.2/commands/:id";

function commandOf({ store, account }: Context, { id }: Record<string, string>): CommandRecord {
  const command = /^\d+$/.test(id ?? "") ? store.get("commands", account.id, Number(id)) : undefined;
  if (!command) throw notFound(`there is no command ${id}`);
  return command;
}

const time = z.union([z.string(), z.int()]);

const statusAnswer = commandAnswer.extend({
  status: z.enum([...commandAnswer.shape.status.options, "cancelling"]),
  created_at: time,
  updated_at: time,
  start_time: time.nullable(),
  end_time: time.nullable(),
  nominal_time: time.nullable(),
  sequence_id: z.int().nullable(),
  email: z.string(),
  job_url: z.string().optional(),
});

const status = defineRoute({
  operation: "commands.status",
  summary: "View a command of the account",
  method: "GET",
  paths: [path],
  access: anyone("viewing command status"),
  answer: statusAnswer,
  handle: (context, _params, ids) => viewStatus(context, commandOf(context, ids)),
});

const cancel = defineRoute({
  operation: "commands.cancel",
  summary: "Cancel a command",
  method: "PUT",
  paths: [path],
  access: anyone("submitting a command"),
  params: z.strictObject({ status: z.literal("kill") }),
  answer: statusAnswer,
  handle(context, _params, ids) {
    const { store, clock, account, user, readings } = context;
    const command = commandOf(context, ids);
    const now = clock.now();
    if (!hasEnded(command.plan, now) && command.plan.cancelAt === undefined) {
      const plan = cancelPlan(command.plan, now, readings.cancelSeconds, `cancelled by ${user.email}`);
      return cancelAnswer(context, store.put("commands", account.id, { ...command, plan }));
    }
    if (hasEnded(command.plan, now) && readings.cancelEnded === "refused")
      throw invalid(`command ${command.id} has ended: it is ${progressAt(command.plan, now).status}`);
    return cancelAnswer(context, command);
  },
});

function cancelAnswer(context: Context, command: CommandRecord): unknown {
  const forms = {
    command: viewStatus(context, command),
    status: { status: "kill" },
    "id-status": { id: command.id, status: progressAt(command.plan, context.clock.now()).status },
    object: {},
    empty: undefined,
    204: new PlainAnswer({ status: 204, body: undefined }),
  };
  return forms[context.readings.cancelAnswer];
}

const sequence_number = z.int().min(1).optional().describe("Part of a workflow");
const bytes = z.int().min(0).optional();

const logs = defineRoute({
  operation: "commands.logs",
  summary: "View the log of a command, or what was added to it",
  method: "GET",
  paths: [`${path}/logs`],
  access: anyone("viewing commands' logs"),
  params: z.strictObject({
    sequence_number,
    err_file_processed: bytes.describe("Bytes of the error log that the client has"),
    tmp_file_processed: bytes.describe("Bytes of the log that the client has"),
  }),
  answer: z.string(),
  textAnswer: true,
  handle(context, { err_file_processed, tmp_file_processed }, ids) {
    const command = commandOf(context, ids);
    const now = context.clock.now();
    const text = logText(command, now);
    if (text === undefined && context.readings.commandLogEarly === "404")
      throw notFound(`command ${command.id} has no log yet`);
    if (err_file_processed === undefined && tmp_file_processed === undefined) return textAnswer(text ?? "");
    const tmp = after(text ?? "", tmp_file_processed);
    const err = after(errorText(command, now), err_file_processed);
    return textAnswer(tmp + err, {
      err_length: String(Buffer.byteLength(err)),
      tmp_length: String(Buffer.byteLength(tmp)),
    });
  },
});

const after = (text: string, processed = 0) => Buffer.from(text).subarray(processed).toString("utf8");

const errorLogs = defineRoute({
  operation: "commands.errorLogs",
  summary: "View the error log of a command",
  method: "GET",
  paths: [`${path}/error_logs`],
  access: anyone("viewing commands' logs"),
  answer: z.object({ error_log: z.string() }),
  handle: (context, _params, ids) => ({ error_log: errorText(commandOf(context, ids), context.clock.now()) }),
});

const inlineResults = z.object({ inline: z.literal(true), results: z.string() });
const resultLocations = z.object({ inline: z.literal(false), result_location: z.array(z.string()) });

const results = defineRoute({
  operation: "commands.results",
  summary: "View the results of a command that is done",
  method: "GET",
  paths: [`${path}/results`],
  access: anyone("viewing command results"),
  params: resultParams.extend({ sequence_number }),
  answer: z.union([inlineResults, resultLocations]),
  handle(context, params, ids) {
    const command = commandOf(context, ids);
    const now = progressAt(command.plan, context.clock.now()).status;
    if (now !== "done") throw invalid(`command ${command.id} has no results: it is ${now}, not done`);
    return viewResults(context, command, params);
  },
});

const statusWithResults = defineRoute({
  operation: "commands.statusWithResults",
  summary: "View the status of a command and, once it is done, its results",
  method: "GET",
  paths: [`${path}/status_with_results`],
  access: anyone("viewing command status"),
  params: resultParams.pick({ raw: true }),
  answer: z.object({
    id: z.string(),
    status: statusAnswer.shape.status,
    progress: z.int(),
    error: z.string().nullable().optional(),
    path: z.string().optional(),
    inline: z.boolean().optional(),
    results: z.string().optional(),
    result_location: z.array(z.string()).optional(),
  }),
  handle(context, { raw }, ids) {
    const command = commandOf(context, ids);
    const now = context.clock.now();
    const { status, progress, path } = viewCommand(command, context.account.id, now);
    const head = { id: String(command.id), status, progress };
    if (!hasEnded(command.plan, now)) return head;
    const error = status === "error" ? command.plan.reason : null;
    return { ...head, error, path, ...(status === "done" && viewResults(context, command, { raw })) };
  },
});

const jobs = defineRoute({
  operation: "commands.jobs",
  summary: "View the Hadoop jobs of a command that has ended",
  method: "GET",
  paths: [`${path}/jobs`],
  access: anyone("viewing command status"), // not shown
  answer: z.string(),
  textAnswer: true,
  handle(context, _params, ids) {
    const command = commandOf(context, ids);
    const { status } = progressAt(command.plan, context.clock.now());
    if (!hasEnded(command.plan, context.clock.now()))
      throw invalid(`command ${command.id} has no jobs to show: it is ${status}`);
    return textAnswer(`job_${command.id}_0001\t${status}\n`);
  },
});

export const extendedCommandRoutes = [status, cancel, logs, errorLogs, results, statusWithResults, jobs];
