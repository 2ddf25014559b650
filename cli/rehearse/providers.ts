import { plainUrl, type Settings } from "../../provider/api/settings";
import { unknownValue } from "../../provider/core/engine-values";
import { ownSettings, settingsOf } from "../../provider/core/provider-config";
import { ownType } from "../../provider/core/urn";
import { isDeclaredProvider } from "../pulumi/managed";
import { maskedSecret, type Plain, plainProperties } from "../pulumi/plain";
import { nameOf, type StateResource, type WholeExport } from "../pulumi/stack";

/** Providers that only serve resources of ours: Pulumi's runtime for dynamic ones, and our plugin. */
const harmless = ["dataplatform", "pulumi-nodejs"];

/** Where a rehearsal leads: what its providers may name. */
interface Expected {
  readonly baseUrl: string;
  /** Undefined if any token will do. */
  readonly tokens?: readonly string[];
}

/** Refuses what cannot be rehearsed. `allowed`: other providers that may run. */
export function refuse(
  resources: readonly StateResource[],
  allowed: readonly string[],
  expected: Expected,
  when: string,
): void {
  refuseOthers(resources, allowed);
  refuseReferences(resources);
  refuseAccounts(resources, expected, when);
}

/** What an update would change in the real world, because only our own provider can be redirected. */
function refuseOthers(resources: readonly StateResource[], allowed: readonly string[]): void {
  const found = resources.filter(({ custom }) => custom !== false).map((one) => ({ ...one, owner: ownerOf(one.type) }));
  const others = found.filter(({ owner }) => owner !== undefined && !allowed.includes(owner));
  const [first] = others;
  if (!first) return;
  const names = [...new Set(others.map(({ owner }) => owner!))].sort();
  throw new Error(
    `cannot rehearse this stack: it has resources of ${names.join(", ")}, such as ${nameOf(first.urn)} (${first.type}), ` +
      "which the rehearsal would change for real. If an update of them does no harm, allow it: " +
      names.map((name) => `--allow-provider ${name}`).join(" "),
  );
}

/** The package of a resource that is not ours. */
function ownerOf(type: string): string | undefined {
  if (ownType(type) !== undefined) return undefined;
  const [, provider] = /^pulumi:providers:(.+)$/.exec(type) ?? [];
  if (provider !== undefined) return harmless.includes(provider) ? undefined : provider;
  return type.startsWith("pulumi:pulumi:") ? undefined : type.split(":", 1)[0];
}

/** The other stacks are not in the temporary backend. */
function refuseReferences(resources: readonly StateResource[]): void {
  const reference = resources.find(({ type }) => type === "pulumi:pulumi:StackReference");
  if (!reference) return;
  throw new Error(
    `cannot rehearse this stack: it reads the outputs of another one (${nameOf(reference.urn)}), and the rehearsal's ` +
      "temporary backend has no other stacks. Pass what it reads as configuration to rehearse it",
  );
}

interface Address {
  readonly baseUrl: string;
  readonly apiToken: string;
}

