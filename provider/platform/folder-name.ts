import { anyAnswer } from "../api/answer";
import { afterEarlier, type Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { saysItIsGone, saysWhoseNameItIs } from "../api/meaning";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { type folderTypes, renamedLocation } from "../values/folder";
import type { Id } from "../values/id";
import { noteRename } from "./policies/folders";

/** The name of a folder, which the API can change, and neither show nor remove. */

interface Rename {
  readonly type: (typeof folderTypes)[number];
  readonly folderId: Id;
  readonly name: string;
  /** Where the program says that it is. */
  readonly location: string;
}

export class NotThere extends PlatformError {}

/** Who may have renamed the folder before: another resource, such as itself under another name, or a lost request of ours. */
type Before = "nobody" | "another" | "we";

/** Renames a folder. What manages its policy is deleted where the run has moved it to. */
export async function renameFolder(context: Context, folder: Rename, at: string, before: Before): Promise<string> {
  const target = await rename(context.api, folder, at, before);
  noteRename(context, { type: folder.type, location: at }, target);
  return target;
}

/**
 * Renames the folder, and returns where it is then expected: the specification does not say whether a rename moves it.
 * If an earlier request may have done it, the folder is looked for where that put it: there, this request asks for what
 * is so already, and a platform may refuse that. But a name that is taken may be another folder's.
 */
async function rename(api: Client, folder: Rename, at: string, before: Before): Promise<string> {
  const target = renamedLocation(at, folder.name);
  const first = await refusalOf(api, folder, at);
  if (first === undefined) return target;
  const isOurs = before === "we" || first.outcome === "open";
  const isSo = (refusal: PlatformError) => saysWhoseNameItIs(refusal) === "somebody's";
  if (at === target) {
    // Elsewhere than where the program says, it is no more than a guess.
    if ((isOurs || folder.location === at) && isSo(first)) return target;
    throw await notRenamed(api, folder, isOurs, [at, first]);
  }
  const mayBeThere = isOurs || (before === "another" && first.code === "not-found");
  if (!mayBeThere) throw await notRenamed(api, folder, isOurs, [at, first]);
  const second = await refusalOf(api, folder, target).catch((error) => {
    throw isPlatformError(error) ? afterEarlier(error, first) : error;
  });
  if (second === undefined || (isOurs && isSo(second))) return target;
  throw await notRenamed(api, folder, isOurs, [target, second], [at, first]);
}

/** Sends it to one place. Undefined if the folder there has the name now. */
async function refusalOf(api: Client, folder: Rename, location: string): Promise<PlatformError | undefined> {
  const { type, folderId, name } = folder;
  try {
    const body = { name, folder_id: String(folderId), location, type };
    await api.call(operations.renameFolder, { body, answer: anyAnswer });
    return undefined;
  } catch (error) {
    if (!isPlatformError(error, "not-found", "rejected", "conflict")) throw error;
    return saysWhoseNameItIs(error) === "its" ? undefined : error;
  }
}

type Tried = readonly [place: string, refusal: PlatformError];

async function notRenamed(
  api: Client,
  { type, folderId }: Rename,
  mayBeDone: boolean,
  [at, error]: Tried,
  earlier?: Tried,
): Promise<PlatformError> {
  const isOpen = [error, earlier?.[1]].some(leavesOutcomeOpen);
  // The cause too says what the platform said, so that no secret is shown of it.
  const details = { outcome: isOpen ? "open" : "refused", cause: earlier?.[1] } as const;
  if (!(await saysItIsGone(api, error))) {
    if (!earlier) return error;
    const advice = `If the folder at ${at} is folder ${folderId} itself, set location to ${at}`;
    return error.with(`${earlier[1].message}. At ${at}: ${error.message}. ${advice}`, details);
  }
  const wasElse = earlier && earlier[1].code !== "not-found";
  const before = wasElse ? `${earlier[1].message}. ` : "";
  const places = earlier && !wasElse ? `${earlier[0]} or ${at}` : at;
  const unchanged = isOpen || mayBeDone ? "" : ". Nothing was changed";
  const said = error.platformMessage ? `. The platform says: ${error.platformMessage}` : "";
  return new NotThere(
    `${before}${type} folder ${folderId} is not at ${places} (404); set location to where the folder is now${unchanged}${said}`,
    { ...details, code: "not-found", platformMessage: error.platformMessage },
  );
}
