import { isIP } from "node:net";
import { snake } from "../values/python";
import { PlatformError } from "./errors";
import { Profile } from "./profile";
import { type SettingName, type SettingSpec, settingSpecs } from "./setting-specs";

export { type SettingName, settingNames, settingSpecs } from "./setting-specs";

export interface Settings {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** The account that the token must belong to. */
  readonly accountId?: string | undefined;
  readonly requestTimeoutSeconds: number;
  readonly retries: number;
  readonly connections: number;
  /** 0 = no limit of our own. */
  readonly requestsPerSecond: number;
  /** Whether to use operations that an installation may have beside the specification. */
  readonly extendedApi: boolean;
  /** How the installation wants requests that it does not take as specified. */
  readonly profile?: Profile | undefined;
}

type SettingsSource = (name: SettingName) => string | undefined;

/**
 * Reads the settings from the stack's configuration, then from the environment, then from the defaults. `provider`: the
 * name of an explicit one, whose arguments take the place of the stack's configuration.
 */
export function readSettings(
  fromConfig: SettingsSource,
  env: NodeJS.ProcessEnv = process.env,
  provider?: string,
): Settings {
  const text = (name: SettingName): string | undefined => fromConfig(name) || env[settingSpecs[name].env] || undefined;
  const baseUrl = text("baseUrl");
  const apiToken = text("apiToken");
  const missing = [...(baseUrl ? [] : (["baseUrl"] as const)), ...(apiToken ? [] : (["apiToken"] as const))];
  if (!baseUrl || !apiToken) throw missingSettings(missing, provider);
  const problems: string[] = [];
  /** One mistake does not hide the next. */
  const checked = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      problems.push((error as Error).message);
      return undefined as Value;
    }
  };
  const number = (name: SettingName) => checked(() => readNumber(name, text(name)));
  const boolean = (name: SettingName) => checked(() => readBoolean(name, text(name)));
  const allowInsecureHttp = boolean("allowInsecureHttp");
  const settings = {
    baseUrl: checked(() => checkTokenHosts(checkBaseUrl(baseUrl, allowInsecureHttp), env[tokenHostsVariable])),
    apiToken: checked(() => checkToken(apiToken)),
    // The environment's is that of the environment's token.
    accountId: fromConfig("apiToken") ? fromConfig("accountId") || undefined : text("accountId"),
    requestTimeoutSeconds: number("requestTimeoutSeconds"),
    retries: number("retries"),
    connections: number("connections"),
    requestsPerSecond: number("requestsPerSecond"),
    extendedApi: boolean("extendedApi"),
    ...checked(() => readProfile(text("profile"))),
  };
  if (problems.length > 0) throw new PlatformError(problems.join("\n"), { code: "config" });
  return settings;
}

function readProfile(file: string | undefined): Pick<Settings, "profile"> {
  if (file === undefined) return {};
  try {
    return { profile: Profile.read(file) };
  } catch (error) {
    throw wrong("profile", `is ${JSON.stringify(file)}, which cannot be used: ${(error as Error).message}`);
  }
}

function missingSettings(names: readonly SettingName[], provider: string | undefined): PlatformError {
  const lines = names.map((name) => {
    const flag = name === "apiToken" ? " --secret" : "";
    const how =
      provider === undefined
        ? `run "pulumi config set${flag} dataplatform:${name} <value>"`
        : `pass ${name} (Python: ${snake(name)}) to the provider "${provider}", which does not read the stack's configuration`;
    return `  dataplatform:${name}: ${how}, or set ${settingSpecs[name].env}`;
  });
  return new PlatformError(
    `the data platform is not configured; missing:\n${lines.join("\n")}\nTo try it without a platform, start the emulator with "npx --no-install dataplatform emulator"; it prints both values.`,
    { code: "config" },
  );
}

/** The base URL without a trailing slash; plain http only to this machine, unless the user asked for it. */
export function checkBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.search || url.hash) {
    throw wrong(
      "baseUrl",
      `is ${JSON.stringify(withoutCredentials(text))}; expected an http or https URL without a query or fragment${hintFor(text)}`,
    );
  }
  if (url.username || url.password)
    throw wrong("baseUrl", "contains a user name or password; remove it and use dataplatform:apiToken");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecureHttp) {
    throw wrong(
      "baseUrl",
      `is ${url.origin}: plain http would send the token unencrypted to another host; use https, or set dataplatform:allowInsecureHttp to true if you accept that`,
    );
  }
  return plainUrl(text);
}

/** One spelling of an address. Every path of the API begins with /api/<version>: one that ends with a part of it is the same. */
export function plainUrl(text: string): string {
  const href = URL.canParse(text) ? new URL(text).href : text;
  return href.replace(/\/+$/, "").replace(/\/api(\/(v\d+(\.\d+)?|latest))?$/, "");
}

/** For a host without a scheme. */
function hintFor(text: string): string {
  const [, host] = /^([\w.-]+)(:\d+)?(\/[\w./-]*)?$/.exec(text) ?? [];
  return host === undefined ? "" : `; did you mean ${isLoopback(host) ? "http" : "https"}://${text}?`;
}

/** Read from the environment alone: a pull request can change a stack's configuration, but not what a pipeline sets. */
export const tokenHostsVariable = "DATAPLATFORM_TOKEN_HOSTS";
/** `refuse`: functions submit no commands, because no plan shows what they do. */
export const submitVariable = "DATAPLATFORM_SUBMIT";

/**
 * A token goes to no other host than those that the environment allows, if it says any. A host means https, or this
 * machine: the stack's configuration, which allows plain http, may be somebody else's. `http://host` means just that.
 */
export function checkTokenHosts(baseUrl: string, allowed: string | undefined): string {
  const hosts = allowed?.split(",").map((host) => host.trim().toLowerCase().replace(/\/$/, ""));
  const { host, hostname, origin, protocol } = new URL(baseUrl);
  const isSafe = protocol === "https:" || isLoopback(hostname);
  if (!hosts || (isSafe && hosts.includes(host)) || hosts.includes(origin)) return baseUrl;
  const which =
    allowed === "" ? "is empty, so it allows no host" : `allows sending the token only to ${hosts.join(", ")}`;
  const hint = hosts.includes(host) ? ` over https (http://${host} would allow plain http)` : "";
  throw wrong("baseUrl", `is ${baseUrl}, but ${tokenHostsVariable} ${which}${hint}; nothing was sent`);
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/.*@/s, "//***@");
}

export function isLoopback(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function checkToken(token: string): string {
  // Anything else cannot travel in a header; the value itself must not appear in the message.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw wrong("apiToken", "contains spaces, line breaks or other characters that cannot be sent in a header");
  return token;
}

function readNumber(name: SettingName, text: string | undefined): number {
  const spec: SettingSpec = settingSpecs[name];
  if (text === undefined) return spec.default as number;
  const value = Number(text);
  const [lowest, highest] = spec.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (text.trim() === "" || !Number.isFinite(value) || value < lowest || value > highest) {
    throw wrong(name, `is ${JSON.stringify(text)}; expected a number from ${lowest} to ${highest}`);
  }
  return value;
}

function readBoolean(name: SettingName, text: string | undefined): boolean {
  if (text === undefined) return settingSpecs[name as "allowInsecureHttp"].default;
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw wrong(name, `is ${JSON.stringify(text)}; expected true or false`);
}

function wrong(name: SettingName, problem: string): PlatformError {
  return new PlatformError(`dataplatform:${name} (or ${settingSpecs[name].env}) ${problem}`, { code: "config" });
}
