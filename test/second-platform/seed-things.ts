import type { Folder, HiveTable, InstalledPackage, PlatformState, PolicyObject, SourceType } from "./model";

type Things = Pick<PlatformState, "dataStores" | "objects" | "folders" | "environments" | "hiveTables">;

const python = (name: string, version: string): InstalledPackage => ({ name, version, source: "python_package" });

function objects(own: number, other: number): PolicyObject[] {
  const object = (id: number, type: SourceType, name: string, policy: PolicyObject["policy"], accountId = own) => ({
    id,
    accountId,
    type,
    name,
    owner: accountId === own ? 20 : 51,
    policy,
  });
  const policy: PolicyObject["policy"] = [
    { access: "allow", action: ["read", "update"], condition: { svc_users: [14, 11], svc_groups: [4] } },
    { access: "deny", action: ["all"], condition: { svc_groups: [3] } },
  ];
  return [
    object(501, "note", "Revenue notebook", structuredClone(policy)),
    object(502, "note", "Draft notebook", null),
    // The same id once as a notebook and once as a cluster.
    object(601, "note", "Cluster notes", null),
    object(601, "cluster", "spark", structuredClone(policy)),
    object(602, "cluster", "hadoop", null),
    object(701, "scheduler", "Nightly load", structuredClone(policy)),
    object(702, "scheduler", "Weekly load", null),
    object(41, "environment", "analytics", structuredClone(policy)),
    object(42, "environment", "bare", null),
    object(901, "note", "Notebook of the other account", null, other),
  ];
}

function folders(own: number, other: number): Folder[] {
  const folder = (id: number, location: string, type: Folder["type"] = "notes", accountId = own): Folder => ({
    id,
    accountId,
    type,
    name: location.replace(/^.*\//, ""),
    location,
    policy: null,
  });
  const managed = folder(31, "Common/reports");
  managed.policy = [{ access: "allow", action: ["read", "manage"], condition: { svc_users: [21] } }];
  return [
    managed,
    folder(32, "Common/archive"),
    folder(33, "Common/reports/2024"),
    // The same location among the dashboards.
    folder(34, "Common/reports", "notebook_dashboards"),
    folder(81, "Common/reports", "notes", other),
    folder(82, "Common/elsewhere", "notes", other),
  ];
}

function tables(own: number, other: number): HiveTable[] {
  const table = (accountId: number, schema: string, name: string, partitions: Record<string, string>[] = []) => ({
    accountId,
    schema,
    name,
    columns: [
      { name: "id", type: "bigint" },
      { name: "amount", type: "decimal(10,2)" },
      { name: "note", type: "string" },
    ],
    partitions,
  });
  return [
    table(own, "default", "orders", [
      { dt: "2024-01-01", region: "eu" },
      { dt: "2024-01-02", region: "eu" },
    ]),
    table(own, "default", "customers"),
    table(own, "default", "Order_events", [{ hour: "01" }]),
    table(own, "sales", "daily", [{ dt: "2024-01-01" }]),
    table(other, "default", "secrets", [{ dt: "2024-01-01" }]),
  ];
}

export function seedThings(own: number, other: number): Things {
  return {
    dataStores: [
      {
        id: 301,
        accountId: own,
        userId: 1001,
        active: true,
        name: "warehouse",
        dbName: "dw",
        dbHost: "db.acme.example",
        dbUser: "loader",
        dbPasswd: "loader-password",
        dbType: "mysql",
        dbLocation: "us-east-1",
        port: null,
        createdAt: Date.now() - 86_400_000,
      },
    ],
    objects: objects(own, other),
    folders: folders(own, other),
    environments: [
      {
        id: 41,
        accountId: own,
        name: "analytics",
        packages: [
          python("numpy", "1.26.4"),
          python("pandas", "2.2.2"),
          { name: "dplyr", version: "1.1.4", source: "r_package" },
        ],
        busyUntil: 0,
      },
      { id: 42, accountId: own, name: "bare", packages: [], busyUntil: 0 },
      { id: 91, accountId: other, name: "foreign", packages: [python("numpy", "1.0.0")], busyUntil: 0 },
    ],
    hiveTables: tables(own, other),
  };
}
