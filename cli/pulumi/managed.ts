import { readSettings, type Settings } from "../../provider/api/settings";
import type { AnyResource } from "../../provider/core/define";
import { knownState } from "../../provider/core/diff";
import { withExtendedApi } from "../../provider/core/extended";
import { ownSettings, settingsOf } from "../../provider/core/provider-config";
import { isDefaultProvider, ownType, providerToken, urnOfReference, urnParts } from "../../provider/core/urn";
import { resources as definitions } from "../../provider/resources";
import { plainProperties } from "./plain";
import { nameOf, type StackConfig, type StateResource } from "./stack";

/** One of our resources in the state, created in either mode. */
export interface Managed {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly id: string;
  /** Undefined if this version of the package does not have the type. */
  readonly definition: AnyResource | undefined;
  /** What the program declared at the last `up`. */
  readonly inputs: Record<string, unknown>;
  readonly state: Record<string, unknown>;
  /** Properties that are encrypted in the state. */
  readonly secretNames: ReadonlySet<string>;
  /** The explicit provider of the program; undefined if the stack's settings apply. */
  readonly provider: string | undefined;
}

export function managedResources(state: readonly StateResource[]): Managed[] {
  const declared = new Set(state.filter(isDeclaredProvider).map(({ urn }) => urn));
  return state.flatMap((resource): Managed[] => {
    const type = ownType(resource.type);
    if (type === undefined || resource.delete || resource.external || resource.custom === false) return [];
    const inputs = plainProperties(withoutProviderText(resource.inputs));
    const outputs = plainProperties(withoutProviderText(resource.outputs));
    const definition = definitionOf(resource.type);
    return [
      {
        urn: resource.urn,
        name: nameOf(resource.urn),
        type,
        id: resource.id ?? "",
        definition,
        inputs: inputs.value,
        state: definition ? knownState(definition, inputs.value, outputs.value) : outputs.value,
        secretNames: new Set([...inputs.secretNames, ...outputs.secretNames]),
        provider: explicitProvider(resource.provider, declared),
      },
    ];
  });
}

/** Of one of our types, whichever mode created it. */
export function definitionOf(token: string): AnyResource | undefined {
  const type = ownType(token);
  return definitions.find((definition) => definition.type === type);
}

/** What stays on the platform if the resource is deleted, in the words of the provider's warning. */
export function leftBehind({ definition, id, state }: Managed, extendedApi: boolean): string | undefined {
  const effective = definition && extendedApi ? withExtendedApi(definition) : definition;
  return effective?.limits.kept?.(id, state) || undefined;
}

/** Counts the resources of other providers. */
export function countOthers(state: readonly StateResource[]): number {
  return state.filter(({ type }) => !type.startsWith("pulumi:") && ownType(type) === undefined).length;
}

function withoutProviderText(properties: Record<string, unknown> = {}): Record<string, unknown> {
  const { __provider: _, ...rest } = properties;
  return rest;
}

/** A program can give its own the name of one that the engine makes; only its own has a parent. */
export function isDeclaredProvider({ type, urn, parent }: StateResource): boolean {
  return type === providerToken && (!isDefaultProvider(urn) || Boolean(parent));
}

function explicitProvider(reference = "", declared: ReadonlySet<string>): string | undefined {
  const urn = urnOfReference(reference);
  const isExplicit = declared.has(urn) || (urnParts(urn).type === providerToken && !isDefaultProvider(urn));
  return isExplicit ? urn : undefined;
}

/** Finds a resource's settings: those of its explicit provider, or the stack's. */
export function settingsFinder(
  state: readonly StateResource[],
  config: StackConfig,
): (resource: Pick<Managed, "provider">) => Settings {
  const providers = new Map(
    state
      .filter(({ type }) => type === providerToken)
      .map(({ urn, inputs }) => [urn, ownSettings(plainProperties(inputs).value)]),
  );
  return ({ provider }) => {
    if (provider === undefined) return readSettings((name) => config[`dataplatform:${name}`]?.value);
    const own = providers.get(provider);
    if (!own)
      throw new Error(`its provider ${nameOf(provider)} is not in the state; run "pulumi up" once, then try again`);
    return settingsOf(own, nameOf(provider));
  };
}

/** Settings that are missing are reported by whatever needs them. */
export function ifConfigured<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What is secret in a resource of the state, to take it out of texts. */
export function secretsIn({ secretNames, inputs, state }: Pick<Managed, "secretNames" | "inputs" | "state">): string[] {
  return [...secretNames].flatMap((name) => textsIn([inputs[name], state[name]]));
}

/** Every text in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
