import type { Seed } from "../../emulator";
import type { PlatformState } from "../second-platform";
import type { InstalledPackage } from "../second-platform/model";

type AccountSeed = Seed["accounts"][number];
type Owned = { readonly accountId: number };

const farFuture = Date.parse("2100-01-01T00:00:00Z");
const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The second platform's state as a seed of the emulator: the same ids, names and tokens on both. */
export function equivalentSeed(state: PlatformState): Seed {
  return { accounts: state.accounts.map((account) => ({ ...accountOf(account), ...partsOf(state, account.id) })) };
}

function accountOf(account: PlatformState["accounts"][number]): AccountSeed {
  return {
    id: account.id,
    name: account.name,
    // All features are enabled, as by default on the second platform.
    features: ["ip_whitelisting", "aggressive_downscaling", "catalog_name"],
    storage_access_key: account.storageAccessKey ?? "",
    storage_secret_key: account.storageSecretKey ?? "",
    compute_access_key: account.computeAccessKey ?? "",
    compute_secret_key: account.computeSecretKey ?? "",
    storage_location: account.storageLocation ?? "",
    idle_session_timeout: account.idleSessionTimeout,
  };
}

function partsOf(state: PlatformState, account: number): Omit<AccountSeed, "id" | "name"> {
  const own = <T extends Owned>(things: readonly T[]) => things.filter(({ accountId }) => accountId === account);
  return {
    users: own(state.users).map(({ id, userId, email, name, state: status, groups, token }) => ({
      id,
      user_id: userId,
      email,
      name,
      status,
      groups,
      token,
    })),
    groups: own(state.groups).map(({ id, name, roles }) => ({ id, name, roles })),
    roles: own(state.roles).map(({ id, name, permissions }) => ({
      id,
      name,
      permissions,
    })) as AccountSeed["roles"] & {},
    whitelist: own(state.whitelist).map(({ id, ip, createdAt, updatedAt }) => ({
      id,
      ip_cidr: ip,
      created_at: stamp(createdAt),
      updated_at: stamp(updatedAt),
    })),
    commands: own(state.commands).map(commandOf),
    dataStores: own(state.dataStores).map(dataStoreOf),
    hiveTables: own(state.hiveTables).map(tableOf),
    environments: own(state.environments).map(({ id, name, packages }) => ({
      id,
      name,
      python_package: versions(packages, "python_package"),
      r_package: versions(packages, "r_package"),
    })),
    folders: own(state.folders).map(({ id, name, location, type, policy }) => ({
      id,
      name,
      location,
      type,
      policy: (policy ?? []) as never[],
    })),
    objects: own(state.objects).map(({ id, type, name, owner, policy }) => ({
      id,
      source_type: type,
      name,
      owner,
      policy: (policy ?? []) as never[],
    })),
  };
}

function commandOf(command: PlatformState["commands"][number]) {
  return {
    id: command.id,
    user_id: command.userId,
    command_type: command.commandType as "SparkCommand",
    command: command.command,
    submitted: command.createdAt,
    label: command.label ?? "default",
    name: command.name,
    pool: command.pool,
    timeout: command.timeout,
    template: command.template,
    tags: command.tags,
    macros: [],
    output: null,
    // Commands wait, as on the second platform.
    plan: { startAt: farFuture, endAt: null, outcome: "done" as const, reason: null },
  };
}

function dataStoreOf(store: PlatformState["dataStores"][number]) {
  return {
    id: store.id,
    user_id: store.userId,
    active: true,
    name: store.name,
    catalog_name: store.catalogName,
    db_name: store.dbName ?? "",
    db_host: store.dbHost ?? "",
    db_user: store.dbUser ?? "",
    db_passwd: store.dbPasswd ?? "",
    db_type: store.dbType,
    db_location: store.dbLocation ?? "us-east-1",
    port: store.port,
    gateway_ip: null,
    gateway_port: null,
    gateway_username: null,
    gateway_private_key: null,
    created_at: stamp(store.createdAt),
  };
}

/** The emulator counts partition columns among the columns; the second platform keeps them apart. */
function tableOf({ schema, name, columns, partitions }: PlatformState["hiveTables"][number]) {
  const keys = [...new Set(partitions.flatMap(Object.keys))];
  return { schema, name, columns: [...columns, ...keys.map((key) => ({ name: key, type: "string" }))], partitions };
}

function versions(packages: readonly InstalledPackage[], source: InstalledPackage["source"]): Record<string, string> {
  return Object.fromEntries(
    packages.filter((one) => one.source === source).map(({ name, version }) => [name, version]),
  );
}
