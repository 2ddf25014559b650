import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

/** The files that a folder, a path, or a path with `*` in its last part stands for, sorted. */
export function filesOf(pattern: string): string[] {
  if (isFolder(pattern)) return filesIn(pattern, /\.ya?ml$/);
  const last = basename(pattern);
  if (!last.includes("*")) return isFile(pattern) ? [pattern] : [];
  const quoted = last.split("*").map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return isFolder(dirname(pattern)) ? filesIn(dirname(pattern), new RegExp(`^${quoted.join("[^/]*")}$`)) : [];
}

/** Files next to those of the pattern that only another extension, such as `.yml`, keeps from being read. */
export function otherExtensions(pattern: string): string[] {
  const read = filesOf(pattern);
  const stem = /^(.*\*.*)\.ya?ml$/i.exec(pattern)?.[1];
  const candidates = isFolder(pattern) ? filesOf(join(pattern, "*")) : stem === undefined ? [] : filesOf(`${stem}.*`);
  return candidates.filter((file) => /\.ya?ml$/i.test(file) && !read.includes(file));
}

/** The name of an environment: its file's, without the extension. */
export function nameOf(file: string): string {
  return basename(file, extname(file));
}

function filesIn(folder: string, names: RegExp): string[] {
  const found = readdirSync(folder).filter((name) => names.test(name) && !name.startsWith("."));
  return found.sort().map((name) => join(folder, name).replaceAll("\\", "/"));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
