import { isPlatformError, outcomeUnknown } from "../../api/errors";
import { operations } from "../../api/operations";
import type { Context } from "../../core/define";
import { finderOf } from "./history";
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
  const command = await (inputs.tagSubmission === false ? submitUntagged() : submitTagged());
  log.info(`command ${command.id} submitted (${command.status})`);
  return command;

  async function submitTagged(): Promise<CommandRecord> {
    const body = requestBody({ ...inputs, tags: [...(inputs.tags ?? []), tag] });
    const lookUp = () => finderOf(api).byTag(tag, api);
    const howToFindOut = `Before you run this again, search the command history for the tag ${tag}`;
    try {
      return await api.callOnce(operations.submitCommand, { body, answer: commandRecord, lookUp, looks: maxLookups });
    } catch (error) {
      throw outcomeUnknown(withHintAboutTag(error, inputs), howToFindOut);
    }
  }

  async function submitUntagged(): Promise<CommandRecord> {
    try {
      return await api.call(operations.submitCommand, { body: requestBody(inputs), answer: commandRecord });
    } catch (error) {
      throw outcomeUnknown(error, "Before you run this again, search the command history for it; it has no tag");
    }
  }
}

function withHintAboutTag(error: unknown, { spark }: Submission): unknown {
  if (spark?.cmdline === undefined || !isPlatformError(error, "rejected")) return error;
  const hint = "If the platform allows only cmdline, set tagSubmission to false and omit label, name and tags";
  return error.with(`${error.message}. ${hint}`);
}
