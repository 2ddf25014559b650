import { parse } from "yaml";
import { checkBaseUrl, checkTokenHosts, settingSpecs, tokenHostsVariable } from "../../provider/api/settings";
import { settingsIn } from "./guarded-config";
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
  const text = await git("cat-file", "blob", `${commit}:Pulumi.${stack}.yaml`).catch(() => "");
  const { file, config } = parsed(text, stack);
  const { encryptionsalt: salt, secretsprovider: url, encryptedkey } = file;
  const baseUrl = config["dataplatform:baseUrl"];
  return {
    baseUrl: typeof baseUrl === "string" ? baseUrl : process.env[settingSpecs.baseUrl.env],
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

/** Where the token would go, by the texts of `Pulumi.<stack>.yaml` and `Pulumi.yaml`, the first of which wins. */
export function baseUrlIn(texts: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  for (const text of texts) {
    const setting = parsed(text, "*").config["dataplatform:baseUrl"];
    const value = typeof setting === "object" && setting !== null ? settingsIn(setting)["value"] : setting;
    if (typeof value === "string") return value;
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
