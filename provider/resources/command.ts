import { randomUUID } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../api/errors";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { fromPlainId } from "../core/import-id";
import { readIfPermitted } from "../core/permitted";
import { finderOf } from "../platform/commands/history";
import { commandAdvice, commandInputs, commandRules } from "../platform/commands/inputs";
import { type CommandRecord, commandOutputs, hasEnded, outputsFrom } from "../platform/commands/record";
import { submit, tagOf } from "../platform/commands/submit";
import { type Wait, WaitFailure, waitForEnd, waitInput } from "../platform/commands/wait";

const fromId = fromPlainId("a command id", "4711");

export const command = defineResource({
  type: "Command",
  doc: `A Spark, S3DistCp or table-refresh command that is submitted once.

It is submitted when the resource is created, and again when an input or a value in \`triggers\` changes. Set exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. To submit a command on every \`pulumi up\`, use the function \`submitCommand\`.

With \`wait\`, creation succeeds once the command has finished with status \`done\`. A command that fails stays in the state with its id and is not resubmitted automatically: change a value in \`triggers\`, or run \`pulumi up --replace <urn>\`. A lost response never submits a command twice: each submission carries a unique tag, and the provider searches the command history for it for half a minute. If it is not found, the error names the tag, and nothing is resent.

Interrupting \`pulumi up\` never stops the command. In plugin mode it ends the wait and keeps the command in the state. In dynamic mode Pulumi does not notify resources of the interrupt, so the wait continues until the command finishes or \`wait.timeoutSeconds\` expires.`,
  inputs: z.object({
    ...commandInputs,
    triggers: z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .optional()
      .describe("Arbitrary values. When one of them changes, the command is submitted again."),
    wait: waitInput,
  }),
  outputs: z.object(commandOutputs),
  importId: {
    format: "the command's id",
    example: "4711",
    note: "The command history does not show every input: declare the inputs exactly as they were submitted, or the next `pulumi up` submits the command again.",
  },
  replaceOn: ["spark", "s3DistCp", "tableRefresh", "label", "name", "tags", "macros", "timeout", "triggers"],
  settledOutputs: ["commandType", "accountId", "userId", "createdAt", "path", "logsResource", "resultsResource"],
  secrets: ["s3DistCp.encryptionKey"],
  limits: {
    refresh:
      "Status, progress and times, from the command history. A command that has dropped out of the history is kept in the state unchanged, with a warning.",
    update: "A submitted command cannot be changed: changing any input except `wait` submits a new one.",
    destroy: "Nothing is removed: the API cannot delete or stop a command, so a running one keeps running.",
  },
  // Part of the inputs from the start, so that a killed run leaves the tag in the state's pending operations.
  sealed: { submissionTag: tagOf },
  rules: commandRules,
  advise: commandAdvice,
  unfinished: ({ status }, { wait }) => (wait && !hasEnded(status) ? ["wait"] : []),

  async create(context, { wait, triggers: _, ...inputs }, { submissionTag = tagOf(randomUUID()) }) {
    const submitted = await submit(context, inputs, String(submissionTag));
    return { id: String(submitted.id), ...(await outputsAfterWait(context, submitted, wait, inputs.timeout)) };
  },

  async read({ api, log }, id, state) {
    const importing = state.status === undefined;
    const search = async () => (await finderOf(api).byId(validId(id), state.createdAt)) ?? "not listed";
    const found = importing ? await search() : await readIfPermitted(log, `command ${id}`, search);
    if (found === undefined) return {};
    if (found !== "not listed") return outputsFrom(found);
    if (importing)
      throw new PlatformError(`command ${id} is not in the command history; check the id`, { code: "not-found" });
    log.warn(`command ${id} is no longer in the command history; keeping its last known state (${state.status})`);
    return {};
  },

  fromId,

  async update(context, id, old, { wait, timeout }) {
    const latest = await finderOf(context.api).byId(validId(id), old.createdAt);
    if (latest) return outputsAfterWait(context, latest, wait, timeout);
    if (!wait || hasEnded(old.status)) return {};
    throw new PlatformError(
      `cannot wait for command ${id}: it is no longer in the command history; set wait to false`,
      { code: "not-found" },
    );
  },

  kept: (id, { status }) =>
    hasEnded(status)
      ? `command ${id} (${status}) stays in the platform's history: the API cannot delete it`
      : `command ${id} was last seen with status ${status} and is not stopped: the API cannot stop a command`,
});

/** The command is already submitted here, so any failure must keep it in the state. */
async function outputsAfterWait(context: Context, submitted: CommandRecord, wait: Wait, timeout: number | undefined) {
  if (!wait) return outputsFrom(submitted);
  try {
    return outputsFrom(await waitForEnd(context, submitted, wait, timeout));
  } catch (error) {
    const latest = error instanceof WaitFailure ? error.command : submitted;
    throw new PartialSuccess(String(submitted.id), outputsFrom(latest), error as Error);
  }
}

function validId(id: string): string {
  fromId(id);
  return id;
}
