import { z } from "zod";
import { isPlatformError } from "../api/errors";
import { accountIdOutput, defineResource, keepIfOpen, PartialSuccess, wrongId } from "../core/define";
import { NotThere, renameFolder } from "../platform/folder-name";
import { explained } from "../platform/policies/place";
import { folderLocation, folderType, folderTypes, locationAdvice, renamedLocation } from "../values/folder";
import { sameId, textId } from "../values/id";

export const folder = defineResource({
  type: "Folder",
  doc: `The name of an existing notebook or dashboard folder.

The API can rename a folder, but not create or remove one. The specification does not say whether a rename changes the folder's location too. \`currentLocation\` is where the folder is expected after each rename, and the next rename is sent there, so \`location\` in the program can keep its original value. A rename that does not find the folder changes nothing, and the next \`pulumi up\` looks at the next place.`,
  inputs: z.object({
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
  }),
  outputs: z.object({
    currentLocation: z.string().describe("Where the folder is expected after the last rename: the API cannot show it."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`type/folderId`",
    example: "notes/701",
    note: "The API cannot show folders: the `name` and `location` in the program are assumed to be correct, and nothing is sent until one of them changes.",
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
    try {
      return {
        currentLocation: await keepIfOpen(id, {}, () => renameFolder(context, inputs, at, redo ? "we" : "nobody")),
      };
    } catch (error) {
      const isNotThere = error instanceof NotThere;
      // Some platforms answer a wrong location with "invalid" or "conflict": the reason stays theirs, and the place may be wrong.
      if (!isNotThere && !isPlatformError(error, "rejected", "conflict")) throw error;
      // Where the program says, where the last rename put it, or where a killed run has: one after the other, in a circle.
      const afterLast = renamedLocation(inputs.location, old.name ?? inputs.name);
      const circle = [...new Set([inputs.location, afterLast, renamedLocation(at, inputs.name)])];
      const places = isNotThere
        ? [...circle.slice(circle.indexOf(at) + 1), ...circle]
        : circle.slice(0, isMoved ? 1 : 2);
      const next = places.find((place) => place !== at);
      if (next === undefined) throw error;
      // What an earlier run has sent stays open, although this one was refused.
      const isStillOpen = redo && ({ outcome: "open" } as const);
      const again = error.with(`${error.message}. The next "pulumi up" looks at ${next}`, { ...isStillOpen });
      throw new PartialSuccess(id, { name: old.name, currentLocation: next }, again);
    }
  },
});

const ifMoved = "If the folder has been renamed or moved before, set location to where it is now";
