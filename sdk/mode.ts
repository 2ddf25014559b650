import * as pulumi from "@pulumi/pulumi";
import { namesIn, unknownSettings } from "../provider/api/setting-specs";
import { missingPlugin } from "../provider/engine/plugin-search";

/**
 * Whether a resource or a function goes through the plugin: with an explicit provider of ours, or when the stack's
 * configuration says so.
 */
export function runsInPlugin(provider: pulumi.ProviderResource | undefined): boolean {
  const isOurs = provider !== undefined && packageOf(provider) === "dataplatform";
  const mode = isOurs ? "plugin" : (new pulumi.Config("dataplatform").get("mode") ?? "dynamic");
  if (mode !== "plugin" && mode !== "dynamic")
    throw new pulumi.RunError(
      `dataplatform:mode is ${JSON.stringify(mode)}; expected "dynamic" (the default) or "plugin"`,
    );
  advise(mode);
  return mode === "plugin";
}

const advised = { dynamic: new WeakSet<pulumi.Resource>(), plugin: new WeakSet<pulumi.Resource>() };

/** Once in a run, about what would fail later or go unnoticed. The plugin itself warns of its settings. */
export function advise(mode: keyof typeof advised): void {
  const run = pulumi.runtime.getStackResource();
  if (run === undefined || advised[mode].has(run)) return;
  advised[mode].add(run);
  const advice = mode === "plugin" ? [missingPlugin(process.cwd())] : settingAdvice();
  for (const message of advice) if (message !== undefined) void pulumi.log.warn(message);
}

function settingAdvice(): string[] {
  const unknown = unknownSettings(namesIn(pulumi.runtime.allConfig()), pulumi.getProject());
  return unknown.map(({ key, says }) => `${key} ${says}`);
}

/** Pulumi knows the package of a provider but does not declare it in its types. */
function packageOf(provider: pulumi.ProviderResource): string | undefined {
  return (provider as unknown as { getPackage?(): string }).getPackage?.();
}
