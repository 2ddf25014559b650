import { z } from "zod";
import type { Client } from "../../provider/api/client";
import { containsUnknown } from "../../provider/core/engine-values";
import { guarded } from "../../provider/core/guard";
import { readText } from "../files";
import { type Managed, managedResources, textsIn } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import { digestIn } from "../pulumi/preview";

/**
 * What is there already where a plan creates something, such as the policy that an object has: nobody has declared it, so
 * it is no drift. `unknown`: why that is not known. Neither: there is nothing.
 */
export const Overwritten = z.object({
  urn: z.string(),
  found: z.record(z.string(), z.unknown()).optional(),
  unknown: z.string().optional(),
});
export type Overwritten = z.output<typeof Overwritten>;

/** `file`: a plan in the form of `pulumi preview --json`. */
export function overwrittenBy(file: string, clientOf: (resource: Managed) => Client): Promise<Overwritten[]> {
  const steps = digestIn(readText(`the plan ${file}`, file))?.steps ?? [];
  const created = steps.flatMap(({ op, newState }) =>
    /^create/.test(op) && newState ? managedResources([newState]) : [],
  );
  // The state of such a resource keeps what was there before.
  const overwriting = created.filter(({ definition }) => definition && "originalPolicy" in definition.outputs.shape);
  return Promise.all(
    overwriting.map(async (resource) => ({ urn: resource.urn, ...(await foundAt(resource, clientOf)) })),
  );
}

async function foundAt(resource: Managed, clientOf: (resource: Managed) => Client): Promise<Omit<Overwritten, "urn">> {
  const { definition, inputs, type, name } = resource;
  const { policy: _, ...place } = inputs;
  if (containsUnknown(place)) return { unknown: "which one is known only after the update" };
  if (textsIn(inputs).includes(maskedSecret)) return { unknown: "the program marks a part of it as a secret" };
  const host = { client: () => clientOf(resource), log: { info: () => {}, warn: () => {} } };
  const about = { name: type, failed: `${type} ${name}`, secrets: [] };
  try {
    const found = await guarded(host, about, (context) => definition!.read!(context, "", place));
    if (found && !("policy" in found)) return { unknown: "this installation cannot show it" };
    return found ? { found: { policy: found["policy"] } } : {};
  } catch (error) {
    return { unknown: (error as Error).message };
  }
}
