import type { Properties } from "../core/properties";
import { fromPulumi } from "../engine/stubs";
import { inputValue } from "./component-inputs";
import type { messages } from "./stubs";

type Pulumi = typeof import("@pulumi/pulumi");
type ConstructRequest = InstanceType<typeof messages.ConstructRequest>;
/** Pulumi's types allow the last two for single resources only; other languages send them for components too. */
type ComponentOptions = import("@pulumi/pulumi").ComponentResourceOptions &
  Pick<import("@pulumi/pulumi").CustomResourceOptions, "additionalSecretOutputs" | "deleteBeforeReplace">;

/**
 * The options as a TypeScript program would pass them. Nothing is handed to the children here: the engine and Pulumi's
 * SDK give them what children inherit, as they do in a program. `settings`: those of this provider, which a provider for
 * a new account shares.
 */
export function optionsOf(pulumi: Pulumi, request: ConstructRequest, settings: Properties): ComponentOptions {
  const [parent, deletedWith] = [request.getParent(), request.getDeletedwith()];
  const resource = (urn: string) => new pulumi.DependencyResource(urn);
  return withoutUnset({
    aliases: request.getAliasesList().map((alias) => aliasOf(pulumi, alias)),
    dependsOn: request.getDependenciesList().map(resource),
    providers: providersOf(pulumi, request, settings),
    parent: parent ? resource(parent) : undefined,
    protect: flag(request, "Protect"),
    retainOnDelete: flag(request, "Retainondelete"),
    deleteBeforeReplace: flag(request, "Deletebeforereplace"),
    deletedWith: deletedWith ? resource(deletedWith) : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: timeoutsOf(request),
    ...newerOptionsOf(pulumi, request),
  }) as ComponentOptions;
}

function withoutUnset(options: Properties): Properties {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function providersOf(pulumi: Pulumi, request: ConstructRequest, settings: Properties) {
  const { rememberSettings, settingsFromText } =
    require("../../sdk/components/provider-settings") as typeof import("../../sdk/components/provider-settings");
  const providers = [...request.getProvidersMap().entries()].map(([name, reference]) => {
    const provider = new pulumi.DependencyProviderResource(reference);
    if (name === "dataplatform") rememberSettings(provider, settingsFromText(settings));
    return [name, provider];
  });
  return Object.fromEntries(providers);
}

type Flag = "Protect" | "Retainondelete" | "Deletebeforereplace";

/** False is not the same as unset: it overrides what a parent says. Older stubs do not tell the two apart. */
function flag(request: ConstructRequest, name: Flag): boolean | undefined {
  const known = request as Partial<Pick<ConstructRequest, `has${Flag}`>>;
  const value = request[`get${name}`]();
  const isSet = known[`has${name}`] ? request[`has${name}`]() : value;
  return isSet ? value : undefined;
}

function timeoutsOf(request: ConstructRequest): Properties | undefined {
  const given = request.getCustomtimeouts();
  if (!given) return undefined;
  const { getRead }: Partial<typeof given> = given;
  // Not `toObject`, which renames `delete`.
  const timeouts = { create: given.getCreate(), update: given.getUpdate(), delete: given.getDelete() };
  const all = Object.entries({ ...timeouts, read: getRead?.call(given) ?? "" });
  return Object.fromEntries(all.filter(([, text]) => text !== ""));
}

/** What the stubs of older versions of Pulumi lack. */
type Newer = Partial<Pick<ConstructRequest, "getReplaceWithList" | "getReplacementTrigger" | "getResourceHooks">>;

interface Hooks {
  readonly hookBindingFromProto?: (hooks: unknown) => import("@pulumi/pulumi").ResourceHookBinding | undefined;
}

function newerOptionsOf(pulumi: Pulumi, request: ConstructRequest): Properties {
  const newer: Newer = request;
  const trigger = newer.getReplacementTrigger?.();
  const hooks = newer.getResourceHooks?.();
  return {
    replaceWith: newer.getReplaceWithList?.().map((urn) => new pulumi.DependencyResource(urn)),
    replacementTrigger: trigger && inputValue(pulumi, trigger.toJavaScript(), { secret: false, sources: [] }),
    // The program has registered its hooks; only their names are passed on, which takes a class that Pulumi keeps to itself.
    hooks: hooks && (fromPulumi("./runtime/resource.js") as Hooks).hookBindingFromProto?.(hooks),
  };
}

/** A URN in older versions of Pulumi. */
type WireAlias = ReturnType<ConstructRequest["getAliasesList"]>[number] | string;

function aliasOf(pulumi: Pulumi, alias: WireAlias): string | import("@pulumi/pulumi").Alias {
  if (typeof alias === "string") return alias;
  const spec = alias.getSpec();
  if (!spec) return alias.getUrn();
  const given = { name: spec.getName(), project: spec.getProject(), stack: spec.getStack(), type: spec.getType() };
  const named = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ""));
  if (spec.getParenturn()) return { ...named, parent: spec.getParenturn() };
  return spec.getNoparent() ? { ...named, parent: pulumi.rootStackResource } : named;
}
