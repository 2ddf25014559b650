import type { Role, RolePolicyElement } from "./model";

/** What a role's policy must allow for each permission; the manual gives the words, not this table. */
const grants: Record<string, readonly [resource: string, action: string]> = {
  "editing an account": ["account", "update"],
  "creating an account": ["account", "create"],
  "viewing an account's details": ["account", "read"],
  "submitting a command": ["command", "create"],
  "creating a sensor": ["command", "create"],
  "viewing the command history": ["command", "read"],
  "viewing command status": ["command", "read"],
  "viewing commands' logs": ["command", "read"],
  "viewing command results": ["command", "read"],
  "creating a data store": ["datastore", "create"],
  "viewing all data stores": ["datastore", "read"],
  "viewing a data store's details": ["datastore", "read"],
  "editing a data store": ["datastore", "update"],
  "deleting a data store": ["datastore", "delete"],
  "viewing Hive tables": ["data_preview", "read"],
  "viewing a table definition": ["data_preview", "read"],
  "creating an environment": ["environment", "create"],
  "reading an environment": ["environment", "read"],
  "updating an environment": ["environment", "update"],
  "deleting an environment": ["environment", "delete"],
  "creating a group": ["group", "create"],
  "viewing groups": ["group", "read"],
  "viewing users of a group": ["group", "read"],
  "viewing roles of a group": ["group", "read"],
  "updating a group": ["group", "update"],
  "adding users to a group": ["group", "update"],
  "deleting users from a group": ["group", "update"],
  "assigning roles to a group": ["group", "update"],
  "unassigning roles from a group": ["group", "update"],
  "deleting a group": ["group", "delete"],
  "creating roles": ["role", "create"],
  "viewing roles": ["role", "read"],
  "viewing groups of a role": ["role", "read"],
  "updating a role": ["role", "update"],
  "deleting roles": ["role", "delete"],
  "inviting users to an account": ["svc_user", "create"],
  "enabling users": ["svc_user", "update"],
  "disabling users": ["svc_user", "update"],
};

function covers(element: RolePolicyElement, resource: string, action: string): boolean {
  const actions = element.action ?? ["all"];
  return ["all", resource].includes(element.resource) && (actions.includes("all") || actions.includes(action));
}

/** Access that a policy does not name is denied; a deny wins over an allow of the same role. */
export function allows(role: Role, permission: string): boolean {
  if (!role.policy) return role.permissions.includes(permission);
  const [resource, action] = grants[permission] ?? ["all", "all"];
  const fitting = role.policy.filter((element) => covers(element, resource, action));
  return fitting.length > 0 && fitting.every((element) => element.access === "allow");
}

/** The policy of a role; that of a seeded role is spelled from its permissions. */
export function policyOf(role: Role): RolePolicyElement[] {
  if (role.policy) return role.policy;
  const byResource = new Map<string, Set<string>>();
  for (const permission of role.permissions) {
    const [resource, action] = grants[permission] ?? ["all", "all"];
    byResource.set(resource, (byResource.get(resource) ?? new Set()).add(action));
  }
  return [...byResource].map(([resource, actions]) => ({ resource, action: [...actions], access: "allow" }));
}
