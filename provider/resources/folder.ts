import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { afterEarlier, type Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { absenceIn, saysItIsElsewhere, saysWhoseNameItIs } from "../api/meaning";
import { operations } from "../api/operations";
import { accountIdOutput, type Context, defineResource, keepIfOpen, PartialSuccess, wrongId } from "../core/define";
import { noteRename } from "../platform/policies/folders";
import { explained } from "../platform/policies/place";
import { folderLocation, folderType, folderTypes, isNamed, locationAdvice, renamedLocation } from "../values/folder";
import { sameId, textId } from "../values/id";

const inputs = z.object({
  folderId: textId.describe("Id of the folder."),
  type: folderType,
  name: z
    .string()
    .regex(
      /^(?!\s)[^/]+(?<!\s)$/,
      "must be a name without slashes and without leading or trailing spaces, not a location",
    )
    .describe("Name to give the folder."),
  location: folderLocation.describe(
    "Location of the folder when this resource is created, such as `Common/reports`. Change it only if somebody else moved or renamed the folder: set it to the folder's new location.",
  ),
});
type Inputs = z.output<typeof inputs>;

export const folder = defineResource({
  type: "Folder",
  doc: `The name of an existing notebook or dashboard folder.

The API can rename a folder, but not create or remove one. The specification does not say whether a rename changes the folder's location too. \`currentLocation\` is where the folder is expected after each rename, and the next rename is sent there, so \`location\` in the program can keep its original value. A rename that does not find the folder changes nothing, and the next \`pulumi up\` looks at the next place; a folder that is found where it was before its last rename is expected to stay there.`,
  inputs,
  outputs: z.object({
    currentLocation: z.string().describe("Where the folder is expected after the last rename: the API cannot show it."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/folderId`",
    example: "notes/701",
    note: "The API cannot show folders: the `name` and `location` in the program are assumed to be correct, and nothing is sent until one of them changes. `currentLocation` has no value before the first rename: until then, give what needs it the `location` itself.",
    tells(id) {
      const [, kind, folderId] = /^(\w+)\/(\S+)$/.exec(id) ?? [];
      const type = folderTypes.find((known) => known === kind);
      if (type && folderId) return { type, folderId };
      throw wrongId(id, "a folder id", `type/folderId, such as notes/701, with one of ${folderTypes.join(", ")}`);
    },
  },
  replaceOn: ["folderId", "type"],
  keys: {
    property: "folderId",
    of: ({ type, folderId }) => (type === undefined || folderId === undefined ? [] : [`folder ${type}/${folderId}`]),
  },
  settledOutputs: ["accountId"],
  same: { folderId: sameId },
  advise: ({ location }) => locationAdvice(location),
  limits: {
    thing: "a folder",
    // An import may not know where it is.
    kept: (id, { location, currentLocation = location }) =>
      `folder ${id} stays on the platform${currentLocation ? ` at ${currentLocation}` : ""}, with its current name: the API cannot remove folders`,
  },

  async create(context, inputs) {
    const id = `${inputs.type}/${inputs.folderId}`;
    // A resource that this one replaces, such as itself under another name, may have renamed the folder.
    const rename = () =>
      renameFolder(context, inputs, inputs.location, "another").catch(explained("rejected", ifMoved));
    return { id, currentLocation: await keepIfOpen(id, {}, rename) };
  },

  async update(context, id, old, inputs, { redo }) {
    const isMoved = old.location !== inputs.location;
    const at = (isMoved ? undefined : old.currentLocation) ?? inputs.location;
    // It has its name and is here all the same, under another one: this platform does not move what it renames.
    const stays = !redo && !isMoved && old.name !== undefined && !isNamed(at, old.name);
    const rename = () => renameFolder(context, inputs, at, redo ? "we" : "nobody", stays);
    try {
      return { currentLocation: await keepIfOpen(id, {}, rename) };
    } catch (error) {
      const isNotThere = error instanceof NotThere;
      // Some platforms answer a wrong location with "invalid" or "conflict": the reason stays theirs, and the place may be wrong.
      if (!isNotThere && !isPlatformError(error, "rejected", "conflict")) throw error;
      // What an earlier run has sent stays open, although this one was refused.
      const isStillOpen = redo && ({ outcome: "open" } as const);
      // What was said where it is expected, before another place was tried. If that is about something else, it is there.
      const said = isPlatformError(error.cause) ? error.cause : error;
      if (!isPlatformError(said, "not-found") && !saysItIsElsewhere(said)) {
        const advice = saysWhoseNameItIs(said) ? "" : `. ${ifMoved}`;
        const refused = error.with(`${error.message}${advice}`, { ...isStillOpen });
        throw redo ? new PartialSuccess(id, { name: old.name }, refused) : refused;
      }
      // Where the program says, where the last rename put it, or where a killed run has: one after the other, in a circle.
      const afterLast = renamedLocation(inputs.location, old.name ?? inputs.name);
      const circle = [...new Set([inputs.location, afterLast, renamedLocation(at, inputs.name)])];
      const places = isNotThere
        ? [...circle.slice(circle.indexOf(at) + 1), ...circle]
        : circle.slice(0, isMoved ? 1 : 2);
      const next = places.find((place) => place !== at);
      if (next === undefined) throw error;
      const again = error.with(`${error.message}. The next "pulumi up" looks at ${next}`, { ...isStillOpen });
      throw new PartialSuccess(id, { name: old.name, currentLocation: next }, again);
    }
  },
});

const ifMoved = "If the folder has been renamed or moved before, set location to where it is now";

class NotThere extends PlatformError {}

/** Who may have renamed the folder before: another resource, such as itself under another name, or a lost request of ours. */
type Before = "nobody" | "another" | "we";

/** Renames a folder. What manages its policy is deleted where the run has moved it to. `stays`: a rename does not move it. */
async function renameFolder(
  context: Context,
  folder: Inputs,
  at: string,
  before: Before,
  stays = false,
): Promise<string> {
  const target = await rename(context.api, folder, at, before, stays);
  noteRename(context, { type: folder.type, location: at }, target);
  return target;
}

/**
 * Renames the folder, and returns where it is then expected: the specification does not say whether a rename moves it.
 * If an earlier request may have done it, the folder is looked for where that put it: there, this request asks for what
 * is so already, and a platform may refuse that. But a name that is taken may be another folder's.
 */
async function rename(api: Client, folder: Inputs, at: string, before: Before, stays: boolean): Promise<string> {
  const target = renamedLocation(at, folder.name);
  const first = await refusalOf(api, folder, at);
  if (first === undefined) return stays ? at : target;
  const isOurs = before === "we" || first.outcome === "open";
  const isSo = (refusal: PlatformError) => saysWhoseNameItIs(refusal) === "somebody's";
  // Elsewhere than where the program says, it is no more than a guess.
  if (at === target && (isOurs || folder.location === at) && isSo(first)) return target;
  const mayBeThere = at !== target && (isOurs || (before === "another" && first.code === "not-found"));
  if (!mayBeThere) throw await notRenamed(api, folder, isOurs, [at, first]);
  const second = await refusalOf(api, folder, target).catch((error) => {
    throw isPlatformError(error) ? afterEarlier(error, first) : error;
  });
  if (second === undefined || (isOurs && isSo(second))) return target;
  throw await notRenamed(api, folder, isOurs, [target, second], [at, first]);
}

/** Sends it to one place. Undefined if the folder there has the name now. */
async function refusalOf(api: Client, folder: Inputs, location: string): Promise<PlatformError | undefined> {
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
  { type, folderId }: Inputs,
  mayBeDone: boolean,
  [at, error]: Tried,
  earlier?: Tried,
): Promise<PlatformError> {
  const isOpen = [error, earlier?.[1]].some(leavesOutcomeOpen);
  // The cause too says what the platform said, so that no secret is shown of it.
  const details = { outcome: isOpen ? "open" : "refused", cause: earlier?.[1] } as const;
  // The next "pulumi up" looks elsewhere, and comes back here in the end. Not for a page, as a proxy would show one.
  const absence = error.form === "page" ? undefined : await absenceIn(api, error);
  if (absence === undefined) {
    if (!earlier) return error.code === "not-found" ? error.with(`${error.message}. ${ifMoved}`) : error;
    const advice = `If the folder at ${at} is folder ${folderId} itself, set location to ${at}`;
    return error.with(`${earlier[1].message}. At ${at}: ${error.message}. ${advice}`, details);
  }
  const wasElse = earlier && earlier[1].code !== "not-found";
  const before = wasElse ? `${earlier[1].message}. ` : "";
  const places = earlier && !wasElse ? `${earlier[0]} or ${at}` : at;
  const unchanged = isOpen || mayBeDone ? "" : ". Nothing was changed";
  const words = error.platformMessage ?? (absence === "unclear" ? error.message : undefined);
  const said = words ? `. The platform says: ${words}` : "";
  return new NotThere(
    `${before}${type} folder ${folderId} is not at ${places} (404); set location to where the folder is now${unchanged}${said}`,
    { ...details, code: "not-found", platformMessage: error.platformMessage },
  );
}
