import { endsWithDenyAll, type Policy } from "../../provider/values/element";
import { policyProperties, policyTypes } from "../policy-elements";
import { defineRule } from "../rule";
import { holdsUnknown } from "../values";

export const denyTheRest = defineRule({
  name: "deny-the-rest",
  description: "Every access policy ends with an element that denies the rest.",
  why: "Without it, the users and groups that the policy names may have more rights than it lists: those of their roles remain.",
  fix: 'End the policy with { access: "deny", action: ["all"], condition: … }, with all users and groups that it names. On objects, all does not cover manage: to deny that too, name it.',
  types: policyTypes,

  checkResource: (resource) =>
    policyProperties.flatMap((property) => {
      const policy = resource.properties[property];
      if (!Array.isArray(policy) || holdsUnknown(policy)) return [];
      if (policy.length === 0)
        return [{ resource, property, problem: "is empty, which clears the policy instead of restricting anything" }];
      const problem = "does not end with an element that denies all to everybody whom it names";
      return endsWithDenyAll(policy as Policy) ? [] : [{ resource, property, problem }];
    }),
});
