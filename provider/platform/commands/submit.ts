import { isPlatformError, leavesOutcomeOpen, outcomeUnknown, PlatformError } from "../../api/errors";
import { operations } from "../../api/operations";
import { type Context, PartialSuccess } from "../../core/define";
import { importAdvice } from "../../core/urn";
import { findByTag, ofEarlierRun } from "./history";
import { requestBody, type Submission } from "./inputs";
import { type CommandRecord, commandRecord } from "./record";

/** How often to search the history for a submission whose response was lost: for half a minute in total. */
const maxLookups = 7;

/** Submits a command exactly once, even if the response is lost. `keep`: of a resource, whose state can remember the tag. */
export async function submit(
  { api, log }: Context,
  inputs: Submission,
  tag: string,
  { keep = false } = {},
): Promise<CommandRecord> {
  // The manual: with cmdline, no other parameter may be used.
  const isTagged = inputs.tagSubmission ?? inputs.spark?.cmdline === undefined;
  const body = requestBody(isTagged ? { ...inputs, tags: [...(inputs.tags ?? []), tag] } : inputs);
  const request = { body, answer: commandRecord };
  const submittedAt = Date.now();
  const lookUp = async () => (await findByTag(api, tag, { since: submittedAt })).found;
  try {
    const command = await (isTagged
      ? api.callOnce(operations.submitCommand, { ...request, lookUp, looks: maxLookups })
      : api.call(operations.submitCommand, request));
    log.info(`command ${command.id} submitted (${command.status})`);
    return command;
  } catch (error) {
    const hinted = withHint(error, inputs);
    if (keep && isTagged && leavesOutcomeOpen(hinted))
      throw new PartialSuccess(tag, {}, outcomeUnknown(hinted, `${lookedUpLater} ${unlessFound(tag)}`) as Error);
    const what = isTagged ? `the tag ${tag}` : "it; it has no tag";
    throw outcomeUnknown(
      hinted,
      `Before you run this again, search the command history for ${what}. If it is there, it was submitted, and running this again would submit it a second time: as a resource, ${importAdvice("Command", "<command id>")}`,
    );
  }
}

const lookedUpLater =
  'It is kept in the state: the next "pulumi up" looks for it again, and submits it only where the history tells that it is missing.';

function unlessFound(tag: string): string {
  return `If you find nothing with the tag ${tag} in the command history, "pulumi up --replace" of this resource submits it at once`;
}

/** At the next `up`: the command, which is submitted now if it was not before. */
export async function findOrSubmit(context: Context, inputs: Submission, tag: string): Promise<CommandRecord> {
  const { found, isMissing } = await findByTag(context.api, tag, ofEarlierRun);
  if (found) return found;
  if (isMissing) return submit(context, inputs, tag, { keep: true });
  const message = `whether this command was submitted is still unknown, because the command history does not show tags, or not all. ${unlessFound(tag)}; if it is there in another form, run "pulumi state delete" and then ${importAdvice("Command", "<command id>")}`;
  throw new PartialSuccess(tag, {}, new PlatformError(message, { code: "outcome-unknown", outcome: "open" }));
}

function withHint(error: unknown, { spark, ...others }: Submission): unknown {
  if (spark?.cmdline === undefined || !isPlatformError(error, "rejected")) return error;
  const beside = ["label", "name", "tags", "macros", "timeout", "tagSubmission"] as const;
  const given = beside.filter((name) => others[name] !== undefined && others[name] !== false);
  if (given.length === 0) return error;
  return error.with(`${error.message}. If the platform allows only cmdline, omit ${given.join(", ")}`);
}
