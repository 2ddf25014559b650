import { elementsOf, policyTypes } from "../policy-elements";
import { defineRule } from "../rule";

export const allToEverybody = defineRule({
  name: "all-to-everybody",
  description: "No access policy allows everything to everybody.",
  why: "An element without a condition applies to everybody in the account, who could then change or delete the object.",
  fix: "Name the users or groups in condition, or list only the actions that everybody may do, such as read.",
  types: policyTypes,

  checkResource: (resource) =>
    elementsOf(resource)
      .filter((element) => element.allows && element.isForEverybody && element.names("all"))
      .map(({ path }) => ({ resource, property: path, problem: "allows all actions and has no condition" })),
});
