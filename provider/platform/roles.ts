import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { answeredRolePolicy } from "../values/role-policy";
import { NamedCollection, namedRecord, type Origin } from "./named-collection";
import { newName } from "./names";
import { Directory } from "./references";

/** The request's `policies` come back as `policy`, on some platforms under their own name. */
const roleRecord = namedRecord
  .extend({ policy: answeredRolePolicy.optional(), policies: answeredRolePolicy.optional() })
  .transform(({ policy, policies, ...record }) => ({ ...record, policies: policy ?? policies }));

export const systemRoles: readonly string[] = ["system-admin", "system-user"];

export function isSystemRole({ source, name }: Origin): boolean {
  return source === "system" || systemRoles.includes(name ?? "");
}

const { listRoles, viewRole, createRole, updateRole, deleteRole } = extendedOperations;

export const roles = new NamedCollection({
  type: "Role",
  noun: "role",
  listName: "roles",
  record: roleRecord,
  operations: { list: listRoles, view: viewRole, create: createRole, update: updateRole, delete: deleteRole },
  systemNames: systemRoles,
  isSystem: isSystemRole,
  instead: "; create a role of your own instead",
  lostToo: ". Groups that had it must get it again",
});

/** The roles of the account; empty if the installation cannot list them. */
export async function roleDirectory(context: Context): Promise<Directory> {
  const listed = await roles.listed(context);
  const known = (listed?.records ?? []).map(({ id, name }) => ({
    id,
    name: name ?? undefined,
    nextName: name ? context.run.nextNameOf(roles.keyOf(name)) : undefined,
  }));
  const folded = known.map(({ name = "" }) => fold(name));
  // A platform that stores names in small letters has no two that differ in that alone.
  const isTold = folded.length > 0 && new Set(folded).size === folded.length;
  const names = new Set(known.map(({ name }) => name));
  // What assigned a role that this run has renamed still knows it by its old name, unless another one has that now.
  const current = (name: string): string => (names.has(name) ? name : newName(context.run, roles, name));
  return new Directory(known, isTold ? (name) => fold(current(name)) : current);
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
