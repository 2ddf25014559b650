import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { type HistoryPage, largestPage, pages, pagingInfo, readPage } from "../platform/commands/history";
import { type CommandRecord, commandOutputs, outputsFrom } from "../platform/commands/record";
import { told } from "../values/fields";
import { atLeast, flag } from "../values/simple";

const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/, "must be a date, YYYY-MM-DD, or a UTC time, YYYY-MM-DDTHH:MM:SSZ")
  .meta({ format: "moment" })
  .optional();

const text = z.string().optional();
const count = atLeast(1).optional();

const historyCommand = z
  .object({
    id: z.string().describe("Id of the command."),
    ...commandOutputs,
    name: text.describe("Name."),
    label: text.describe("Label of the cluster."),
    template: text.describe("Template; `s3import` for a table refresh."),
    timeout: z.number().optional().describe("Timeout in seconds."),
    tags: z.array(z.string()).optional().describe("Tags, with `includeQueryProperties`."),
    comments: z
      .unknown()
      .optional()
      .describe("Comments of the query history, in the platform's form, with `includeQueryProperties`."),
    command: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "Submitted parameters, with their names in the API. The arguments of S3DistCp are cut off at an encryption key.",
      ),
  })
  .meta({ id: "HistoryCommand", description: "A command in the command history." });

export const getCommandHistory = defineFunction({
  name: "getCommandHistory",
  doc: `Returns the commands that were submitted, in the platform's order.

The result is not a secret, and has the text of every command in it, also of one that a program has marked as a secret: if there are such commands, wrap it in \`pulumi.secret\`. The order is not documented. The function reads as many pages as \`limit\` requires. To go through a long history without holding all of it in memory, iterate over \`commandHistory(args)\`: \`for await (const command of dataplatform.commandHistory()) …\`.`,
  inputs: z.object({
    limit: count.describe(
      `Maximum number of commands to return, read in pages of at most ${largestPage}. Default: ${largestPage}.`,
    ),
    page: count.describe(
      `Page to start with: 1, or \`nextPage\` of an earlier call with the same \`limit\`. A page has \`limit\` commands; a \`limit\` over ${largestPage} is split into equal pages of at most ${largestPage}. Default: 1.`,
    ),
    allUsers: flag.describe("Return the commands of all users, not only those of the token's user. Default: false."),
    includeQueryProperties: flag.describe("Also return the tags and the comments. Default: false."),
    startDate: moment.describe(
      "Start of the range, inclusive: a date or a UTC time. Default: 30 days before `endDate`.",
    ),
    endDate: moment.describe("End of the range, inclusive: a date or a UTC time. Default: today."),
    apiVersion: z
      .enum(["v1", "v1.2"])
      .meta({ schemaName: "CommandHistoryApiVersion" })
      .optional()
      .describe("API version. Default: `v1.2`."),
  }),
  outputs: z.object({
    commands: z.array(historyCommand).describe("Commands, in the platform's order."),
    nextPage: z
      .int()
      .optional()
      .describe(
        "Page to continue with; absent after the last page. If `limit` cut off part of a page, it is that page again, so some of its commands repeat.",
      ),
    pagingInfo: pagingInfo.optional().describe("What the platform says about the page that was read last."),
  }),
  effect: "reads",
  async run({ api, log }, { limit = largestPage, page, apiVersion, ...inputs }) {
    const { startDate, endDate } = inputs;
    // A date means the whole day.
    if (startDate && endDate && startDate > (endDate.includes("T") ? endDate : `${endDate}T23:59:59Z`))
      log.warn(`startDate is ${startDate}, which is after endDate (${endDate}), so there may be nothing to return`);
    // Equal pages that fill the limit as closely as possible.
    const perPage = Math.ceil(limit / Math.ceil(limit / largestPage));
    const query = {
      page,
      per_page: perPage,
      all_users: inputs.allUsers ? 1 : undefined,
      include_query_properties: inputs.includeQueryProperties ? true : undefined,
      start_date: startDate,
      end_date: endDate,
    };
    const commands: CommandRecord[] = [];
    let nextPage: number | undefined;
    let info: HistoryPage["pagingInfo"];
    let at = page ?? 1;
    for await (const found of pages((pageQuery) => readPage(api, pageQuery, apiVersion), query)) {
      commands.push(...found.commands);
      info = found.pagingInfo;
      // If part of this page is cut off, continue with this page.
      nextPage = commands.length > limit ? at : info?.nextPage;
      at = info?.nextPage ?? at;
      if (commands.length >= limit) break;
    }
    return { commands: commands.slice(0, limit).map(entryOf), nextPage, pagingInfo: info };
  },
});

function entryOf(record: CommandRecord): z.output<typeof historyCommand> {
  return {
    ...told(historyCommand.shape, record),
    ...outputsFrom(record),
    id: String(record.id),
    comments: commentsIn(record),
    command: record.command ? withoutEncryptionKey(record.command) : undefined,
  };
}

/** The specification does not show how the field is called. */
function commentsIn(record: CommandRecord): unknown {
  return Object.entries(record).find(
    ([name, value]) => /comment/i.test(name) && (value ?? undefined) !== undefined,
  )?.[1];
}

/** The history repeats the submitted arguments. Cuts off everything after the key: quoting hides where it ends. */
function withoutEncryptionKey(command: Record<string, unknown>): Record<string, unknown> {
  const { sub_command_args: line } = command;
  if (typeof line !== "string") return command;
  return { ...command, sub_command_args: line.replace(/--encryptionKey\b.*$/s, "--encryptionKey [secret]") };
}
