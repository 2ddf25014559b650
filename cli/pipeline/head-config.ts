import { extname } from "node:path";
import { parse } from "yaml";
import { checkBaseUrl, checkTokenHosts, settingSpecs, tokenHostsVariable } from "../../provider/api/settings";
import { projectFiles } from "../pulumi/project";
import { fullKey, settingsIn } from "./guarded-config";
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
  const texts = await configTexts(stack, inCommit(commit));
  const { file, config } = parsed(texts[0]!, stack);
  const { encryptionsalt: salt, secretsprovider: url, encryptedkey } = file;
  return {
    baseUrl: baseUrlIn(texts),
    plain: Object.entries(config).flatMap(([key, value]) => {
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

function parsed(text: string, stack: string): Record<"file" | "config", Readonly<Record<string, unknown>>> {
  try {
    const file = settingsIn(parse(text, { merge: true, logLevel: "error" }));
    return { file, config: settingsIn(file["config"]) };
  } catch {
    // The parser's message quotes the text.
    throw new Refused([`not verifiable: Pulumi.${stack}.yaml of the change cannot be read`]);
  }
}

/** Where Pulumi looks for a stack's configuration. Returns the texts, the first of which wins; empty if there is no file. */
export async function configTexts(stack: string, textOf: (file: string) => Promise<string>): Promise<string[]> {
  const projects = await Promise.all(projectFiles.map(async (file) => ({ file, text: await textOf(file) })));
  const { file, text } = projects.find((project) => project.text) ?? { file: "Pulumi.yaml", text: "" };
  const folder = parsed(text, "*").file["stackConfigDir"] ?? ".";
  return [await textOf(`${folder}/Pulumi.${stack}${extname(file)}`), text];
}

/** Reads a file out of a commit, where the current folder is in it. */
export const inCommit = (commit: string) => (file: string) =>
  git("cat-file", "blob", `${commit}:./${file}`).catch(() => "");

/** Where the token would go, by the texts of the stack's file and the project's. */
export function baseUrlIn(texts: readonly string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  const project = String(parsed(texts.at(-1) ?? "", "*").file["name"] ?? "");
  for (const text of texts) {
    const { config } = parsed(text, "*");
    // Of two spellings in one file, nobody knows which one the engine takes.
    const keys = Object.keys(config).filter((one) => fullKey(one, project) === "dataplatform:baseUrl");
    if (keys.length === 0) continue;
    const setting = config[keys[0]!];
    const value = typeof setting === "object" && setting !== null ? settingsIn(setting)["value"] : setting;
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
  return [`other host: dataplatform:baseUrl is ${baseUrl}, and ${tokenHostsVariable} allows ${allowed} only`];
}
