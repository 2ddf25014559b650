import { containsUnknown } from "../../provider/core/engine-values";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";

/** Why these properties of a resource are not shown: the program marks them as a secret, or only the update decides them. */
export function whyHidden(
  { state, secretNames }: Managed,
  properties: readonly string[],
): "secret" | "after up" | undefined {
  const values = properties.map((name) => state[name]);
  if (properties.some((name) => secretNames.has(name)) || containsMask(values)) return "secret";
  return containsUnknown(values) ? "after up" : undefined;
}

/** In a plan. */
function containsMask(value: unknown): boolean {
  if (value === maskedSecret) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsMask);
}
