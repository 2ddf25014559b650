import { z } from "zod";

export const folderTypes = ["notes", "notebook_dashboards"] as const;

export const folderType = z
  .enum(folderTypes)
  .describe("What the folder holds: `notes` (notebooks) or `notebook_dashboards` (dashboards).");

/** Folders joined by slashes; the last one is the folder itself. */
export const folderLocation = z.string().check(({ value, issues }) => {
  const problem = problemWith(value);
  if (problem)
    issues.push({ code: "custom", input: value, message: `${problem}; a location is like "Common/reports"` });
});

function problemWith(location: string): string | undefined {
  if (location.trim() === "") return "is empty";
  if (location !== location.trim()) return `${JSON.stringify(location)} has spaces around it`;
  if (location.replaceAll("/", "") === "") return `${JSON.stringify(location)} names no folder`;
  return location.includes("//") ? `${JSON.stringify(location)} has a folder without a name` : undefined;
}

/** Where a folder is after it got another name. */
export function renamedLocation(location: string, name: string): string {
  const [path = ""] = /^.*[^/]/s.exec(location) ?? [];
  return path.slice(0, path.lastIndexOf("/") + 1) + name;
}
