import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, extname, join, resolve } from "node:path";
import {
  firstWithPlugin,
  ignoresPath,
  pluginCache,
  pluginFile,
  pluginIn,
  pluginSetting,
} from "../../provider/engine/plugin-search";
import { readProject } from "../pulumi/project";
import { installCommand } from "../version";
import { type Finding, findingsOf } from "./finding";

const { info, ok, warning, problem } = findingsOf("Tools");

/** Whether and where the engine will find the plugin; searches as the engine does when started from a shell. */
export function pluginFinding(project: string, env: NodeJS.ProcessEnv = process.env): Finding {
  let named: ReturnType<typeof readProject>;
  try {
    named = readProject(project);
  } catch (error) {
    return problem("plugin", (error as Error).message, `fix ${project}`);
  }
  return named.pluginFolder === undefined
    ? ambientPlugin(named.name, env)
    : namedPlugin(resolve(project, named.pluginFolder), named.name);
}

/** Nothing tells for certain before the first `pulumi up` whether the program declares what runs in the plugin only. */
export function ifNeeded(finding: Finding, mention: Mention | undefined): Finding {
  if (finding.verdict === "ok" || finding.what === missingFolder) return finding;
  if (mention !== undefined)
    return (mention.isNeed ? problem : warning)(
      "plugin",
      `${finding.says}. ${mention.says}: an explicit provider, and a TeamEnvironment with an account, need it`,
      finding.fix!,
    );
  return info(
    "plugin",
    `${finding.says}. Dynamic mode does without; imports, explicit providers and a TeamEnvironment with an account need it: ${finding.fix}`,
  );
}

/** With this, no command of Pulumi runs in any mode. */
const missingFolder = "plugin folder";

/** A folder set in the project comes first; if it is wrong, the engine looks nowhere else. */
function namedPlugin(folder: string, projectFile: string): Finding {
  const found = pluginIn(folder);
  if (found) return ok("plugin", `${found}, set in ${projectFile}`);
  if (!existsSync(folder))
    return problem(
      missingFolder,
      `${projectFile} points to the folder ${folder}, which does not exist: Pulumi stops there, also in dynamic mode`,
      `fix plugins.providers in ${projectFile}, or, if the package is not installed: ${installCommand()}`,
    );
  return problem(
    "plugin",
    `${projectFile} points to the folder ${folder}, which has no executable plugin`,
    `${installCommand()}   # or fix plugins.providers in ${projectFile}`,
  );
}

function ambientPlugin(projectFile: string, env: NodeJS.ProcessEnv): Finding {
  const { own, added } = searchPath(env);
  const onPath = ignoresPath(env) ? undefined : firstWithPlugin(own);
  if (onPath) return ok("plugin", `${onPath}, from PATH`);
  const cached = firstWithPlugin(pluginCache(env));
  if (cached) return ok("plugin", `${cached}, from Pulumi's plugin cache`);
  const only = firstWithPlugin(added);
  return problem(
    "plugin",
    only
      ? `only found at ${only}, which npm added to the PATH of this command: "pulumi up" in your shell will not find it`
      : `${pluginFile} is not on PATH, and ${projectFile} sets no folder for it`,
    `add to ${projectFile}: ${pluginSetting}`,
  );
}

/**
 * Splits PATH into the shell's own entries and those that npm put first for the command it runs. npm's end with a
 * folder named node-gyp-bin; other package managers only add node_modules/.bin folders.
 */
export function searchPath(env: NodeJS.ProcessEnv): { readonly own: string[]; readonly added: string[] } {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(Boolean);
  const lastOfNpm = folders.findLastIndex((folder) => /[\\/]node-gyp-bin[\\/]?$/.test(folder));
  let count = lastOfNpm + 1;
  if (lastOfNpm < 0 && (env["npm_config_user_agent"] ?? env["npm_execpath"]) !== undefined)
    while (count < folders.length && /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folders[count]!)) count++;
  return { own: folders.slice(count), added: folders.slice(0, count) };
}

const sources = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const names = /\b(TeamEnvironment|teamEnvironments|dataplatform\.Provider)\b/;

/** What a program names that may need the plugin, or, as far as its text tells, does. */
interface Mention {
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
