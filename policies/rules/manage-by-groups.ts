import { elementsOf, type PolicyElement } from "../policy-elements";
import { defineRule } from "../rule";

interface Options {
  readonly groups: readonly (string | number)[];
}

export const manageByGroups = defineRule<Options>({
  name: "manage-by-groups",
  description: "Only named groups may manage permissions.",
  why: "Whoever has manage can give rights to others and to themselves, past everything that the program declares.",
  fix: "Give manage to a group of administrators only, in an element of its own.",
  types: ["ObjectPolicy"],
  options: {
    groups: {
      type: "array",
      items: { type: ["string", "integer"] },
      default: [],
      description:
        "Ids of the groups that may have `manage`. Default: any group, but no single users and not everybody.",
    },
  },

  checkResource: (resource, { options }) =>
    elementsOf(resource).flatMap((element) => {
      const who =
        element.allows && element.names("manage") ? notAllowed(element, options.groups.map(String)) : undefined;
      return who === undefined ? [] : [{ resource, property: element.path, problem: `gives manage to ${who}` }];
    }),
});

/** Who has `manage` and should not. */
function notAllowed({ isForEverybody, users, groups }: PolicyElement, allowed: readonly string[]): string | undefined {
  if (isForEverybody) return "everybody";
  if (users.length > 0) return `single users (${users.join(", ")})`;
  const others = allowed.length === 0 ? [] : groups.filter((group) => !allowed.includes(group));
  return others.length === 0
    ? undefined
    : `group ${others.join(", ")}, which is not one of the groups that may have it`;
}
