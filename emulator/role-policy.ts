import { z } from "zod";
import { invalid } from "./errors";
import { type Permission, permissions } from "./permissions";

const resources = [
  "all",
  "account",
  "app",
  "cluster",
  "command",
  "datastore",
  "data_preview",
  "environment",
  "folder",
  "group",
  "note",
  "notebook_dashboard",
  "object_storage",
  "role",
  "saved_query",
  "scheduler",
  "scheduler_instance",
  "template",
  "svc_user",
] as const;

type Resource = (typeof resources)[number];

/** What a role allows or denies. Other fields are kept: they can limit a policy on commands to some of their types. */
export const rolePolicySchema = z.array(
  z.looseObject({
    resource: z.enum(resources),
    action: z.array(z.string().min(1)).optional(),
    access: z.enum(["allow", "deny"]),
  }),
);

export type RolePolicy = z.infer<typeof rolePolicySchema>;

const known = new Set(["resource", "action", "access"]);

/** Policies arrive as a JSON-encoded string. */
export function parseRolePolicy(text: string, parameter: string): RolePolicy {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(`${parameter}: must be a JSON-encoded array of {resource, action, access}`);
  }
  const result = rolePolicySchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw invalid(`${parameter}: element ${issue?.path.join(".") || "list"}: ${issue?.message}`);
  }
  for (const [index, element] of result.data.entries()) {
    const other = Object.keys(element).find((name) => !known.has(name));
    if (other !== undefined && element.resource !== "command")
      throw invalid(`${parameter}: element ${index}: unknown field ${JSON.stringify(other)}`);
  }
  return result.data;
}

/** The resource and action behind each permission. The lists of actions are not known: `manage` is a guess. */
const meaning: Record<Permission, readonly [Resource, string]> = {
  "editing an account": ["account", "update"],
  "submitting a command": ["command", "create"],
  "viewing the command history": ["command", "read"],
  "creating a data store": ["datastore", "create"],
  "updating an environment": ["environment", "update"],
  "creating an account": ["account", "create"],
  "viewing an account's details": ["account", "read"],
  "enabling users": ["svc_user", "update"],
  "viewing Hive tables": ["object_storage", "read"],
  "creating a sensor": ["scheduler", "create"],
  "assigning roles to a group": ["group", "update"],
  "unassigning roles from a group": ["group", "update"],
  "setting an object policy": ["note", "manage"],
  "viewing the object policy": ["note", "read"],
  "viewing all data stores": ["datastore", "read"],
  "viewing a data store's details": ["datastore", "read"],
  "editing a data store": ["datastore", "update"],
  "deleting a data store": ["datastore", "delete"],
  "viewing groups": ["group", "read"],
  "creating a group": ["group", "create"],
  "updating a group": ["group", "update"],
  "deleting a group": ["group", "delete"],
  "adding users to a group": ["group", "update"],
  "deleting users from a group": ["group", "update"],
  "viewing users of a group": ["group", "read"],
  "viewing roles of a group": ["group", "read"],
  "viewing roles": ["role", "read"],
  "creating roles": ["role", "create"],
  "updating roles": ["role", "update"],
  "deleting roles": ["role", "delete"],
  "viewing groups of a role": ["role", "read"],
  "reading an environment": ["environment", "read"],
  "disabling users": ["svc_user", "update"],
  "viewing command status": ["command", "read"],
  "viewing commands' logs": ["command", "read"],
  "viewing command results": ["command", "read"],
  "viewing a table definition": ["data_preview", "read"],
};

/** Whether the policy grants the permission: an element that allows it, and none that denies it. */
export function grants(policy: RolePolicy, permission: Permission): boolean {
  const [resource, action] = meaning[permission];
  const matching = policy.filter(
    (element) =>
      (element.resource === resource || element.resource === "all") &&
      element.action?.some((named) => named === action || named === "all"),
  );
  return matching.length > 0 && matching.every(({ access }) => access === "allow");
}

/** The policy of a role whose permissions the seed lists; the closest there is, because an action has several of them. */
export function policyFor(granted: readonly Permission[]): RolePolicy {
  const actions = new Map<Resource, Set<string>>();
  for (const permission of permissions.filter((one) => granted.includes(one))) {
    const [resource, action] = meaning[permission];
    actions.set(resource, (actions.get(resource) ?? new Set()).add(action));
  }
  return [...actions].map(([resource, action]) => ({ resource, action: [...action], access: "allow" }));
}

const everything: RolePolicy[number] = { resource: "all", action: ["all"], access: "allow" };

const exceptAdministration: RolePolicy = [
  everything,
  { resource: "datastore", action: ["create", "update", "delete"], access: "deny" },
  { resource: "object_storage", action: ["read"], access: "deny" },
  { resource: "note", action: ["manage"], access: "deny" },
];

/** The roles that every account has. What they grant is in the permission table; the policies are what they show. */
export const systemRoles = (adminId: number, userId: number) => [
  systemRole(adminId, "system-admin", [everything]),
  systemRole(userId, "system-user", exceptAdministration),
];

const systemRole = (id: number, name: string, policies: RolePolicy) => ({
  id,
  name,
  permissions: [],
  policies,
  source: "system" as const,
});
