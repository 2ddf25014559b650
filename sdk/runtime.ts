import * as pulumi from "@pulumi/pulumi";
import { runsInPlugin } from "./mode";
import { markedSecrets, secretOutputNames, withSecretsMarked } from "./secrets";

export type PlatformResourceOptions = pulumi.CustomResourceOptions;

/**
 * Runs on refresh and delete from the state, also long after it was written: it must never change between releases.
 * It holds no code of ours and no secret, and is resolved from the program's directory.
 */
function providerText(type: string): string {
  return `exports.handler=()=>require("pulumi-dataplatform/dynamic").${type}`;
}

/**
 * What the classes in `resources/` hand to Pulumi. Not a class between them and Pulumi's: Pulumi finds the line of the
 * program that declares a resource by the number of constructors above it.
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
  // Pulumi makes outputs of the properties that it is given; so all are named, also those without a value.
  const properties: Record<string, unknown> = Object.fromEntries(names.map((property) => [property, undefined]));
  Object.assign(properties, withSecretsMarked(args, secrets));
  if (!plugin) Object.assign(properties, forDynamicProvider(type, name, args, secrets));
  const [own, other] = plugin ? [pluginType(type), dynamicType(type)] : [dynamicType(type), pluginType(type)];
  // The other mode's type as an alias: a stack moves from one mode to the other with nothing replaced.
  const aliases = [...(opts.aliases ?? []), { type: other }];
  // What a provider says about the order of a replacement does not count for `pulumi up --replace`; this does.
  const order = deleteFirst ? { deleteBeforeReplace: true } : {};
  return [own, name, properties, { ...order, ...withSecrets(opts, secrets), aliases }];
}

/** What the generated code knows of a resource. */
interface Traits {
  /** Its properties, inputs and outputs. */
  readonly names: readonly string[];
  readonly secrets: readonly string[];
  /** Whether a replacement has the same key on the platform, so that the old one must go first. */
  readonly deleteFirst?: boolean;
}

let declared = 0;

/** What the engine does not tell a dynamic provider: a resource's name, the program's own secrets, and whether it previews. */
function forDynamicProvider(
  type: string,
  name: string,
  args: object,
  secrets: readonly string[],
): Record<string, unknown> {
  const marked = markedSecrets(args, secrets);
  return {
    __provider: providerText(type),
    // Used up by the provider's check: it is not kept in the state.
    __declaredAs: `${declared++} ${pulumi.runtime.isDryRun() ? "preview" : "update"} ${name}`,
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
