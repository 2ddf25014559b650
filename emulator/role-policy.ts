import { z } from "zod";
import { invalid } from "./errors";
import { meaning, type Permission, permissions, type Resource, resources } from "./permissions";

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
