/** The platform's whole state as plain data, passed to tests and cloned for them. What builds the seed gives the types. */

export type UserState = "enabled" | "disabled" | "pending";
export type PolicySource = "note" | "cluster" | "scheduler" | "environment";
type Fields = Record<string, unknown>;
type Ids = (number | string)[];

/** A change that becomes visible only after some reads or some time. */
export interface Delay {
  reads: number;
  at: number;
}

export interface PolicyElement {
  access: string;
  action?: string[];
  condition?: { svc_users?: Ids; svc_groups?: Ids };
}

/** The account most tests work in, and another whose ids partly coincide with it. */
export const accountIds = { own: 101, other: 202 } as const;
const { own, other } = accountIds;

export const tokens = {
  admin: "second-token-admin",
  otherAccount: "second-token-other-account",
} as const;

const day = 86_400_000;
const shown: Delay = { reads: 0, at: 0 };

export type Account = ReturnType<typeof account>;
export const account = (
  id: number,
  name: string,
  location: string | null,
  /** As the view names them. */
  keys: Record<string, string | null>,
  idleSessionTimeout: number | null = null,
  /** The create request as received; null for an account that was there before. */
  created: Fields | null = null,
) => ({ id, name, location, keys, idleSessionTimeout, created });

export type User = ReturnType<typeof user>;
/** `id` is that of a get_users entry: what enable takes and what policies call svc_users; `userId` the ordinary user ID. */
export const user = (
  id: number,
  userId: number,
  accountId: number,
  email: string,
  groups: number[],
  state: UserState = "enabled",
  token = `second-token-unused-${id}`,
) => ({
  ...{ id, userId, accountId, email, groups, state, token },
  name: (email.split("@")[0] ?? "").replace(/[.]/g, " "),
  /** What is listed until the change is visible. */
  previous: undefined as { state: UserState; delay: Delay } | undefined,
  tokenDelay: undefined as Delay | undefined,
});

export type Group = ReturnType<typeof group>;
export const group = (id: number, name: string, roles: number[] = [], accountId: number = own) => ({
  id,
  accountId,
  name,
  roles,
});

export type Role = ReturnType<typeof role>;
export const role = (id: number, name: string, permissions: string[], accountId: number = own) => ({
  id,
  accountId,
  name,
  permissions,
});

export type WhitelistEntry = ReturnType<typeof whitelisted>;
/** `ip` is as sent; a switch decides the listed spelling. */
export const whitelisted = (id: number, accountId: number, ip: string, createdAt: number, from = { ...shown }) => ({
  ...{ id, accountId, ip, createdAt, shown: from },
  /** Set while a deleted record is still listed. */
  gone: undefined as Delay | undefined,
});

export type Command = ReturnType<typeof command>;
export const command = (id: number, accountId: number, userId: number, createdAt: number, sent: Fields) => ({
  ...{ id, accountId, userId, createdAt, sent },
  commandType: "SparkCommand",
  command: { program: "print(1)", language: "python" } as Fields,
  name: (sent["name"] ?? null) as string | null,
  tags: (sent["tags"] ?? []) as string[],
  /** How often it was shown; drives its status. */
  seen: 0,
  shown: { ...shown },
  tagsShown: { ...shown },
});

export type PolicyObject = ReturnType<typeof object>;
/** A notebook, cluster, scheduler or environment as the object of a policy, with the `id` of the owning user. */
const object = (id: number, type: PolicySource, policy: PolicyElement[] | null = null, accountId: number = own) => ({
  ...{ id, accountId, type, policy: structuredClone(policy), owner: accountId === own ? 20 : 51 },
  previous: undefined as { policy: PolicyElement[] | null; delay: Delay } | undefined,
});

