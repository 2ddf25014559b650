import { everybodyGroups, everybodyIn, type Ids, needsEverybody } from "../everybody";
import { accessTypes, allOf, elementsOf } from "../policy-elements";
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
  needs: needsEverybody,
  options: { everybodyGroups },

  checkResource(resource, { options }) {
    const all = allOf(resource);
    // What several elements allow together, in one policy: each may name one action.
    const allowed = new Map<string, Set<string>>();
    return elementsOf(resource).flatMap((element) => {
      const who = element.allows ? everybodyIn(element, options.everybodyGroups) : undefined;
      if (who === undefined) return [];
      const property = element.path.split("[", 1)[0]!;
      const before = allowed.get(property) ?? new Set();
      const isComplete = (actions: ReadonlySet<string>) => all.every((action) => actions.has(action));
      const after = new Set([...before, ...element.actions]);
      allowed.set(property, after);
      const isAll = isComplete(new Set(element.actions));
      if (!isAll && (isComplete(before) || !isComplete(after))) return [];
      const what = isAll ? "allows all actions" : "allows all actions together with the elements before it,";
      const problem = element.isForEverybody ? `${what} and has no condition` : `${what} to ${who}`;
      return [{ resource, property: element.path, problem }];
    });
  },
});
