import { everybodyGroups, everybodyIn, type Ids } from "../everybody";
import { accessTypes, elementsOf } from "../policy-elements";
import { defineRule } from "../rule";

interface Options {
  readonly everybodyGroups: Ids;
}

export const allToEverybody = defineRule<Options>({
  name: "all-to-everybody",
  description: "No access policy, and no grant, allows everything to everybody.",
  why: "An element without a condition, or for a group that everybody is in, applies to everybody in the account, who could then change or delete the object.",
  fix: "Name the users or groups that need it, or list only the actions that everybody may do, such as read.",
  types: accessTypes,
  options: { everybodyGroups },

  checkResource: (resource, { options }) =>
    elementsOf(resource)
      .filter((element) => element.allows && element.names("all"))
      .flatMap((element) => {
        const who = everybodyIn(element, options.everybodyGroups);
        if (who === undefined) return [];
        const problem = element.isForEverybody
          ? "allows all actions and has no condition"
          : `allows all actions to ${who}`;
        return [{ resource, property: element.path, problem }];
      }),
});
