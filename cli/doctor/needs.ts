import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const sources = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const names = /\b(TeamEnvironment|teamEnvironments|dataplatform\.Provider)\b/;

/** What a program names that may need the plugin, or, as far as its text tells, does. */
export interface Mention {
  /** `index.ts names TeamEnvironment`. */
  readonly says: string;
  readonly isNeed: boolean;
}
const needs = /\bnew dataplatform\.Provider\b|\b[tT]eamEnvironments?\b[\s\S]*\baccount\s*:\s*\{/;

/** In a TypeScript program, which is not run. */
export function mentionOfPlugin(folder: string): Mention | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = mentionOfPlugin(path);
      if (found !== undefined) return found;
    } else if (entry.isFile() && sources.includes(extname(entry.name))) {
      const text = readFileSync(path, "utf8");
      const [, name] = names.exec(text) ?? [];
      if (name !== undefined) return { says: `${entry.name} names ${name}`, isNeed: needs.test(text) };
    }
  }
  return undefined;
}
