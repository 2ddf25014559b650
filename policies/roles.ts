import type { Resource } from "./resource";
import { textOf } from "./values";

export interface NamedRole {
  readonly resource: Resource;
  /** `roles[0]` */
  readonly path: string;
  /** Name or id, as the program spells it. */
  readonly role: string;
}

/** Which inputs of a type give roles to a group, and which one names the group. */
interface View {
  readonly inputs: readonly string[];
  readonly group: string;
}

/** Every type that gives roles to a group: a test compares this with the definitions. */
export const roleViews: Readonly<Record<string, View>> = {
  GroupRoleAssignment: { inputs: ["role"], group: "groupId" },
  GroupRoles: { inputs: ["roles"], group: "groupId" },
  Group: { inputs: ["roles"], group: "name" },
};

/** Resources that give roles to groups. */
export const roleHolders: readonly string[] = Object.keys(roleViews);

/** Every type that says what a role allows, and the inputs that say it. */
export const permissionViews: Readonly<Record<string, { readonly inputs: readonly string[] }>> = {
  Role: { inputs: ["policies"] },
};

/** The roles that a resource gives to a group, as far as they are known. */
export function namedRoles(resource: Resource): NamedRole[] {
  const at = (path: string, value: unknown): NamedRole[] => {
    const role = textOf(value);
    return role === undefined ? [] : [{ resource, path, role }];
  };
  return (roleViews[resource.type]?.inputs ?? []).flatMap((input) => {
    const value = resource.properties[input];
    return Array.isArray(value) ? value.flatMap((role, index) => at(`${input}[${index}]`, role)) : at(input, value);
  });
}

/** The group that gets the roles, or the members: its name or id. Undefined if it is unknown. */
export function groupOf({ type, properties }: Resource): string | undefined {
  const property = type === "GroupMembership" ? "group" : roleViews[type]?.group;
  return property === undefined ? undefined : textOf(properties[property]);
}
