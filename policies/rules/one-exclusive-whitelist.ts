import type { Resource } from "../resource";
import { defineRule } from "../rule";

interface Options {
  readonly ownerStack: string;
}

export const oneExclusiveWhitelist = defineRule<Options>({
  name: "one-exclusive-whitelist",
  description: "One program declares only one exclusive whitelist of an account; other stacks are not seen.",
  why: "An exclusive IpWhitelist removes every address that it does not declare, so two of them remove each other's at every up, and lock out whoever comes from there.",
  fix: "Keep exclusive: true in one place, and declare all other addresses there, or without exclusive.",
  types: ["IpWhitelist"],
  options: {
    ownerStack: {
      type: "string",
      default: "",
      description:
        "The stack that may have one: `stack`, or `project/stack`. One stack cannot see the others, so without this only two in the same stack are reported.",
    },
  },

  checkResource(resource, { options: { ownerStack } }) {
    if (ownerStack === "" || resource.properties["exclusive"] !== true) return [];
    const { project, stack } = resource;
    if (ownerStack === stack || ownerStack === `${project}/${stack}`) return [];
    const problem = `is true in stack ${project}/${stack}, and the stack that owns the whitelist is ${ownerStack}`;
    return [{ resource, property: "exclusive", problem }];
  },

  checkStack(resources) {
    const exclusive = resources.filter(({ properties }) => properties["exclusive"] === true);
    return exclusive.flatMap((resource) => {
      const other = exclusive.find((one) => one !== resource && mayBeOfOneAccount(one, resource));
      return other ? [{ resource, property: "exclusive", problem: `is true, as it is in ${other.name}` }] : [];
    });
  },
});

/** Another provider instance may have a token of another account. */
function mayBeOfOneAccount(a: Resource, b: Resource): boolean {
  return a.provider === b.provider;
}