export type Folder = ReturnType<typeof folder>;
const folder = (
  id: number,
  location: string,
  policy: PolicyElement[] | null = null,
  type: "notes" | "notebook_dashboards" = "notes",
  accountId: number = own,
) => ({ id, accountId, type, name: location.replace(/^.*\//, ""), location, policy });

export type InstalledPackage = { name: string; version: string; source: "python_package" | "r_package" };
export type Environment = ReturnType<typeof environment>;
const environment = (id: number, packages: InstalledPackage[], accountId: number = own) => ({
  id,
  accountId,
  packages,
  busyUntil: 0,
});
const python = (name: string, version: string): InstalledPackage => ({ name, version, source: "python_package" });

export type HiveTable = ReturnType<typeof table>;
const table = (accountId: number, schema: string, name: string, partitions: Record<string, string>[] = []) => ({
  ...{ accountId, schema, name, partitions },
  columns: [
    { name: "id", type: "bigint" },
    { name: "amount", type: "decimal(10,2)" },
    { name: "note", type: "string" },
  ],
});

function people(): User[] {
  return [
    user(11, 1001, own, "admin@acme.example", [1, 3], "enabled", tokens.admin),
    user(12, 1002, own, "operator@acme.example", [2, 3]),
    user(13, 1003, own, "guest@acme.example", [3]),
    user(14, 1004, own, "Ana.Lyst@acme.example", [3, 4]),
    // The id of each of these two is the user_id of the other, so that confusing them enables the wrong one.
    user(15, 17, own, "dana.disabled@acme.example", [3], "disabled"),
    user(16, 1006, own, "dirk.disabled@acme.example", [3], "disabled"),
    user(17, 15, own, "dora.disabled@acme.example", [3], "disabled"),
    user(18, 1008, own, "petra.pending@acme.example", [], "pending"),
    user(19, 1009, own, "paul.pending@acme.example", [], "pending"),
    user(20, 1010, own, "owner@acme.example", [3]),
    user(21, 1011, own, "folder.manager@acme.example", [3]),
    user(51, 2001, other, "admin@other.example", [51, 53], "enabled", tokens.otherAccount),
    user(52, 2002, other, "disabled@other.example", [53], "disabled"),
  ];
}

/** What grants rights: groups, and the roles that they have. */
function rights(): { groups: Group[]; roles: Role[] } {
  return {
    groups: [
      ...[group(1, "system-admin"), group(2, "system-user"), group(3, "everyone")],
      ...[group(4, "analysts", [1]), group(5, "engineers", [1, 2]), group(6, "newcomers")],
      ...["system-admin", "system-user", "everyone"].map((name, index) => group(51 + index, name, [], other)),
    ],
    roles: [
      role(1, "data-reader", ["viewing Hive tables", "viewing the command history"]),
      role(2, "data engineer", ["submitting a command", "creating a sensor"]),
      role(3, "etl/nightly", ["submitting a command"]),
      role(4, "auditor", ["viewing an account's details"]),
      // A name that is another role's id.
      role(5, "4", ["enabling users"]),
      role(51, "data-reader", ["viewing Hive tables"], other),
      role(52, "foreign-role", [], other),
    ],
  };
}

/** What has policies. */
function governed(): { objects: PolicyObject[]; folders: Folder[] } {
  const policy = [
    { access: "allow", action: ["read", "update"], condition: { svc_users: [14, 11], svc_groups: [4] } },
    { access: "deny", action: ["all"], condition: { svc_groups: [3] } },
  ];
  return {
    objects: [
      ...[object(501, "note", policy), object(502, "note")],
      // The same id once as a notebook and once as a cluster.
      ...[object(601, "note"), object(601, "cluster", policy), object(602, "cluster")],
      ...[object(701, "scheduler", policy), object(702, "scheduler")],
      ...[object(41, "environment", policy), object(42, "environment")],
      object(901, "note", null, other),
    ],
    folders: [
      folder(31, "Common/reports", [{ access: "allow", action: ["read", "manage"], condition: { svc_users: [21] } }]),
      folder(32, "Common/archive"),
      folder(33, "Common/reports/2024"),
      // The same location among the dashboards.
      folder(34, "Common/reports", null, "notebook_dashboards"),
      folder(81, "Common/reports", null, "notes", other),
      folder(82, "Common/elsewhere", null, "notes", other),
    ],
  };
}

function whitelist(): WhitelistEntry[] {
  const entry = (id: number, accountId: number, ip: string) =>
    whitelisted(id, accountId, ip, Date.now() - 9 * day + id * 1000);
  return [
    ...[entry(1, own, "203.0.113.10"), entry(2, own, "198.51.100.7"), entry(3, own, "2001:DB8::A")],
    // The same ids as above, in the other account; one address is listed in both.
    ...[entry(1, other, "192.0.2.1"), entry(2, other, "203.0.113.10")],
  ];
}

function commands(): Command[] {
  const old = (id: number, accountId: number, userId: number, days: number, sent: Fields) =>
    command(id, accountId, userId, Date.now() - days * day, sent);
  return [
    old(4001, own, 1001, 40, { name: "old one", tags: ["old"] }),
    old(4002, own, 1001, 3, { name: "nightly", tags: ["nightly", "etl"], label: "spark" }),
    old(4003, own, 1004, 2, { name: "of the analyst", tags: ["adhoc"] }),
    old(4004, own, 1001, 1, { name: "untagged" }),
    old(4005, other, 2001, 1, { name: "of the other account", tags: ["nightly"] }),
  ];
}

const keysOf = (id: number) => ({
  storage_access_key: `STORAGEKEY${id}`,
  storage_secret_key: `storage-secret-${id}`,
  compute_access_key: `COMPUTEKEY${id}`,
  compute_secret_key: `compute-secret-${id}`,
});

export type PlatformState = ReturnType<typeof seed>;
export function seed() {
  return {
    accounts: [
      account(own, "acme", "s3://acme-bucket/logs", keysOf(own)),
      account(other, "other", "s3://other-bucket/logs", keysOf(other)),
    ],
    users: people(),
    ...rights(),
    whitelist: whitelist(),
    commands: commands(),
    dataStores: [] as { id: number; accountId: number; name: string }[],
    ...governed(),
    environments: [
      environment(41, [
        ...[python("numpy", "1.26.4"), python("pandas", "2.2.2")],
        { name: "dplyr", version: "1.1.4", source: "r_package" },
      ]),
      environment(42, []),
      environment(91, [python("numpy", "1.0.0")], other),
    ],
    hiveTables: [
      table(own, "default", "orders", [
        { dt: "2024-01-01", region: "eu" },
        { dt: "2024-01-02", region: "eu" },
      ]),
      table(own, "default", "customers"),
      table(own, "default", "Order_events", [{ hour: "01" }]),
      table(own, "sales", "daily", [{ dt: "2024-01-01" }]),
      table(other, "default", "secrets", [{ dt: "2024-01-01" }]),
    ],
    sensors: [] as { status: boolean }[],
    /** How many there have been of each kind; ids follow. */
    counters: {
      ...{ [`whitelist of ${own}`]: 3, [`whitelist of ${other}`]: 2, account: 300, user: 100, group: 100, role: 100 },
      ...{ command: 5000, "data store": 301 },
    } as Record<string, number>,
  };
}
