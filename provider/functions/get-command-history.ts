import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { largestPage, pages, readPage } from "../platform/commands/history";
import { type CommandRecord, commandOutputs, shownOutputs } from "../platform/commands/record";

/** Date.parse takes February 30 for March 1. */
function isOnCalendar(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.replace("Z", ""));
}

const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/, "must be a date, YYYY-MM-DD, or a UTC time, YYYY-MM-DDTHH:MM:SSZ")
  .refine(isOnCalendar, "is not a date of the calendar")
  .meta({ format: "moment" })
  .optional();

const shown = z
  .object({
    id: z.string().describe("Id of the command."),
    ...commandOutputs,
    name: z.string().optional().describe("Name."),
    label: z.string().optional().describe("Label of the cluster."),
    template: z.string().optional().describe("Template; `s3import` for a table refresh."),
    timeout: z.number().optional().describe("Timeout in seconds."),
    tags: z.array(z.string()).optional().describe("Tags; only with `includeQueryProperties`."),
    command: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "What was submitted, in the API's own names. Arguments of S3DistCp end where an encryption key begins.",
      ),
  })
  .meta({ id: "HistoryCommand", description: "A command of the history." });

export const getCommandHistory = defineFunction({
  name: "getCommandHistory",
  doc: `The commands that were submitted, newest first.

It reads as many pages as \`limit\` asks for. To go through all of a long history without holding it in memory, iterate over \`commandHistory(args)\`: \`for await (const command of dataplatform.commandHistory()) …\`.`,
  inputs: z.object({
    limit: z
      .int()
      .min(1, "must be at least 1")
      .optional()
      .describe(`How many commands to return at most; ${largestPage} are read at once. Default: ${largestPage}.`),
    page: z
      .int()
      .min(1, "must be at least 1")
      .optional()
      .describe(
        `Page to begin with; what \`nextPage\` of an earlier call with the same \`limit\` says. A page has \`limit\` commands; with a \`limit\` of more than ${largestPage}, a part of it of at most ${largestPage}. Default: 1.`,
      ),
    allUsers: z.boolean().optional().describe("Commands of all users instead of the token's own. Default: false."),
    includeQueryProperties: z.boolean().optional().describe("Also tell the tags. Default: false."),
    startDate: moment.describe("From when on, inclusive: a date or a time. Default: 30 days before `endDate`."),
    endDate: moment.describe("Until when, inclusive: a date or a time. Default: today."),
    apiVersion: z.enum(["v1", "v1.2"]).optional().describe("Version of the API. Default: `v1.2`."),
  }),
  outputs: z.object({
    commands: z.array(shown).describe("The commands, newest first."),
    nextPage: z
      .int()
      .optional()
      .describe(
        "Page to go on with; absent when there is none. It begins with the last commands of this call where its pages did not fit into `limit`.",
      ),
  }),
  secrets: [],
  effect: "reads",
  rules({ startDate, endDate }, report) {
    // A date stands for its whole day.
    if (startDate && endDate && startDate > (endDate.includes("T") ? endDate : `${endDate}T23:59:59Z`))
      report("startDate", `is ${startDate}, which is after endDate, ${endDate}`);
  },
  async run({ api }, { limit = largestPage, page, apiVersion, ...inputs }) {
    // Pages of the same size, so that they fill the limit as nearly as they can.
    const perPage = Math.ceil(limit / Math.ceil(limit / largestPage));
    const query = {
      page,
      per_page: perPage,
      all_users: inputs.allUsers ? 1 : undefined,
      include_query_properties: inputs.includeQueryProperties ? true : undefined,
      start_date: inputs.startDate,
      end_date: inputs.endDate,
    };
    const commands: CommandRecord[] = [];
    let nextPage: number | undefined;
    let at = page ?? 1;
    for await (const found of pages((one) => readPage(api, one, apiVersion), query)) {
      commands.push(...found.commands);
      // A page of which a part is cut off is the one to go on with.
      nextPage = commands.length > limit ? at : found.nextPage;
      at = found.nextPage ?? at;
      if (commands.length >= limit) break;
    }
    return { commands: commands.slice(0, limit).map(entryOf), nextPage };
  },
});

function entryOf(record: CommandRecord): z.output<typeof shown> {
  return {
    id: String(record.id),
    ...shownOutputs(record),
    name: record.name ?? undefined,
    label: record.label ?? undefined,
    template: record.template ?? undefined,
    timeout: record.timeout ?? undefined,
    tags: record.tags ?? undefined,
    command: record.command ? withoutKey(record.command) : undefined,
  };
}

/** The history repeats what was submitted. Cut off at the key: where it ends cannot be told, whatever its quoting. */
function withoutKey(command: Record<string, unknown>): Record<string, unknown> {
  const { sub_command_args: line } = command;
  if (typeof line !== "string") return command;
  return { ...command, sub_command_args: line.replace(/--encryptionKey\b.*$/s, "--encryptionKey [secret]") };
}
