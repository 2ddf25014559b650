import { isPlatformError, leavesOutcomeOpen, outcomeUnknown } from "../../api/errors";
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
    const send = (body: object) =>
      api.callOnce(operations.submitCommand, { body, answer: commandRecord, lookUp, looks: maxLookups });
    try {
      return await inEitherForm(inputs, body, send);
    } catch (error) {
      throw outcomeUnknown(withHintAboutTag(error, inputs), howToFindOut);
    }
  }

  async function submitUntagged(): Promise<CommandRecord> {
    const send = (body: object) => api.call(operations.submitCommand, { body, answer: commandRecord });
    try {
      return await inEitherForm(inputs, requestBody(inputs), send);
    } catch (error) {
      throw outcomeUnknown(error, "Before you run this again, search the command history for it; it has no tag");
    }
  }
}

/**
 * A table refresh is identified by its template. The API's manual does not say whether a platform also requires the type
 * that the response shows. A refused submission was not carried out, so retry it with the type.
 */
async function inEitherForm<T>(
  { tableRefresh }: Submission,
  body: object,
  send: (body: object) => Promise<T>,
): Promise<T> {
  try {
    return await send(body);
  } catch (error) {
    if (!tableRefresh || !isPlatformError(error, "rejected") || leavesOutcomeOpen(error)) throw error;
    return send({ ...body, command_type: "HiveCommand" }).catch((second: unknown) => {
      throw leavesOutcomeOpen(second) ? second : error;
    });
  }
}

function withHintAboutTag(error: unknown, { spark }: Submission): unknown {
  if (spark?.cmdline === undefined || !isPlatformError(error, "rejected")) return error;
  const hint = "If the platform allows only cmdline, set tagSubmission to false and omit label, name and tags";
  return error.with(`${error.message}. ${hint}`);
}
