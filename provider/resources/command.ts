import { randomUUID } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../api/errors";
import { type Context, defineResource, PartialSuccess } from "../core/define";
import { fromPlainId } from "../core/import-id";
import { readIfPermitted } from "../core/permitted";
import { finderOf } from "../platform/commands/history";
import { commandAdvice, commandInputs, commandRules } from "../platform/commands/inputs";
import { type CommandRecord, commandOutputs, hasEnded, shownOutputs } from "../platform/commands/record";
import { submit, tagOf } from "../platform/commands/submit";
import { type Wait, WaitFailure, waitForEnd, waitInput } from "../platform/commands/wait";

const fromId = fromPlainId("a command id", "4711");

export const command = defineResource({
  type: "Command",
  doc: `A Spark, S3DistCp or table-refresh command that is submitted once.

It is submitted when the resource is created, and again when an input or a value of \`triggers\` changes. Give exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. What is to be sent at every \`pulumi up\` is the function \`submitCommand\`.

With \`wait\`, the resource is there when the command has ended well. A command that fails stays in the state with its id, and is not submitted again by itself: change a value of \`triggers\`, or run \`pulumi up --replace <urn>\`. A lost answer never submits twice: every submission carries a tag of its own, by which it is looked for in the history for half a minute; what is not found by then is an error that names the tag, and is never sent again by itself.

Interrupting \`pulumi up\` never stops the command. In plugin mode it ends the wait and keeps the command in the state; in dynamic mode Pulumi does not tell resources of it, and the wait goes on until the command has ended or \`wait.timeoutSeconds\` is over.`,
  inputs: z.object({
    ...commandInputs,
    triggers: z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .optional()
      .describe("Any values. When one of them changes, the command is submitted again."),
    wait: waitInput,
  }),
  outputs: z.object(commandOutputs),
  importId: {
    format: "the command's id",
    example: "4711",
    note: "The history does not show all that was submitted: write the inputs as they were, or the next `pulumi up` submits the command again.",
  },
  replaceOn: ["spark", "s3DistCp", "tableRefresh", "label", "name", "tags", "macros", "timeout", "triggers"],
  settledOutputs: ["commandType", "accountId", "userId", "createdAt", "path", "logsResource", "resultsResource"],
  secrets: ["s3DistCp.encryptionKey"],
  limits: {
    refresh:
      "Status, progress and times, from the command history. A command that the history no longer shows is kept as it is, with a warning.",
    update: "A submitted command cannot be changed: every change but that of `wait` submits a new one.",
    destroy: "Nothing is removed: the API cannot delete a command, and one that runs goes on.",
  },
  // In the inputs from the start: a run that is killed leaves the tag in the state's pending operations.
  sealed: { submissionTag: tagOf },
  rules: commandRules,
  advise: commandAdvice,
  unfinished: ({ status }, { wait }) => (wait && !hasEnded(status) ? ["wait"] : []),

  async create(context, { wait, triggers: _, ...inputs }, { submissionTag = tagOf(randomUUID()) }) {
    const submitted = await submit(context, inputs, String(submissionTag));
    return { id: String(submitted.id), ...(await atEnd(context, submitted, wait, inputs.timeout)) };
  },

  async read({ api, log }, id, state) {
    const importing = state.status === undefined;
    const look = async () => (await finderOf(api).byId(checkedId(id), state.createdAt)) ?? "not shown";
    const found = importing ? await look() : await readIfPermitted(log, `command ${id}`, look);
    if (found === undefined) return {};
    if (found !== "not shown") return shownOutputs(found);
    if (importing) throw new PlatformError(`the history shows no command ${id}`, { code: "not-found" });
    log.warn(`the history no longer shows command ${id}; it is kept as it was last seen (${state.status})`);
    return {};
  },

  fromId,

  async update(context, id, old, { wait, timeout }) {
    const latest = await finderOf(context.api).byId(checkedId(id), old.createdAt);
    if (latest) return atEnd(context, latest, wait, timeout);
    if (!wait || hasEnded(old.status)) return {};
    throw new PlatformError(`the history no longer shows command ${id}, so nobody can wait for it; set wait to false`, {
      code: "not-found",
    });
  },

  kept: (id, { status }) =>
    hasEnded(status)
      ? `command ${id} (${status}) stays in the platform's history: the API cannot delete it`
      : `command ${id} was last seen ${status} and is not stopped: the API has no operation for that`,
});

/** The outputs, at the end if somebody wants to wait. Whatever goes wrong from here on, the command has been submitted. */
async function atEnd(context: Context, submitted: CommandRecord, wait: Wait, timeout: number | undefined) {
  if (!wait) return shownOutputs(submitted);
  try {
    return shownOutputs(await waitForEnd(context, submitted, wait, timeout));
  } catch (error) {
    const latest = error instanceof WaitFailure ? error.command : submitted;
    throw new PartialSuccess(String(submitted.id), shownOutputs(latest), error as Error);
  }
}

function checkedId(id: string): string {
  fromId(id);
  return id;
}
