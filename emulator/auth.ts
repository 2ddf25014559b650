import { ApiError } from "./errors";
import type { Permission } from "./permissions";
import type { Account, RecordOf, User } from "./records";
import { grants } from "./role-policy";
import type { Store } from "./store";

export interface AccessRow {
  groups: readonly ("system-user" | "system-admin")[];
  permission: Permission;
  /** Who else may, as text; the route's `mayAlso` decides. */
  orElse?: string;
}

/** For members of both built-in groups. A row that no source shows is marked where it is used. */
export function anyone(permission: Permission, orElse?: string): AccessRow {
  return { groups: ["system-user", "system-admin"], permission, ...(orElse && { orElse }) };
}

export function admins(permission: Permission, orElse?: string): AccessRow {
  return { groups: ["system-admin"], permission, ...(orElse && { orElse }) };
}

export function authenticate(store: Store, token: string | string[] | undefined): { account: Account; user: User } {
  if (typeof token !== "string" || token === "") throw new ApiError(401, "the header X-AUTH-TOKEN is missing");
  const found = store.userByToken(token);
  if (!found) throw new ApiError(401, "the token in X-AUTH-TOKEN is not valid");
  if (found.user.status !== "enabled") throw new ApiError(401, `the user of this token is ${found.user.status}`);
  return found;
}

/** Whether the user is in one of the row's built-in groups, or has a role with its permission. */
export function permitted(store: Store, account: Account, user: User, row: AccessRow): boolean {
  return user.groups.some((groupId) => {
    const group = store.get("groups", account.id, groupId);
    if (!group) return false;
    if ((row.groups as readonly string[]).includes(group.name)) return true;
    return group.roles.some((roleId) => {
      const role = store.get("roles", account.id, roleId);
      return role !== undefined && roleAllows(role, row);
    });
  });
}

function roleAllows({ name, source, policies, permissions }: RecordOf<"roles">, row: AccessRow): boolean {
  if (source === "system") return (row.groups as readonly string[]).includes(name);
  return policies === undefined ? permissions.includes(row.permission) : grants(policies, row.permission);
}

export function refusal(operation: string, row: AccessRow): ApiError {
  const members = `a member of ${row.groups.join(" or ")}`;
  const others = row.orElse ? `, ${row.orElse}` : "";
  return new ApiError(
    403,
    `${operation} is not allowed: it needs ${members}${others}, or a role with the permission "${row.permission}"`,
  );
}
