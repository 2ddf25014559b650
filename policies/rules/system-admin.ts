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
    const holds = (list: Names, name: string | undefined) => name !== undefined && list.map(String).includes(name);
    const group = groupOf(resource);
    if (holds(options.allowedGroups, group)) return [];
    if (resource.type === "GroupMembership" && holds(options.groups, group))
      return [{ resource, property: "group", problem: `is ${group}, whose members are system administrators` }];
    return namedRoles(resource)
      .filter(({ role }) => holds(options.roles, role))
      .map(({ path, role }) => ({
        resource,
        property: path,
        problem: `is ${role}, the role of system administrators`,
      }));
  },
});
