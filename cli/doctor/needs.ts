import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const sources = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const names = /\b(TeamEnvironment|teamEnvironments|dataplatform\.Provider)\b/;

/** What a TypeScript program names that may need the plugin, such as "index.ts names TeamEnvironment". It is not run. */
export function mentionOfPlugin(folder: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = mentionOfPlugin(path);
      if (found !== undefined) return found;
    } else if (entry.isFile() && sources.includes(extname(entry.name))) {
      const [, name] = names.exec(readFileSync(path, "utf8")) ?? [];
      if (name !== undefined) return `${entry.name} names ${name}`;
    }
  }
  return undefined;
}
