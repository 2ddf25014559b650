import type { Resource } from "./resource";
import { listOf, textOf } from "./values";

/** Resources that give roles to groups. */
export const roleHolders = ["GroupRoleAssignment", "Group"] as const;

export interface NamedRole {
  readonly resource: Resource;
  /** `roles[0]` */
  readonly path: string;
  /** Name or id, as the program spells it. */
  readonly role: string;
}

/** The roles that a resource gives to a group, as far as they are known. */
export function namedRoles(resource: Resource): NamedRole[] {
  const { type, properties } = resource;
  const at = (path: string, value: unknown): NamedRole[] => {
    const role = textOf(value);
    return role === undefined ? [] : [{ resource, path, role }];
  };
  if (type === "GroupRoleAssignment") return at("role", properties["role"]);
  return type === "Group" ? listOf(properties["roles"]).flatMap((role, index) => at(`roles[${index}]`, role)) : [];
}

/** The group that gets the roles: its name or id. Undefined if it is unknown. */
export function groupOf({ type, properties }: Resource): string | undefined {
  return textOf(properties[type === "Group" ? "name" : type === "GroupMembership" ? "group" : "groupId"]);
}
