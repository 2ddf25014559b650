import { groupOf, namedRoles, roleHolders } from "../roles";
import { defineRule } from "../rule";

type Names = readonly (string | number)[];
interface Options {
  readonly roles: Names;
  readonly groups: Names;
  readonly allowedGroups: Names;
}

const names = { type: "array", items: { type: ["string", "integer"] } } as const;

export const systemAdmin = defineRule<Options>({
  name: "system-admin",
  description: "No program gives anybody the role of a system administrator.",
  why: "A system administrator may do everything in the account, and can change roles and policies behind the program's back.",
  fix: "Give a role that allows only what is needed. Keep the few administrators out of the program, or name their group in allowedGroups.",
  types: [...roleHolders, "GroupMembership"],
  options: {
    roles: { ...names, default: ["system-admin"], description: "Names or ids of the roles of administrators." },
    groups: {
      ...names,
      default: ["system-admin"],
      description: "Names or ids of the groups whose members are administrators.",
    },
    allowedGroups: { ...names, default: [], description: "Names or ids of the groups that may have these roles." },
  },

  checkResource(resource, { options }) {
    const group = groupOf(resource);
    if (group !== undefined && options.allowedGroups.map(String).includes(group)) return [];
    const given = (property: string, name: string | undefined, what: "group" | "role", why: string) => {
      const list = options[`${what}s`];
      if (holds(list, name)) return [{ resource, property, problem: `is ${name}, ${why}` }];
      // What is given by its id may be that of administrators, as long as the rule knows no ids.
      if (name === undefined || !isId(name) || list.some(isId)) return [];
      const advice = `use the name of the ${what}, or add the ids to the rule's option ${what}s`;
      const problem = `is ${name}, an id, and nothing tells whether it is that of ${list.join(" or ")}: ${advice}`;
      return [{ resource, property, problem, isUnsure: true }];
    };
    if (resource.type === "GroupMembership")
      return given("group", group, "group", "whose members are system administrators");
    return namedRoles(resource).flatMap(({ path, role }) =>
      given(path, role, "role", "the role of system administrators"),
    );
  },
});

/** A platform may not tell capital letters from small ones. */
function holds(list: Names, name: string | undefined): boolean {
  return name !== undefined && list.some((one) => String(one).toLowerCase() === name.toLowerCase());
}

const isId = (name: string | number): boolean => /^\d+$/.test(String(name));
