import { isPlatformError, leavesOutcomeOpen, outcomeUnknown } from "../../api/errors";
import { operations } from "../../api/operations";
import type { Context } from "../../core/define";
import { finderOf } from "./history";
import { requestBody, type Submission } from "./inputs";
import { type CommandRecord, commandRecord } from "./record";

/** The tag of one submission, which tells it from all others. */
export function tagOf(seed: string): string {
  return `pulumi-dataplatform:${seed}`;
}

/** How often the history is looked at for a submission whose answer was lost: for half a minute in all. */
const looks = 7;

/** Submits a command once, whatever happens to the answer. */
export async function submit({ api, log }: Context, inputs: Submission, tag: string): Promise<CommandRecord> {
  const command = await (inputs.tagSubmission === false ? submitUntagged() : submitTagged());
  log.info(`command ${command.id} submitted (${command.status})`);
  return command;

  async function submitTagged(): Promise<CommandRecord> {
    const body = requestBody({ ...inputs, tags: [...(inputs.tags ?? []), tag] });
    const lookUp = () => finderOf(api).byTag(tag, api);
    const howToFindOut = `Look in the command history for the tag ${tag} before you run this again`;
    const send = (body: object) =>
      api.callOnce(operations.submitCommand, { body, answer: commandRecord, lookUp, looks });
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
      throw outcomeUnknown(error, "It carries no tag: look in the command history for it before you run this again");
    }
  }
}

/**
 * A table refresh names itself by its template; whether a platform also wants the type that its answer shows is not
 * said. What was refused was not done, so it may be sent in the other form.
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
  const hint = "If it allows nothing beside cmdline, set tagSubmission to false, and leave label, name and tags out";
  return error.with(`${error.message}. ${hint}`);
}
