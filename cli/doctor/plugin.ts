import { accessSync, constants, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { readProject } from "../pulumi/project";
import { installCommand } from "../version";
import { type Finding, findingsOf } from "./finding";

const { info, ok, problem } = findingsOf("Tools");
const file = "pulumi-resource-dataplatform";
const setting =
  "plugins: { providers: [{ name: dataplatform, path: ./node_modules/pulumi-dataplatform/dist/plugin }] }";

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

/** Nothing tells before the first `pulumi up` whether the program declares what runs in the plugin only. */
export function ifNeeded(finding: Finding): Finding {
  if (finding.verdict === "ok") return finding;
  return info(
    "plugin",
    `${finding.says}. Dynamic mode does without; imports, explicit providers and a TeamEnvironment with an account need it: ${finding.fix}`,
  );
}

/** A folder set in the project comes first; if it is wrong, the engine looks nowhere else. */
function namedPlugin(folder: string, projectFile: string): Finding {
  const found = pluginIn(folder);
  if (found) return ok("plugin", `${found}, set in ${projectFile}`);
  return problem(
    "plugin",
    `${projectFile} points to the folder ${folder}, which has no executable plugin`,
    `${installCommand()}   # or fix plugins.providers in ${projectFile}`,
  );
}

function ambientPlugin(projectFile: string, env: NodeJS.ProcessEnv): Finding {
  const { own, added } = searchPath(env);
  const onPath = /^(1|true)$/i.test(env["PULUMI_IGNORE_AMBIENT_PLUGINS"] ?? "") ? undefined : firstIn(own);
  if (onPath) return ok("plugin", `${onPath}, from PATH`);
  const cached = firstIn(cacheFolders(env));
  if (cached) return ok("plugin", `${cached}, from Pulumi's plugin cache`);
  const only = firstIn(added);
  return problem(
    "plugin",
    only
      ? `only found at ${only}, which npm added to the PATH of this command: "pulumi up" in your shell will not find it`
      : `${file} is not on PATH, and ${projectFile} sets no folder for it`,
    `add to ${projectFile}: ${setting}`,
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

function cacheFolders(env: NodeJS.ProcessEnv): string[] {
  const cache = join(env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  try {
    return readdirSync(cache)
      .filter((name) => /^resource-dataplatform-v\d[^.]*\.[^.]+\.[^.]+$/.test(name))
      .map((name) => join(cache, name));
  } catch {
    return [];
  }
}

function firstIn(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const found = pluginIn(folder);
    if (found) return found;
  }
  return undefined;
}

function pluginIn(folder: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return endings.map((ending) => join(folder, `${file}${ending}`)).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
