import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { checkBaseUrl, checkTokenHosts, settingSpecs, tokenHostsVariable } from "../../provider/api/settings";
import { projectFiles } from "../pulumi/project";
import { fullKey, type Settings, settingsIn } from "./guarded-config";
import { readGuarded, Unreadable } from "./guarded-text";
import { Refused } from "./refused";
import { git } from "./run";
import type { Exported } from "./state";

export interface HeadConfig {
  /** Where the token would go. */
  readonly baseUrl: string | undefined;
  /** Values that are not encrypted, as text. */
  readonly plain: readonly (readonly [key: string, value: string])[];
  /** How the stack's secrets are encrypted, where its state does not say so yet. */
  readonly encryption: NonNullable<Exported["deployment"]>["secrets_providers"];
}

/** The stack's configuration in a commit, as data: no program and no Pulumi reads it. */
export async function headConfig(commit: string, stack: string): Promise<HeadConfig> {
  const files = await configFiles(stack, inCommit(commit));
  const { encryptionsalt: salt, secretsprovider: url, encryptedkey } = files[0]!.settings;
  return {
    baseUrl: baseUrlIn(files),
    plain: Object.entries(files[0]!.config).flatMap(([key, value]) => {
      const isSecret = typeof value === "object" && value !== null && "secure" in value;
      return isSecret ? [] : [[key, typeof value === "string" ? value : JSON.stringify(value)] as const];
    }),
    encryption: salt
      ? { type: "passphrase", state: { salt } }
      : url && encryptedkey
        ? { type: "cloud", state: { url, encryptedkey } }
        : null,
  };
}

interface ConfigFile {
  readonly settings: Settings;
  readonly config: Settings;
}

/** Names that the engine gives a meaning. Its JSON parser does not tell capital letters from small ones. */
const known = ["name", "config", "stackConfigDir", "encryptionsalt", "secretsprovider", "encryptedkey"];

/** What cannot be read may name any platform, so nothing is sealed. `text`: empty if there is no file. */
function parsed(file: string, text: string): ConfigFile {
  try {
    const settings = text === "" ? {} : settingsIn(readGuarded(file, text));
    const odd = Object.keys(settings).find((key) =>
      known.some((name) => name !== key && name.toLowerCase() === key.toLowerCase()),
    );
    if (odd !== undefined) throw new Unreadable("a setting's name is in other letters than the engine writes it");
    return { settings, config: settingsIn(settings["config"]) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refused([`not verifiable: ${file} cannot be read: ${error.message}`]);
  }
}

/** Where Pulumi looks for a stack's configuration: the stack's file, which wins, and the project's. */
async function configFiles(stack: string, textOf: (file: string) => Promise<string>): Promise<readonly ConfigFile[]> {
  const texts = await Promise.all(projectFiles.map(async (file) => ({ file, text: await textOf(file) })));
  const { file, text } = texts.find((project) => project.text) ?? { file: "Pulumi.yaml", text: "" };
  const project = parsed(file, text);
  const folder = String(project.settings["stackConfigDir"] ?? ".");
  // Git, which reads it here, and the engine must mean the same folder.
  if (folder !== "." && !folder.split("/").every((part) => /^(?!\.\.?$)[\w.-]+$/.test(part)))
    throw new Refused([`not verifiable: stackConfigDir of ${file} is not the plain name of a folder in the project`]);
  const own = `${folder === "." ? "" : `${folder}/`}Pulumi.${stack}${extname(file)}`;
  return [parsed(own, await textOf(own)), project];
}

/** Reads a file out of a commit, where the current folder is in it. */
const inCommit = (commit: string) => (file: string) => git("cat-file", "blob", `${commit}:./${file}`).catch(() => "");

/** Where the token would go, by the stack's file and the project's. */
function baseUrlIn(files: readonly ConfigFile[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const project = String(files.at(-1)?.settings["name"] ?? "");
  for (const { config } of files) {
    // Of two spellings in one file, nobody knows which one the engine takes.
    const keys = Object.keys(config).filter((one) => fullKey(one, project) === "dataplatform:baseUrl");
    if (keys.length === 0) continue;
    const setting = config[keys[0]!];
    const value = typeof setting === "object" && setting !== null ? (setting as Settings)["value"] : setting;
    return keys.length === 1 && typeof value === "string" ? value : "an address that cannot be read";
  }
  return env[settingSpecs.baseUrl.env];
}

/** The preview's token went nowhere else; neither must the one of the merge. */
export function hostGate(baseUrl: string | undefined, env: NodeJS.ProcessEnv = process.env): string[] {
  const allowed = env[tokenHostsVariable];
  if (allowed === undefined || baseUrl === undefined) return [];
  try {
    checkTokenHosts(checkBaseUrl(baseUrl, true), allowed);
    return [];
  } catch {
    // What is no address is refused like another host.
  }
  const how = /^http:/i.test(baseUrl) ? ", over https unless it says http://" : "";
  return [`other host: dataplatform:baseUrl is ${baseUrl}, and ${tokenHostsVariable} allows ${allowed} only${how}`];
}

/**
 * On one's own machine, before any request: a branch that names another platform would get the token, long before the
 * judgement lists the change. With DATAPLATFORM_TOKEN_HOSTS, the provider itself refuses that.
 */
export async function requireSameHost(
  base: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (env[tokenHostsVariable]) return;
  const here = await configFiles(stack, (file) => readFile(file, "utf8").catch(() => ""));
  const [now, before] = [baseUrlIn(here, env), baseUrlIn(await configFiles(stack, inCommit(base)), env)];
  if (before === undefined || now === undefined || originOf(now) === originOf(before)) return;
  throw new Refused([
    `other host: dataplatform:baseUrl is ${now} here, and ${before} on the protected branch, so your token would be sent elsewhere; ` +
      `if that is right, set ${tokenHostsVariable} to its host`,
  ]);
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