export interface Redirection {
  /** The stack's own settings. */
  readonly from: Address;
  /** The emulator's. */
  readonly to: Address;
  /** Of other accounts: what the emulator takes in the place of each token. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** Another account of the same platform, which explicit providers of the stack manage. */
export interface OtherAccount {
  readonly settings: Settings;
  /** Their URNs. */
  readonly providers: readonly string[];
}

/** By token, as the state has them. */
export function otherAccounts(state: readonly StateResource[], own: Settings): OtherAccount[] {
  const found = new Map<string, OtherAccount>();
  for (const { urn, inputs } of explicitProviders(state)) {
    const settings = settingsOf(ownSettings(plainProperties(inputs).value));
    if (settings.apiToken === own.apiToken) continue;
    const known = found.get(settings.apiToken);
    found.set(settings.apiToken, { settings, providers: [...(known?.providers ?? []), urn] });
  }
  return [...found.values()];
}

/** The engine's own follow the stack's settings; in the state they may still have an older token. */
function explicitProviders(resources: readonly StateResource[]): StateResource[] {
  return resources.filter(isDeclaredProvider);
}

const fromConfig = `pulumi.Config("dataplatform").require(${JSON.stringify("baseUrl")})`;

/** Refuses an explicit provider with another platform than the stack's, or with a token or an address that cannot be seen. */
function refuseAccounts(resources: readonly StateResource[], expected: Expected, when: string): void {
  for (const { urn, inputs } of explicitProviders(resources)) {
    const why = whyNotOurs(plainProperties(inputs), expected);
    if (why === undefined) continue;
    throw new Error(
      `cannot rehearse this stack: ${when}, its provider "${nameOf(urn)}" has ${why}, which ` +
        "the rehearsal cannot redirect to its emulator. A rehearsal covers the accounts of one platform, with the tokens " +
        "of dataplatform:apiToken and of the providers in the state. Read the settings from the configuration, for baseUrl " +
        `with new ${fromConfig} (Python: ${fromConfig}), ` +
        "or rehearse the accounts as stacks of their own",
    );
  }
}

/** A plan masks every token; where it leads decides. So an address must be seen, unless it is the stack's own. */
function whyNotOurs({ value, secretNames }: Plain, { baseUrl: expected, tokens }: Expected): string | undefined {
  const isSeen = (one: unknown) => one !== undefined && one !== maskedSecret;
  const { baseUrl, apiToken } = value;
  if (baseUrl === maskedSecret || (baseUrl === undefined && secretNames.has("baseUrl")))
    return "a platform that is a secret";
  if (isSeen(baseUrl) && plainUrl(String(baseUrl)) !== plainUrl(expected))
    return "a platform that it does not read from dataplatform:baseUrl";
  // One that is not known yet is that of an account that the update creates, in the emulator.
  const isOther = isSeen(apiToken) && apiToken !== unknownValue && tokens?.includes(String(apiToken)) === false;
  return isOther ? "a token of its own" : undefined;
}

/**
 * The state for the temporary backend: its providers lead to the emulator, and accounts have stand-ins as tokens. The
 * engine deletes with the provider of the state when the program has none; for dynamic resources, that one holds the
 * whole configuration of the stack.
 */
export function redirected(
  exported: WholeExport,
  redirection: Redirection,
  replaceSecret: (secret: string) => string,
): WholeExport {
  const { deployment } = exported;
  const resources = deployment?.resources?.map((resource) => {
    const { type, inputs, outputs } = resource;
    if (type.startsWith("pulumi:providers:"))
      return { ...resource, inputs: settingsTo(inputs, redirection), outputs: settingsTo(outputs, redirection) };
    if (ownType(type) !== "Account" || !outputs) return resource;
    const token = plainProperties(outputs).value["authenticationToken"];
    if (typeof token !== "string") return resource;
    // It stays encrypted, as the original is.
    const wrapped = outputs["authenticationToken"];
    const standIn = replaceSecret(token);
    const authenticationToken =
      typeof wrapped === "object" ? { ...wrapped, plaintext: JSON.stringify(standIn) } : standIn;
    return { ...resource, outputs: { ...outputs, authenticationToken } };
  });
  return deployment ? { ...exported, deployment: { ...deployment, resources } } : exported;
}

function settingsTo(properties: StateResource["inputs"], redirection: Redirection): StateResource["inputs"] {
  if (!properties) return properties;
  const { value: plain } = plainProperties(properties);
  const kept = Object.entries(properties).filter(([name]) => settingOf(name) !== "profile");
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const now = inPlaceOf(String(plain[name]), redirection, name);
      return [name, now === String(plain[name]) ? value : now];
    }),
  );
}

/** The setting of ours that a config key or a provider's property holds. */
const settingOf = (name: string): string => name.replace(/^dataplatform:/, "");

/** What the emulator has in the place of a value: our settings, whatever they are now, and production's address and tokens. */
export function inPlaceOf(value: string, { from, to, tokens }: Redirection, name = ""): string {
  const setting = settingOf(name);
  if (setting === "baseUrl" || plainUrl(value) === plainUrl(from.baseUrl)) return to.baseUrl;
  const ofOther = tokens.get(value);
  if (ofOther !== undefined) return ofOther;
  return setting === "apiToken" || value === from.apiToken ? to.apiToken : value;
}
