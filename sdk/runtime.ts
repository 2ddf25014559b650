import * as pulumi from "@pulumi/pulumi";
import { runsInPlugin } from "./mode";
import { markedSecrets, secretOutputNames, withSecretsMarked } from "./secrets";

export type PlatformResourceOptions = pulumi.CustomResourceOptions;

/**
 * Runs from the state on refresh and delete, even long after it was written: it must never change between releases. It
 * contains no code of ours and no secret, and is resolved from the program's directory.
 */
function providerText(type: string): string {
  return `exports.handler=()=>require("pulumi-dataplatform/dynamic").${type}`;
}

/**
 * What the classes in `resources/` pass to Pulumi. Not a base class: Pulumi finds the line of the program that declares
 * a resource by the number of constructors above it.
 */
export function registration(
  type: string,
  name: string,
  args: object,
  { names, secrets, deleteFirst = false }: Traits,
  opts: PlatformResourceOptions = {},
): [type: string, name: string, properties: pulumi.Inputs, opts: PlatformResourceOptions] {
  const plugin = runsInPlugin(opts.provider ?? opts.parent?.getProvider(pluginType(type)));
  if (!plugin && opts.import !== undefined) throw importNeedsPlugin(type, name);
  // Pulumi creates outputs for the properties it is given, so all are named, even those without a value.
  const properties: Record<string, unknown> = Object.fromEntries(names.map((property) => [property, undefined]));
  Object.assign(properties, withSecretsMarked(args, secrets));
  if (!plugin) Object.assign(properties, forDynamicProvider(type, name, args, secrets, opts.id !== undefined));
  const [own, other] = plugin ? [pluginType(type), dynamicType(type)] : [dynamicType(type), pluginType(type)];
  const aliases = inBothModes(own, other, opts.aliases);
  // `pulumi up --replace` ignores the order that the provider asks for, but not this option.
  const order = deleteFirst ? { deleteBeforeReplace: true } : {};
  return [own, name, properties, { ...order, ...withSecrets(opts, secrets), aliases }];
}

type Alias = pulumi.URN | pulumi.Alias;

/**
 * With the other mode's type as an alias, a stack moves between modes and nothing is replaced; with each alias in that
 * type too, also in a run that renames or moves the resource.
 */
function inBothModes(own: string, other: string, given: readonly pulumi.Input<Alias>[] = []): pulumi.Input<Alias>[] {
  const inOther = (alias: Alias): Alias =>
    typeof alias === "string" ? alias.replace(own, other) : { ...alias, type: alias.type ?? other };
  const others = given.map((alias) =>
    pulumi.Output.isInstance(alias) || alias instanceof Promise
      ? pulumi.output(alias).apply((known) => inOther(known as Alias))
      : inOther(alias),
  );
  return [...given, { type: other }, ...others];
}

/** What the generated code knows about a resource. */
interface Traits {
  /** Its properties, inputs and outputs. */
  readonly names: readonly string[];
  readonly secrets: readonly string[];
  /** Whether a replacement has the same key on the platform, so that the old one must be deleted first. */
  readonly deleteFirst?: boolean;
}

let declared = 0;

/** What the engine does not tell a dynamic provider: the resource's name, the secrets that the program marked, and whether it is a preview. */
function forDynamicProvider(
  type: string,
  name: string,
  args: object,
  secrets: readonly string[],
  isRead: boolean,
): Record<string, unknown> {
  const marked = markedSecrets(args, secrets);
  return {
    __provider: providerText(type),
    // Removed by the provider's check: the state does not keep it. What is only read is not checked.
    ...(!isRead && { __declaredAs: `${declared++} ${pulumi.runtime.isDryRun() ? "preview" : "update"} ${name}` }),
    ...(marked && { __secrets: marked }),
  };
}

function pluginType(type: string): string {
  return `dataplatform:index:${type}`;
}

function dynamicType(type: string): string {
  return `pulumi-nodejs:dynamic/dataplatform:${type}`;
}

function importNeedsPlugin(type: string, name: string): pulumi.RunError {
  return new pulumi.RunError(
    `${type} ${name}: Pulumi cannot import into dynamic resources. Import it through the plugin: set dataplatform:mode to plugin, or pass a dataplatform.Provider (see docs/modes.md). The stack can return to dynamic mode afterwards.`,
  );
}

function withSecrets(opts: PlatformResourceOptions, secrets: readonly string[]): PlatformResourceOptions {
  const names = secretOutputNames(secrets);
  if (names.length === 0) return opts;
  return { ...opts, additionalSecretOutputs: [...new Set([...(opts.additionalSecretOutputs ?? []), ...names])] };
}
