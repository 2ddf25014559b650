import { everybodyGroups, everybodyIn, type Ids, needsEverybody } from "../everybody";
import { accessTypes, elementsOf, type PolicyElement } from "../policy-elements";
import { defineRule } from "../rule";

interface Options {
  readonly groups: Ids;
  readonly everybodyGroups: Ids;
}

export const manageByGroups = defineRule<Options>({
  name: "manage-by-groups",
  description: "Only named groups may manage permissions.",
  why: "Whoever has manage can give rights to others and to themselves, past everything that the program declares.",
  fix: "Give manage to a group of administrators only, in an element or a grant of its own.",
  types: accessTypes,
  needs: needsEverybody,
  options: {
    groups: {
      type: "array",
      items: { type: ["string", "integer"] },
      default: [],
      description:
        "Ids of the groups that may have `manage`. Default: any group, but no single users and not everybody.",
    },
    everybodyGroups,
  },

  checkResource: (resource, { options }) =>
    elementsOf(resource).flatMap((element) => {
      const who = element.allows && element.names("manage") ? notAllowed(element, options) : undefined;
      return who === undefined ? [] : [{ resource, property: element.path, problem: `gives manage to ${who}` }];
    }),
});

/** Who has `manage` and should not. */
function notAllowed(element: PolicyElement, options: Options): string | undefined {
  const { users, groups } = element;
  const everybody = everybodyIn(element, options.everybodyGroups);
  if (everybody !== undefined) return everybody;
  if (users.length > 0)
    return users.length === 1 ? `a single user (${users[0]})` : `single users (${users.join(", ")})`;
  const allowed = options.groups.map(String);
  const others = allowed.length === 0 ? [] : groups.filter((group) => !allowed.includes(group));
  return others.length === 0
    ? undefined
    : `group ${others.join(", ")}, which is not one of the groups that may have it`;
}
