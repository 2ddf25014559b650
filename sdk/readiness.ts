import * as pulumi from "@pulumi/pulumi";
import type { OutputFunctionOptions } from "./invoke-options";

/**
 * Known as soon as everything that a function depends on is ready: its arguments, the resources that they come from, and
 * `dependsOn`. At preview it stays unknown while one of these resources is yet to be created, even if the arguments that
 * come from it are known.
 */
export function readiness(dependsOn: OutputFunctionOptions["dependsOn"], args: object): pulumi.Output<unknown> {
  const given = pulumi.output(args);
  const named = pulumi.output(dependsOn).apply((resources) => idsOf([resources].flat()));
  const sources = pulumi.output(sourcesOf(given)).apply(idsOf);
  return pulumi.all([given, named, sources]);
}

/** Waits for a value; false if it stays unknown, as values may at preview. */
export async function isKnown(value: pulumi.Output<unknown>): Promise<boolean> {
  const serialized = await pulumi.runtime.serializeProperties("value", { value });
  return serialized["value"] !== pulumi.runtime.unknownValue;
}

function idsOf(resources: readonly unknown[]): pulumi.Output<unknown> {
  const ids = resources.filter(pulumi.Resource.isInstance).flatMap(membersOf).map(idOf);
  return pulumi.output(ids);
}

function idOf(resource: pulumi.Resource): pulumi.Output<string> {
  // A resource known only by its URN, such as one that a remote component returned, has no id.
  return (resource as Partial<pulumi.CustomResource>).id ?? resource.urn;
}

/** A component is ready when its children are; Pulumi keeps them but does not declare them in its types. */
function membersOf(resource: pulumi.Resource): pulumi.Resource[] {
  if (pulumi.CustomResource.isInstance(resource)) return [resource];
  const { __childResources: children = [] } = resource as { __childResources?: Iterable<pulumi.Resource> };
  return [resource, ...[...children].flatMap(membersOf)];
}

/** Pulumi knows the resources behind an output but does not declare them in its types. */
async function sourcesOf(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
  const { allResources } = output as unknown as { allResources?: () => Promise<Iterable<pulumi.Resource>> };
  return [...((await allResources?.()) ?? [])];
}
