import { z } from "zod";
import { judgedBy } from "./problem";

export const folderTypes = ["notes", "notebook_dashboards"] as const;

export const folderType = z
  .enum(folderTypes)
  .meta({ schemaName: "FolderType" })
  .describe("Content of the folder: `notes` (notebooks) or `notebook_dashboards` (dashboards).");

/** Folder names joined by slashes; the last one is the folder itself. */
export const folderLocation = z.string().check(
  judgedBy((location) => {
    if (location.trim() === "") return "is empty";
    return location === location.trim() ? undefined : `${JSON.stringify(location)} has leading or trailing spaces`;
  }, 'a location such as "Common/reports"'),
);

/** Inputs of what manages the policy of a folder. */
export const currentLocation = folderLocation.describe("Current location of the folder, such as `Common/reports`.");
export const folderName = z
  .string()
  .min(1, "is empty; omit it instead")
  .optional()
  .describe("Name of the folder. It is sent with the policy; the API's manual shows it only in examples.");

/** What may be a mistake in a location, although the specification allows it. */
export function locationAdvice(location: string | undefined): string[] {
  if (location === undefined) return [];
  const quoted = `location is ${JSON.stringify(location)}`;
  if (/^\/+$/.test(location)) return [`${quoted}, which names no folder, unless this platform has one for all`];
  return location.includes("//") ? [`${quoted}, which contains an empty folder name`] : [];
}

/** Where a folder is expected after a rename: whether a rename changes the location is not documented. */
export function renamedLocation(location: string, name: string): string {
  const [path = ""] = /^.*[^/]/s.exec(location) ?? [];
  return path.slice(0, path.lastIndexOf("/") + 1) + name;
}

/** Whether a location ends with a name, in whatever case. */
export function isNamed(location: string, name: string): boolean {
  return renamedLocation(location, name).toLowerCase() === location.replace(/\/+$/, "").toLowerCase();
}
