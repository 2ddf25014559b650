import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { folderLocation, folderType, folderTypes, renamedLocation } from "../values/folder";
import { type Id, sameId, textId } from "../values/id";

interface Renaming {
  readonly type: (typeof folderTypes)[number];
  readonly folderId: Id;
  readonly name: string;
}

export const folder = defineResource({
  type: "Folder",
  doc: `The name of an existing notebook or dashboard folder.

The API can rename folders, not make or remove them. A rename changes the folder's location, whose last part is its name: \`currentLocation\` follows every rename, so that \`location\` in the program may stay what it was in the beginning.`,
  inputs: z.object({
    folderId: textId.describe("Id of the folder."),
    type: folderType,
    name: z
      .string()
      .regex(
        /^(?!\s)[^/]+(?<!\s)$/,
        "must be a name without a slash and without spaces around it; a rename does not move a folder",
      )
      .describe("The name that the folder shall have."),
    location: folderLocation.describe(
      "Where the folder is when this resource first sees it, such as `Common/reports`. Change it only when somebody else moved or renamed the folder: then say where it is now.",
    ),
  }),
  outputs: z.object({
    currentLocation: z.string().describe("Where the folder is since it has its name."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/folderId`",
    example: "notes/701",
    note: "The API cannot show folders: `name` and `location` of the program are taken as true, and nothing is sent until one of them changes.",
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
    refresh: "Nothing: the API cannot show folders, so refresh keeps the state as it is.",
    destroy: "Nothing on the platform: the folder stays, with the name it had last. A warning says so.",
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
    const from = await keepIfOpen(id, {}, () => rename(api, inputs, [inputs.location]));
    return { id, currentLocation: renamedLocation(from, inputs.name) };
  },

  async update({ api }, id, old, inputs) {
    const told = old.currentLocation === undefined || old.location !== inputs.location;
    // Told anew where the folder is: there, or, if an enclosing folder got another name, there with the folder's own last
    // name. Otherwise where it went; and where it was, on a platform that leaves a renamed folder in its place.
    const places = told
      ? [inputs.location, renamedLocation(inputs.location, old.name ?? inputs.name)]
      : [old.currentLocation, inputs.location];
    const from = await keepIfOpen(id, {}, () => rename(api, inputs, places));
    const staysInPlace = !told && from === inputs.location && from !== old.currentLocation;
    return { currentLocation: staysInPlace ? from : renamedLocation(from, inputs.name) };
  },

  kept: (id, { currentLocation, location }) =>
    `folder ${id} stays on the platform at ${currentLocation ?? location}, with its last name; the API cannot remove folders`,
});

/** Renames the folder from the first of the places where it is found, and tells which that was. */
async function rename(api: Client, { type, folderId, name }: Renaming, places: readonly string[]): Promise<string> {
  const target = renamedLocation(places[0]!, name);
  // It may be there already, when an earlier rename was carried out and its answer lost.
  const candidates = [...new Set([...places, target])];
  let refused: unknown;
  for (const location of candidates) {
    try {
      await api.call(operations.renameFolder, {
        body: { name, folder_id: String(folderId), location, type },
        answer: anyAnswer,
      });
      return location;
    } catch (error) {
      // A wrong location is "not found" on one platform and "invalid" on the next.
      if (isPlatformError(error, "rejected")) refused ??= error;
      else if (!(await saysItIsGone(api, error))) throw error;
    }
  }
  if (refused) throw refused;
  throw new PlatformError(
    `there is no ${type} folder ${folderId} at ${candidates.join(" or ")} (404); set location to where the folder is now`,
    { code: "not-found", operation: operations.renameFolder.does },
  );
}
