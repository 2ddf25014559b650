import { closest } from "../values/closest";

const namespace = "dataplatform";

export interface SettingSpec {
  readonly env: string;
  readonly doc: string;
  readonly type: "string" | "number" | "boolean";
  readonly default?: number | boolean;
  readonly range?: readonly [lowest: number, highest: number];
  readonly secret?: boolean;
  /** Whether nothing is missing without it, although it has no default. */
  readonly optional?: boolean;
}

/** Every setting: the config key is `dataplatform:<name>`. One table for reading, documentation and the schema. */
export const settingSpecs = {
  baseUrl: {
    env: "DATAPLATFORM_BASE_URL",
    type: "string",
    doc: "Address of the platform, for example https://api.example.com.",
  },
  apiToken: {
    env: "DATAPLATFORM_API_TOKEN",
    type: "string",
    secret: true,
    doc: "API token of the account to manage. A token from the environment is never written into the state.",
  },
  accountId: {
    env: "DATAPLATFORM_ACCOUNT_ID",
    type: "string",
    optional: true,
    doc: "Id of the account that the token must belong to: with a token of another one nothing is created. A provider that gets another one, such as that of an account which was replaced, replaces everything that it manages.",
  },
  requestTimeoutSeconds: {
    env: "DATAPLATFORM_REQUEST_TIMEOUT_SECONDS",
    type: "number",
    default: 30,
    range: [1, 600],
    doc: "How long one request may take.",
  },
  retries: {
    env: "DATAPLATFORM_RETRIES",
    type: "number",
    default: 5,
    range: [0, 20],
    doc: "How many times a request that is safe to repeat is retried. While the platform throttles requests (429), is in maintenance (503) or asks to wait for another write (409, 423, or 422 that says so): four times as often, within three minutes.",
  },
  connections: {
    env: "DATAPLATFORM_CONNECTIONS",
    type: "number",
    default: 32,
    range: [1, 256],
    doc: "How many connections to the platform are open at once.",
  },
  requestsPerSecond: {
    env: "DATAPLATFORM_REQUESTS_PER_SECOND",
    type: "number",
    default: 0,
    range: [0, 10_000],
    doc: "Limit on requests per second; 0 means no limit.",
  },
  allowInsecureHttp: {
    env: "DATAPLATFORM_ALLOW_INSECURE_HTTP",
    type: "boolean",
    default: false,
    doc: "Allows plain http to hosts other than this machine. The token then travels unencrypted.",
  },
  extendedApi: {
    env: "DATAPLATFORM_EXTENDED_API",
    type: "boolean",
    default: false,
    doc: "Also uses operations that many installations have beyond the specification: see docs/extended-api.md.",
  },
  profile: {
    env: "DATAPLATFORM_PROFILE",
    type: "string",
    optional: true,
    doc: "File that says which requests this installation wants in a form other than the specified one: see docs/conform.md. A relative path begins at the program.",
  },
} as const satisfies Record<string, SettingSpec>;

export type SettingName = keyof typeof settingSpecs;

export const settingNames = Object.keys(settingSpecs) as SettingName[];

/** The program alone reads `mode`. */
const configNames = [...settingNames, "mode"];

interface UnknownSetting {
  readonly key: string;
  readonly says: string;
  /** The key that was probably meant. */
  readonly meant: string | undefined;
}

/**
 * Names in the stack's configuration that look like settings of ours and are none. A project that is named like the
 * package has names of its own there, so only those that are nearly ours are told.
 */
export function unknownSettings(names: readonly string[], project: string | undefined): UnknownSetting[] {
  return names
    .filter((name) => !configNames.includes(name))
    .map((name) => ({ name, close: closest(name, configNames) }))
    .filter(({ close }) => close !== undefined || project !== namespace)
    .map(({ name, close }) => {
      const meant = close && `${namespace}:${close}`;
      const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
      return { key: `${namespace}:${name}`, says: `is not a setting of the provider, which ignores it${hint}`, meant };
    });
}

/** The names in our part of a stack's configuration. */
export function namesIn(config: Readonly<Record<string, unknown>>): string[] {
  const prefix = `${namespace}:`;
  return Object.keys(config).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}
