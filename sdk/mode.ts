import * as pulumi from "@pulumi/pulumi";

/**
 * Whether a resource or a function goes through the plugin: with an explicit provider of ours, or when the stack's
 * configuration says so.
 */
export function runsInPlugin(provider: pulumi.ProviderResource | undefined): boolean {
  if (provider && packageOf(provider) === "dataplatform") return true;
  const mode = new pulumi.Config("dataplatform").get("mode") ?? "dynamic";
  if (mode === "plugin" || mode === "dynamic") return mode === "plugin";
  throw new pulumi.RunError(
    `dataplatform:mode is ${JSON.stringify(mode)}; expected "dynamic" (the default) or "plugin"`,
  );
}

/** Pulumi knows the package of a provider but does not declare it in its types. */
function packageOf(provider: pulumi.ProviderResource): string | undefined {
  return (provider as unknown as { getPackage?(): string }).getPackage?.();
}
