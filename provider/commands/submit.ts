import { randomUUID } from "node:crypto";
import type { Client } from "../api/client";
import { isPlatformError, outcomeUnknown, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { finderOf } from "./history";
import { requestBody, type Submission } from "./inputs";
import { type CommandRecord, commandRecord } from "./record";

/** Submits a command once, whatever happens to the answer: a tag of its own tells it from all others. */
export async function submit({ api, log, signal }: Context, inputs: Submission): Promise<CommandRecord> {
  const tag = `pulumi-dataplatform:${randomUUID()}`;
  const lookUp = (): Promise<CommandRecord | undefined> => find(api, tag, signal);
  const call = {
    body: requestBody({ ...inputs, tags: [...(inputs.tags ?? []), tag] }),
    answer: commandRecord,
    signal,
    lookUp,
    // A platform that is slow to answer may still be about to carry it out: then nothing found does not mean nothing done.
    mayRepeat: (error: PlatformError) => error.code !== "timeout",
  };
  const howToFindOut = `Look in the command history for the tag ${tag} before you run this again.`;
  const command = await api.callOnce(operations.submitCommand, call).catch((error: unknown) => {
    // Told to stop between a lost answer and the search for it.
    if (isPlatformError(error, "cancelled"))
      throw new PlatformError(`${error.message}; the command may have been submitted. ${howToFindOut}`, error);
    throw outcomeUnknown(error, howToFindOut);
  });
  log.info(`command ${command.id} submitted (${command.status})`);
  return command;
}

/** Looks several times: a platform that lost its answer may take a moment to show what it did. */
async function find(api: Client, tag: string, signal: AbortSignal | undefined): Promise<CommandRecord | undefined> {
  try {
    for (let look = 0; look < 3; look++) {
      if (look > 0) await api.pause(look * 1000, signal);
      const found = await finderOf(api).byTag(tag, signal);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    throw new PlatformError(
      `the answer to the submission was lost, and the history, which would show whether it was carried out, could not be read: ${(error as Error).message}. Look there for the tag ${tag} before you run this again`,
      { code: "outcome-unknown", cause: error },
    );
  }
}
