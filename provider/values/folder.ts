import { z } from "zod";

export const folderTypes = ["notes", "notebook_dashboards"] as const;

export const folderType = z
  .enum(folderTypes)
  .meta({ schemaName: "FolderType" })
  .describe("Content of the folder: `notes` (notebooks) or `notebook_dashboards` (dashboards).");

/** Folder names joined by slashes; the last one is the folder itself. */
export const folderLocation = z.string().check(({ value, issues }) => {
  const problem = problemWith(value);
  if (problem)
    issues.push({ code: "custom", input: value, message: `${problem}; expected a location such as "Common/reports"` });
});

function problemWith(location: string): string | undefined {
  if (location.trim() === "") return "is empty";
  if (location !== location.trim()) return `${JSON.stringify(location)} has leading or trailing spaces`;
  if (location.replaceAll("/", "") === "") return `${JSON.stringify(location)} does not name a folder`;
  return location.includes("//") ? `${JSON.stringify(location)} contains an empty folder name` : undefined;
}

/** Where a folder is expected after a rename: whether a rename changes the location is not documented. */
export function renamedLocation(location: string, name: string): string {
  const [path = ""] = /^.*[^/]/s.exec(location) ?? [];
  return path.slice(0, path.lastIndexOf("/") + 1) + name;
}
