import { isPlatformError, outcomeUnknown } from "../../api/errors";
import { operations } from "../../api/operations";
import type { Context } from "../../core/define";
import { importAdvice } from "../../core/urn";
import { findByTag } from "./history";
import { requestBody, type Submission } from "./inputs";
import { type CommandRecord, commandRecord } from "./record";

/** A tag that identifies a single submission. */
export function tagOf(seed: string): string {
  return `pulumi-dataplatform:${seed}`;
}

/** How often to search the history for a submission whose response was lost: for half a minute in total. */
const maxLookups = 7;

/** Submits a command exactly once, even if the response is lost. */
export async function submit({ api, log }: Context, inputs: Submission, tag: string): Promise<CommandRecord> {
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
    const what = isTagged ? `the tag ${tag}` : "it; it has no tag";
    throw outcomeUnknown(
      withHint(error, inputs),
      `Before you run this again, search the command history for ${what}. If it is there, it was submitted, and running this again would submit it a second time: as a resource, ${importAdvice("Command", "<command id>")}`,
    );
  }
}

function withHint(error: unknown, { spark, ...others }: Submission): unknown {
  if (spark?.cmdline === undefined || !isPlatformError(error, "rejected")) return error;
  const given = beside.filter((name) => others[name] !== undefined && others[name] !== false);
  if (given.length === 0) return error;
  return error.with(`${error.message}. If the platform allows only cmdline, omit ${given.join(", ")}`);
}

const beside = ["label", "name", "tags", "macros", "timeout", "tagSubmission"] as const;
