import { namedRoles, roleHolders } from "../roles";
import { defineRule } from "../rule";

export const rolesNamedOneWay = defineRule({
  name: "roles-named-one-way",
  description: "A stack names all roles by their names, or all by their ids.",
  why: "The same role under two names looks like two roles: the provider cannot tell that one resource takes away what another one assigns.",
  fix: "Use the names, which stay the same when a role is recreated, or the ids, but not both.",
  types: roleHolders,

  checkStack(resources) {
    const roles = resources.flatMap(namedRoles);
    const named = roles.find(({ role }) => !isId(role));
    if (!named) return [];
    return roles
      .filter(({ role }) => isId(role))
      .map(({ resource, path, role }) => ({
        resource,
        property: path,
        problem: `is ${role}, an id, and ${named.resource.name} names ${named.role} by its name`,
      }));
  },
});

function isId(role: string): boolean {
  return /^\d+$/.test(role);
}
