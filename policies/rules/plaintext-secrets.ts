import type { Resource } from "../resource";
import { type Context, defineRule, type Violation } from "../rule";
import { textOf, valueAt } from "../values";

interface Options {
  readonly ignore: readonly string[];
}

/** The definitions' secrets, by type. The definitions themselves would take long to load. */
export const secretProperties: Readonly<Record<string, readonly string[]>> = {
  Account: ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey"],
  DataStore: ["dbPasswd", "gatewayPrivateKey"],
  Command: ["s3DistCp.encryptionKey"],
};

/** What looks like a credential wherever it stands. Values that refer to a variable are none. */
const looks: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a URL with a password", /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:(?![$<{*])[^\s/@]+@/i],
  [
    "a password, key or token",
    /(?:password|passwd|\bpwd|secret|token|api[_-]?key|(?:access|secret|private|encryption)[_-]?key)["']?\s*[=:]\s*["']?(?![$<{*])[^\s"',;&]{4,}/i,
  ],
  ["a password, key or token", /--?(?:password|passwd|secret|token|api-?key)[ =](?![$<{*-])\S{4,}/i],
];
/** Nothing shorter matches, so that most values cost nothing. */
const shortest = 12;

export const plaintextSecrets = defineRule<Options>({
  name: "plaintext-secrets",
  description: "Passwords, keys and tokens are marked as secrets, and come from encrypted configuration.",
  why: "What is not marked is stored in the state, and shown by previews, in plain text; what is not encrypted in the configuration is readable by everybody who can read the repository.",
  fix: "Store it with pulumi config set --secret, read it with config.requireSecret, and replace it: it may have been seen.",
  limits:
    "It sees values, not source: a password that is written into a program is not noticed if the SDK or the provider has marked it as a secret before, as they do for `dbPasswd` in every language. Use a secret scanner for the repository.",
  types: ["*"],
  seesSecrets: true,
  options: {
    ignore: {
      type: "array",
      items: { type: "string" },
      default: [],
      description: "Properties in which text may look like a secret, as `Type.property`: `Command.macros`.",
    },
  },

  checkResource: (resource, context) => [...ofDefinition(resource, context), ...byLook(resource, context.options)],
});

/** What the definition calls a secret must be marked, and must not come from plain configuration. */
function ofDefinition(resource: Resource, { plainConfigKey }: Context<Options>): Violation[] {
  return (secretProperties[resource.type] ?? []).flatMap((property): Violation[] => {
    const text = textOf(valueAt(resource.properties, property));
    if (text === undefined || text === "") return [];
    if (!resource.isSecret(property)) return [{ resource, property, problem: "is not marked as a secret" }];
    const key = plainConfigKey(text);
    return key === undefined ? [] : [fromPlainConfig(resource, property, key)];
  });
}

export function fromPlainConfig(resource: Resource, property: string, key: string): Violation {
  return {
    resource,
    property,
    problem: `comes from ${key}, which the stack's configuration does not encrypt`,
    fix: `Run pulumi config set --secret ${key}, and change the value itself: the old one stays in the repository's history.`,
  };
}

function byLook(resource: Resource, { ignore }: Options): Violation[] {
  const declared = secretProperties[resource.type] ?? [];
  return Object.entries(resource.properties)
    .filter(([name]) => !name.startsWith("__") && !ignore.includes(`${resource.type}.${name}`))
    .flatMap(([name, value]) => textsIn(value, name))
    .filter(({ path }) => !declared.includes(path) && !resource.isSecret(path))
    .flatMap(({ path, text }) => {
      const kind = looks.find(([, pattern]) => pattern.test(text))?.[0];
      return kind ? [{ resource, property: path, problem: `contains ${kind} and is not marked as a secret` }] : [];
    });
}

function textsIn(value: unknown, path: string): { readonly path: string; readonly text: string }[] {
  if (typeof value === "string") return value.length < shortest ? [] : [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}
