import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** Where the engine looks for our plugin. */

export const pluginFile = "pulumi-resource-dataplatform";
/** What tells the engine, in `Pulumi.yaml`. */
export const pluginSetting =
  "plugins: { providers: [{ name: dataplatform, path: ./node_modules/pulumi-dataplatform/dist/plugin }] }";

/**
 * Says how to let the engine find the plugin, if it will probably not. Pulumi's own error comes after a download, and names
 * an address where the plugin is not.
 */
export function missingPlugin(cwd: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(Boolean);
  const folders = [...(ignoresPath(env) ? [] : path), ...pluginCache(env)];
  const isAttached = env["PULUMI_DEBUG_PROVIDERS"]?.includes("dataplatform");
  if (isAttached || namesPlugin(cwd) || firstWithPlugin(folders)) return undefined;
  return `the program needs the plugin ${pluginFile}, and Pulumi will not find it: add to Pulumi.yaml: ${pluginSetting}`;
}

/** Good enough for advice; the engine reports a folder that is wrong itself. */
function namesPlugin(cwd: string): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
    if (file) return /(^|[{,])\s*"?(plugins|packages)"?:[\s\S]*dataplatform/m.test(readFileSync(file, "utf8"));
    if (folder === dirname(folder)) return false;
  }
}

export function ignoresPath(env: NodeJS.ProcessEnv): boolean {
  return /^(1|true)$/i.test(env["PULUMI_IGNORE_AMBIENT_PLUGINS"] ?? "");
}

/** Folders in the place where Pulumi installs plugins. */
export function pluginCache(env: NodeJS.ProcessEnv): string[] {
  const cache = join(env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  try {
    return readdirSync(cache)
      .filter((name) => /^resource-dataplatform-v\d[^.]*\.[^.]+\.[^.]+$/.test(name))
      .map((name) => join(cache, name));
  } catch {
    return [];
  }
}

export function firstWithPlugin(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const found = pluginIn(folder);
    if (found) return found;
  }
  return undefined;
}

export function pluginIn(folder: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return endings.map((ending) => join(folder, `${pluginFile}${ending}`)).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
