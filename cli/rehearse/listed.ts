import type { Draft, UserSeed } from "./draft";
import type { Production } from "./production";
import { listOf, numberOf, textOf } from "./thing";

type Row = Readonly<Record<string, unknown>>;

const admins = "system-admin";
export const standIn = "stand-in";

/** Puts what production lists into the draft. */
export function takeLists(draft: Draft): void {
  const { production } = draft;
  for (const row of production.roles ?? []) takeRole(draft, row);
  for (const row of production.groups ?? []) {
    const id = numberOf(row["id"]);
    if (id !== undefined) draft.addGroup(id, textOf(row["name"]) ?? `group ${id}`);
  }
  takeUsers(draft);
  for (const group of draft.groups.values()) takeGroupParts(draft, group);
  for (const row of production.whitelist ?? []) takeAddress(draft, row);
  for (const row of production.tables ?? [])
    draft.addTable("default", textOf(row["name"]) ?? "", [
      ...(listOf(row["columns"]) as { name: string; type: string }[]),
    ]);
  for (const row of production.dataStores ?? []) takeDataStore(draft, row);
}

function takeRole(draft: Draft, { id: given, name, source, policies }: Row): void {
  const id = numberOf(given);
  if (id === undefined) return;
  draft.roles.set(id, {
    id,
    name: textOf(name) ?? `role ${id}`,
    ...(Array.isArray(policies) && { policies }),
    ...((source === "system" || source === "user-defined") && { source }),
  });
}

function takeUsers(draft: Draft): void {
  const { users = [], pendingUsers = [] } = draft.production;
  const rows = [
    ...users.map((row) => ({ row, status: row["disabled"] === true ? ("disabled" as const) : ("enabled" as const) })),
    ...pendingUsers.map((row) => ({ row, status: "pending" as const })),
  ];
  for (const { row, status } of rows) {
    const id = numberOf(row["id"]);
    if (id === undefined) continue;
    const groups = listOf(row["groups"]).map(
      (name) =>
        [...draft.groups.values()].find((group) => group.name === name) ?? draft.addGroup(undefined, String(name)),
    );
    draft.addUser({
      id,
      user_id: numberOf(row["userId"]) ?? id,
      email: textOf(row["email"]) ?? "",
      name: textOf(row["name"]) ?? "",
      token: `stand-in-user-${id}`,
      groups: groups.map((group) => group.id),
      status,
    });
  }
}

function takeGroupParts(draft: Draft, group: { id: number; roles: number[] }): void {
  const parts = draft.production.groupParts.get(String(group.id));
  for (const { id, name } of parts?.roles ?? []) {
    const role = draft.role(id ?? name);
    if (role) group.roles.push(role.id);
  }
  for (const { id, name } of parts?.members ?? []) {
    const user = draft.user(name ?? id) ?? draft.user(id);
    if (user && !user.groups?.includes(group.id)) user.groups = [...(user.groups ?? []), group.id];
  }
}

/** An address, from the list or from the state: both have the names of the resource. */
export function takeAddress(draft: Draft, { id, ipCidr, createdAt, updatedAt, description }: Row): void {
  draft.whitelist.push({
    id: numberOf(id) ?? draft.inventedId(),
    ip_cidr: textOf(ipCidr) ?? "",
    ...(typeof description === "string" && { description }),
    created_at: textOf(createdAt) ?? "",
    updated_at: textOf(updatedAt) ?? "",
  });
}

/** A data store, from the list or from the state. */
export function takeDataStore(draft: Draft, row: Row): void {
  const id = numberOf(row["id"]);
  if (id === undefined) return;
  const text = (name: string, otherwise: string) => textOf(row[name]) ?? otherwise;
  const host = text("dbHost", "unknown");
  const gateway = textOf(row["gatewayIp"]) ?? null;
  draft.dataStores.set(id, {
    id,
    user_id: numberOf(row["userId"]) ?? 1,
    active: row["active"] !== false,
    name: text("assignedName", text("name", `${host}-${text("dbName", "unknown")}`)),
    catalog_name: textOf(row["catalogName"]) ?? null,
    db_name: text("dbName", "unknown"),
    db_host: host,
    db_user: text("dbUser", ""),
    db_passwd: standIn,
    db_type: text("dbType", "mysql"),
    db_location: text("dbLocation", "us-east-1"),
    port: numberOf(row["port"]) ?? null,
    gateway_ip: gateway,
    gateway_port: numberOf(row["gatewayPort"]) ?? null,
    gateway_username: textOf(row["gatewayUsername"]) ?? null,
    gateway_private_key: gateway === null ? null : standIn,
    created_at: text("createdAt", ""),
  });
}

/** The user that the rehearsal acts as. Nothing shows whose token it is, so it is an administrator, if one is known. */
export function actingUser(draft: Draft): UserSeed {
  const enabled = [...draft.users.values()].filter(({ status }) => status === "enabled");
  const adminGroup =
    [...draft.groups.values()].find(({ name }) => name === admins) ?? draft.addGroup(undefined, admins);
  const isAdmin = ({ id, groups }: UserSeed) =>
    groups?.includes(adminGroup.id) ||
    draft.production.users?.some((row) => row["id"] === id && row["isAdmin"] === true);
  const user =
    enabled.find(isAdmin) ??
    enabled[0] ??
    draft.addUser({
      id: draft.inventedId(),
      user_id: 1,
      email: "rehearsal@unknown.invalid",
      token: standIn,
      groups: [],
    });
  if (!user.groups?.includes(adminGroup.id)) user.groups = [...(user.groups ?? []), adminGroup.id];
  draft.assumptions.add("whose token it is, and what that user may do", `user ${user.id}, with every permission`);
  return user;
}

/** The account itself. Its keys are replaced. */
export function accountFields(production: Production, fallbackId: number | undefined) {
  const row = production.account ?? {};
  const key = (name: string) => (textOf(row[name]) === undefined ? "" : standIn);
  const text = (name: string, otherwise: string) => textOf(row[name]) ?? otherwise;
  return {
    id: numberOf(row["id"]) ?? fallbackId ?? 1,
    name: text("name", "unknown"),
    features: ["ip_whitelisting" as const, "aggressive_downscaling" as const, "catalog_name" as const],
    storage_type: text("storageType", "CUSTOMER_MANAGED"),
    compute_type: text("computeType", "CUSTOMER_MANAGED"),
    storage_validated: row["storageValidated"] !== false,
    compute_validated: row["computeValidated"] !== false,
    is_aws_role_enabled: row["isAwsRoleEnabled"] === true,
    ...(textOf(row["roleArn"]) !== undefined && { role_arn: text("roleArn", "") }),
    ...(textOf(row["externalId"]) !== undefined && { external_id: text("externalId", "") }),
    idle_session_timeout: numberOf(row["idleSessionTimeout"]) ?? null,
    storage_location: text("storageLocation", ""),
    authorized_ssh_key: textOf(row["authorizedSshKey"]) ?? null,
    storage_access_key: key("storageAccessKey"),
    storage_secret_key: key("storageSecretKey"),
    compute_access_key: key("computeAccessKey"),
    compute_secret_key: key("computeSecretKey"),
  };
}
