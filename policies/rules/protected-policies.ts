import { policyTypes } from "../policy-elements";
import { defineRule } from "../rule";

export const protectedPolicies = defineRule({
  name: "protected-policies",
  description: "Access policies are protected from being destroyed.",
  why: "Destroying the resource restores, clears or abandons the policy: the object may be open to everybody from one moment to the next.",
  fix: "Set the resource option protect: true; to remove the resource on purpose, remove that option first.",
  types: policyTypes,
  checkResource: (resource) => (resource.isProtected ? [] : [{ resource, problem: "has no protect" }]),
});
