import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { unknownSettings } from "../api/setting-specs";
import { plainUrl, readSettings, type SettingName, type Settings, settingNames, settingSpecs } from "../api/settings";
import { tokenAccountOf } from "../api/token-account";
import { isMeantElsewhere } from "./account";
import type { CheckFailure } from "./check";
import { unknownValue } from "./engine-values";
import { deepEqual, type Properties, pick } from "./properties";
import { isDefaultProvider, urnParts } from "./urn";

export const secretSettings = settingNames.filter((name) => "secret" in settingSpecs[name]);

/**
 * Keeps only our own settings: a project of the same name has others in this namespace. The provider of dynamic resources,
 * which a resource may have had before, holds them with the namespace.
 */
export function ownSettings(config: Properties): Properties {
  const plain = Object.entries(config).map(([name, value]) => [name.replace(/^dataplatform:/, ""), value]);
  return pick(Object.fromEntries(plain), settingNames);
}

/** What a provider was given that is not a setting of ours, and not the engine's either. */
function strangeSettings(config: Properties, urn: string) {
  const names = Object.keys(config).filter((name) => !engineNames.includes(name) && !name.startsWith("__"));
  return unknownSettings(names, urnParts(urn).project).map((one) => ({
    ...one,
    // An explicit provider with a misspelt token would use the environment's, and so perhaps another account.
    isError: one.meant !== undefined && !isDefaultProvider(urn),
  }));
}

export function settingWarnings(config: Properties, urn: string): string[] {
  return strangeSettings(config, urn).flatMap(({ key, says, isError }) => (isError ? [] : [`${key} ${says}`]));
}

/** What the engine itself gives a provider. */
export const engineNames: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization"];

/** The settings of a provider: its own, else from the environment, else the defaults. `name`: of an explicit one. */
export function settingsOf(config: Properties, provider?: string): Settings {
  return readSettings((name) => asText(config[name]), process.env, provider);
}

/** What is wrong with what a provider was given, as far as it is known. */
export function configFailures(config: Properties, urn: string): CheckFailure[] {
  const misspelt = strangeSettings(config, urn)
    .filter(({ isError }) => isError)
    .map(({ key, meant }) => `${key} is not a setting; did you mean ${meant}?`);
  const provider = isDefaultProvider(urn) ? undefined : urnParts(urn).name;
  return [...settingFailures(config, provider), ...misspelt].map((reason) => ({ property: "", reason }));
}

function settingFailures(config: Properties, provider?: string): string[] {
  try {
    const given = (name: SettingName) => (config[name] === unknownValue ? placeholders[name] : asText(config[name]));
    readSettings(given, process.env, provider);
    return [];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return [error.message];
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

/** Settings that changed. That a provider now says for which account it is changes nothing. */
export function changedSettings(before: Properties, after: Properties): SettingName[] {
  return settingNames.filter((name) => {
    if (name === "accountId" && before[name] === undefined && after[name] !== unknownValue) return false;
    return !deepEqual(asText(before[name]), asText(after[name])) || after[name] === unknownValue;
  });
}

/** Asks a platform: most runs need no client for that. */
type AskedWith = <T>(settings: Settings, ask: (api: Client) => Promise<T>) => Promise<T>;

/**
 * Settings that replace the provider, and with it all its resources. A new token is usually a rotated one, and a new base
 * URL usually a new name of the same platform; only another account means other resources.
 */
export async function replacingSettings(before: Properties, after: Properties, ask: AskedWith): Promise<SettingName[]> {
  if (after["accountId"] === unknownValue) return ["accountId"];
  if (after["accountId"] === undefined || settingFailures(after).length > 0) return [];
  const accountId = asText(before["accountId"]) ?? (await accountOfToken(before, after, ask));
  if (accountId === asText(after["accountId"]) || !mayAsk(after, before)) return [];
  const isReplaced = await ask(settingsOf(after), (api) => isMeantElsewhere(api, { accountId }));
  return isReplaced ? ["accountId"] : [];
}

/**
 * Whether a platform may be asked before anything is configured. The environment's token goes to the environment's
 * platform, or to one that stays: a request that names another one must not get it.
 */
function mayAsk(config: Properties, other: Properties): boolean {
  const { baseUrl } = settingsOf(config);
  const isSame = (url: string | undefined): boolean => url !== undefined && plainUrl(url) === baseUrl;
  return (
    Boolean(asText(config["apiToken"])) ||
    [process.env[settingSpecs.baseUrl.env], asText(other["baseUrl"])].some(isSame)
  );
}

/** Whether a preview cannot know for which account the provider will be. */
export function isTokenUnsaid(before: Properties, after: Properties): boolean {
  return after["apiToken"] === unknownValue && before["apiToken"] !== undefined && after["accountId"] === undefined;
}

/** For a state in which the provider does not say for which account it was. */
async function accountOfToken(before: Properties, after: Properties, ask: AskedWith): Promise<string | undefined> {
  if (deepEqual(before["apiToken"], after["apiToken"]) || settingFailures(before).length > 0) return undefined;
  if (!mayAsk(before, after)) return undefined;
  return ask(settingsOf(before), (api) => tokenAccountOf(api).idIfTold());
}
