import { PlatformError } from "../api/errors";
import { unknownSettings } from "../api/setting-specs";
import { readSettings, type SettingName, type Settings, settingNames, settingSpecs } from "../api/settings";
import type { CheckFailure } from "./check";
import { unknownValue } from "./engine-values";
import { deepEqual, type Properties, pick } from "./properties";
import { isDefaultProvider, urnParts } from "./urn";

export const secretSettings = settingNames.filter((name) => "secret" in settingSpecs[name]);

/** Keeps only our own settings: a project of the same name has others in this namespace. */
export function ownSettings(config: Properties): Properties {
  return pick(config, settingNames);
}

/** Warnings about a provider's settings that are not ours, and not the engine's either. */
export function settingWarnings(config: Properties, urn: string): string[] {
  const names = Object.keys(config).filter((name) => !engineNames.includes(name) && !name.startsWith("__"));
  return unknownSettings(names, urnParts(urn).project).map(({ key, says }) => `${key} ${says}`);
}

/** What the engine itself gives a provider. */
export const engineNames: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization"];

/** The settings of a provider: its own, else from the environment, else the defaults. */
export function settingsOf(config: Properties): Settings {
  return readSettings((name) => asText(config[name]));
}

/** What is wrong with a provider's settings, as far as they are known. */
export function configFailures(config: Properties, urn = ""): CheckFailure[] {
  try {
    const given = (name: SettingName) => (config[name] === unknownValue ? placeholders[name] : asText(config[name]));
    readSettings(given, process.env, urn === "" || isDefaultProvider(urn) ? undefined : urnParts(urn).name);
    return [];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return [{ property: "", reason: error.message }];
  }
}

/** Valid values for settings that another resource of the program will supply, so that only known ones are checked. */
const placeholders: Readonly<Partial<Record<SettingName, string>>> = {
  baseUrl: "https://not-known-yet.invalid",
  apiToken: "not-known-yet",
};

/** Pulumi's SDKs send numbers and booleans as JSON text, other programs send them as they are. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === unknownValue) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Settings that changed. None of them replaces the provider, because that would replace all its resources: a new token
 * is usually a rotated one, and a new base URL usually a new name of the same platform.
 */
export function changedSettings(before: Properties, after: Properties): SettingName[] {
  return settingNames.filter(
    (name) => !deepEqual(asText(before[name]), asText(after[name])) || after[name] === unknownValue,
  );
}
