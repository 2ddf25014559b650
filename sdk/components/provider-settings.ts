import * as pulumi from "@pulumi/pulumi";
import { settingNames } from "../../provider/api/setting-specs";

/** Passed on as they are: only `Provider` looks into them, so that nothing here depends on it. */
type Settings = Readonly<Record<string, never>>;

/**
 * The settings of providers, for those that a component creates for another account. A provider's own outputs would not
 * do: what is not set is unknown there at preview.
 */
const settings = new WeakMap<pulumi.ProviderResource, Settings>();

/** Every setting but the token. */
const names = settingNames.filter((name) => name !== "apiToken");

export function rememberSettings(provider: pulumi.ProviderResource, args: object): void {
  settings.set(provider, args as Settings);
}

/** The settings of a provider, without its token; if there is none, those of the stack's configuration. */
export function sharedSettings(provider: pulumi.ProviderResource | undefined): Settings {
  const config = new pulumi.Config("dataplatform");
  const given = provider
    ? (settings.get(provider) ?? {})
    : settingsFromText(Object.fromEntries(names.map((name) => [name, config.get(name)])));
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Settings;
}

/** The configuration and the engine hold settings as text; `Provider` takes numbers and booleans. */
export function settingsFromText(given: Readonly<Record<string, unknown>>): Settings {
  const parsed = ([name, value]: [string, unknown]) => [name, isJson(value) ? JSON.parse(value) : value];
  return Object.fromEntries(Object.entries(given).map(parsed)) as Settings;
}

function isJson(value: unknown): value is string {
  return typeof value === "string" && /^(\d+(\.\d+)?|true|false)$/.test(value);
}
