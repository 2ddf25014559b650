import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { folderLocation, folderType, folderTypes, renamedLocation } from "../values/folder";
import { type Id, sameId, textId } from "../values/id";

interface Rename {
  readonly type: (typeof folderTypes)[number];
  readonly folderId: Id;
  readonly name: string;
}

export const folder = defineResource({
  type: "Folder",
  doc: `The name of an existing notebook or dashboard folder.

The API can rename a folder, but not create or remove one. A rename also changes the last part of the folder's location. \`currentLocation\` follows every rename, so \`location\` in the program can keep its original value.`,
  inputs: z.object({
    folderId: textId.describe("Id of the folder."),
    type: folderType,
    name: z
      .string()
      .regex(
        /^(?!\s)[^/]+(?<!\s)$/,
        "must be a name without slashes and without leading or trailing spaces; a rename does not move a folder",
      )
      .describe("Name to give the folder."),
    location: folderLocation.describe(
      "Location of the folder when this resource is created, such as `Common/reports`. Change it only if somebody else moved or renamed the folder: set it to the folder's new location.",
    ),
  }),
  outputs: z.object({
    currentLocation: z.string().describe("Location of the folder after the last rename."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/folderId`",
    example: "notes/701",
    note: "The API cannot show folders: the `name` and `location` in the program are assumed to be correct, and nothing is sent until one of them changes.",
  },
  replaceOn: ["folderId", "type"],
  keys: {
    property: "folderId",
    of: ({ type, folderId }) => (type === undefined || folderId === undefined ? [] : [`folder ${type}/${folderId}`]),
  },
  settledOutputs: ["accountId"],
  same: { folderId: sameId },
  secrets: [],
  limits: {
    unseen: "the API cannot show folders",
    destroy: "Nothing is removed: the folder stays, with its current name. A warning says so.",
  },

  fromId(id) {
    const [, kind, folderId] = /^(\w+)\/(\S+)$/.exec(id) ?? [];
    const type = folderTypes.find((known) => known === kind);
    if (!type || !folderId)
      throw new PlatformError(
        `${JSON.stringify(id)} is not a folder id; expected type/folderId, such as notes/701, with one of ${folderTypes.join(", ")}`,
        { code: "rejected" },
      );
    return { type, folderId };
  },

  async create({ api }, inputs) {
    const id = `${inputs.type}/${inputs.folderId}`;
    const foundAt = await keepIfOpen(id, {}, () => rename(api, inputs, [inputs.location]));
    return { id, currentLocation: renamedLocation(foundAt, inputs.name) };
  },

  async update({ api }, id, old, inputs) {
    const locationIsNew = old.currentLocation === undefined || old.location !== inputs.location;
    // A new location may be exact, or only name a renamed parent folder: then the folder still has its last name there.
    // Otherwise try where our last rename put it, then the original location: some platforms do not move a renamed folder.
    const locations = locationIsNew
      ? [inputs.location, renamedLocation(inputs.location, old.name ?? inputs.name)]
      : [old.currentLocation, inputs.location];
    const foundAt = await keepIfOpen(id, {}, () => rename(api, inputs, locations));
    const staysInPlace = !locationIsNew && foundAt === inputs.location && foundAt !== old.currentLocation;
    return { currentLocation: staysInPlace ? foundAt : renamedLocation(foundAt, inputs.name) };
  },

  kept: (id, { currentLocation, location }) =>
    `folder ${id} stays on the platform at ${currentLocation ?? location}, with its current name: the API cannot remove folders`,
});

/** Tries the locations in turn, and returns the one where the folder was found. */
async function rename(api: Client, { type, folderId, name }: Rename, locations: readonly string[]): Promise<string> {
  const target = renamedLocation(locations[0]!, name);
  // It may already be at the target, after an earlier rename whose response was lost.
  const candidates = [...new Set([...locations, target])];
  let refused: unknown;
  for (const location of candidates) {
    try {
      await api.call(operations.renameFolder, {
        body: { name, folder_id: String(folderId), location, type },
        answer: anyAnswer,
      });
      return location;
    } catch (error) {
      // Some platforms answer a wrong location with "not found", others with "invalid".
      if (isPlatformError(error, "rejected")) refused ??= error;
      else if (!(await saysItIsGone(api, error))) throw error;
    }
  }
  if (refused) throw refused;
  throw new PlatformError(
    `${type} folder ${folderId} is not at ${candidates.join(" or ")} (404); set location to where the folder is now`,
    { code: "not-found", operation: operations.renameFolder.does },
  );
}
