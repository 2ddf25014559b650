import * as pulumi from "@pulumi/pulumi";
import { namesIn, unknownSettings } from "../provider/api/setting-specs";

/**
 * Whether a resource or a function goes through the plugin: with an explicit provider of ours, or when the stack's
 * configuration says so.
 */
export function runsInPlugin(provider: pulumi.ProviderResource | undefined): boolean {
  if (provider && packageOf(provider) === "dataplatform") return true;
  const mode = new pulumi.Config("dataplatform").get("mode") ?? "dynamic";
  if (mode === "dynamic") warnOnce();
  if (mode === "plugin" || mode === "dynamic") return mode === "plugin";
  throw new pulumi.RunError(
    `dataplatform:mode is ${JSON.stringify(mode)}; expected "dynamic" (the default) or "plugin"`,
  );
}

const warned = new WeakSet<pulumi.Resource>();

/** Once in a run. In plugin mode the plugin does it, for every language. */
function warnOnce(): void {
  const run = pulumi.runtime.getStackResource();
  if (run === undefined || warned.has(run)) return;
  warned.add(run);
  for (const { key, says } of unknownSettings(namesIn(pulumi.runtime.allConfig()), pulumi.getProject()))
    void pulumi.log.warn(`${key} ${says}`);
}

/** Pulumi knows the package of a provider but does not declare it in its types. */
function packageOf(provider: pulumi.ProviderResource): string | undefined {
  return (provider as unknown as { getPackage?(): string }).getPackage?.();
}
