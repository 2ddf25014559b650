import { randomUUID } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../api/errors";
import { type Context, defineResource, fromPlainId, PartialSuccess } from "../core/define";
import { isTag, largestPage, pages, readPage, tagOf, watchOf } from "../platform/commands/history";
import { commandAdvice, commandInputs, commandRules, sameCommand } from "../platform/commands/inputs";
import { type CommandRecord, commandOutputs, hasEnded, hasSucceeded, outputsFrom } from "../platform/commands/record";
import { findOrSubmit, submit } from "../platform/commands/submit";
import {
  extendedWaitOptions,
  killAndReport,
  type Wait,
  WaitFailure,
  waitForEnd,
  waitInput,
  withWayOut,
} from "../platform/commands/wait";

export const command = defineResource({
  type: "Command",
  doc: `A Spark, S3DistCp or table-refresh command that is submitted once.

It is submitted when the resource is created, and again when an input or a value in \`triggers\` changes. Set exactly one of \`spark\`, \`s3DistCp\` and \`tableRefresh\`. To submit a command on every \`pulumi up\`, use the function \`submitCommand\`.

With \`wait\`, creation succeeds once the command has the status \`done\`. A command that fails stays in the state with its id: every further \`pulumi up\` is an error, also after a refresh, and nothing is resubmitted until you change a value in \`triggers\`, or run \`pulumi up --replace <urn>\`. A lost response never submits a command twice: each submission carries a unique tag, and the provider searches the command history for it for half a minute. If it is not found, the state keeps the tag, nothing is resent, and the next \`pulumi up\` looks for it again, and submits it only where the history tells that it is missing.

Interrupting \`pulumi up\` does not stop the command. In plugin mode it ends the wait and keeps the command in the state. In dynamic mode Pulumi does not notify resources of the interrupt, so the wait continues until the command finishes or \`wait.timeoutSeconds\` expires.

With the extended API (\`dataplatform:extendedApi\`) the status is read from the command itself instead of the history, and the error of a failed command contains the end of its log. \`onDestroy: "kill"\` stops a command that has not ended when the resource is destroyed or replaced; \`wait.killOnTimeout\` and \`wait.killOnCancel\` stop it when the wait ends early.`,
  inputs: z.object({
    ...commandInputs,
    triggers: z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .optional()
      .meta({ meansWhenAbsent: [] })
      .describe("Arbitrary values. When one of them changes, the command is submitted again."),
    wait: waitInput,
    onDestroy: z
      .enum(["keep", "kill"])
      .optional()
      .describe(
        "What happens to a command that has not ended when the resource is destroyed or replaced: `keep` lets it run, `kill` stops it. The value of the last `pulumi up` counts. `kill` needs the extended API (`dataplatform:extendedApi`). Default: keep.",
      ),
  }),
  outputs: z.object(commandOutputs),
  importId: {
    format: "the command's id",
    example: "4711",
    note: "The inputs in the program are assumed to be those that were submitted, and nothing is sent until they change: the command history does not show all of them, and `pulumi import` warns that they are missing.",
    tells: fromPlainId("a command id", "4711"),
  },
  same: { ...sameCommand, triggers: (one, other) => Object.keys({ ...one, ...other }).length === 0 },
  replaceOn: ["spark", "s3DistCp", "tableRefresh", "label", "name", "tags", "macros", "timeout", "triggers"],
  settledOutputs: [
    ...(["commandType", "accountId", "userId", "createdAt", "path", "logsResource", "resultsResource"] as const),
    ...(["submitTime", "uid", "commandSource", "pool", "canNotify", "savedQueryMutableId", "command"] as const),
  ],
  limits: {
    refresh:
      "Status, progress and times, from the command history. A command that has dropped out of the history is kept in the state unchanged, with a warning.",
    update:
      "A submitted command cannot be changed: changing any input except `wait`, `onDestroy` and `tagSubmission` submits a new one.",
    kept: stays,
    destroy: "Nothing is removed: the API cannot delete or stop a command, so a running one keeps running.",
  },
  job: {
    // One that failed stays an error, also after a refresh, which clears the engine's own record of it.
    isDone: hasSucceeded,
    // Part of the inputs from the start, so that a killed run leaves the tag in the state's pending operations.
    ownInputs: { submissionTag: tagOf },
  },
  rules: commandRules,
  advise: commandAdvice,

  async create(context, { wait, triggers: _, onDestroy: __, ...inputs }, { submissionTag = tagOf(randomUUID()) }) {
    const submitted = await submit(context, inputs, String(submissionTag), { keep: true });
    return { id: String(submitted.id), ...(await outputsAfterWait(context, submitted, wait, inputs.timeout)) };
  },

  /** As the history returns them: those of the token's user from the last 30 days. */
  async *list({ api }) {
    for await (const page of pages((query) => readPage(api, query), { per_page: largestPage }))
      for (const { id, name } of page.commands) yield { id: String(id), name: name ?? undefined };
  },

  async read(context, id, state) {
    const { log } = context;
    const found = await watchOf(context, id, state.createdAt)();
    if (found) return { id: String(found.id), ...outputsFrom(found) };
    if (isTag(id)) log.warn(stays(id, state));
    else if (state.status === undefined)
      throw new PlatformError(`command ${id} is not in the command history; check the id`, { code: "not-found" });
    else log.warn(`command ${id} is no longer in the command history; keeping its last known state (${state.status})`);
    return {};
  },

  async update(context, id, old, { wait, triggers: _, onDestroy: __, ...inputs }) {
    const isOpen = isTag(id) && old.status === undefined;
    const latest = await (isOpen ? findOrSubmit(context, inputs, id) : watchOf(context, id, old.createdAt)());
    if (latest && isTag(id))
      context.log.warn(`this is command ${latest.id}; run "pulumi refresh", so that its id is that of the command`);
    if (latest) return outputsAfterWait(context, latest, wait, inputs.timeout);
    if (!wait || hasSucceeded(old)) return {};
    const which = hasEnded(old)
      ? `command ${id} ended with status ${old.status}, and is`
      : `cannot wait for command ${id}: it is`;
    const why = `${which} no longer in the command history; set wait to false, or change a value in triggers`;
    throw new PlatformError(why, { code: "not-found" });
  },

  extended: {
    limits: {
      refresh:
        "Status, progress and times. A command that the platform no longer shows is kept in the state unchanged, with a warning.",
      destroy:
        'A command that has not ended keeps running; with `onDestroy: "kill"` it is stopped. What has ended stays in the history: the API cannot delete a command.',
    },
    onlyWith: ({ wait, onDestroy }) => [
      ...(onDestroy === "kill" ? (["onDestroy"] as const) : []),
      ...extendedWaitOptions(wait),
    ],
    async delete(context, id, state) {
      const { status, createdAt, onDestroy } = state;
      if (onDestroy !== "kill")
        context.log.warn(
          status === undefined || hasEnded(state)
            ? stays(id, state)
            : `command ${id} stays on the platform: it was last seen with status ${status}, and onDestroy is not "kill"`,
        );
      else if (!hasEnded(state)) {
        const watch = watchOf(context, id, createdAt);
        const known = isTag(id) ? (await watch())?.id : id;
        if (known === undefined) return context.log.warn(stays(id, state));
        const killed = await killAndReport(context, known, watch, status);
        if (killed.outcome === "lacking") context.log.warn(stays(id, killed));
      }
    },
  },
});

function stays(id: string, { status, ...state }: Partial<Parameters<typeof hasEnded>[0]>): string {
  if (status === undefined)
    return `nothing tells whether a command was submitted with the tag ${id}: if so, it stays on the platform`;
  return hasEnded({ ...state, status })
    ? `command ${id} (${status}) stays in the platform's history: the API cannot delete it`
    : `command ${id} stays on the platform: it was last seen with status ${status}, and the API cannot stop a command`;
}

/** The command is already submitted here, so any failure must keep it in the state. */
async function outputsAfterWait(context: Context, submitted: CommandRecord, wait: Wait, timeout: number | undefined) {
  if (!wait) return outputsFrom(submitted);
  try {
    return outputsFrom(await waitForEnd(context, submitted, wait, timeout));
  } catch (error) {
    const latest = error instanceof WaitFailure ? error.command : submitted;
    throw new PartialSuccess(String(submitted.id), outputsFrom(latest), withWayOut(error as Error));
  }
}
