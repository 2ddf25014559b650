import type { Program } from "../../harness/stack";

/** One of every resource type, for the emulator's default seed. Each recording keeps a copy of it. */
export const everyType: Program = {
  ip: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } },
  whitelist: {
    type: "IpWhitelist",
    args: { addresses: ["198.51.100.1", "2001:DB8::/48"], keep: ["198.51.100.1"] },
    opts: { dependsOn: ["ip"] },
  },
  account: {
    type: "Account",
    args: {
      name: "Team",
      defloc: "s3://team/logs",
      awsRegion: "eu-west-1",
      storageAccessKey: "recorded-storage-access",
      storageSecretKey: "recorded-storage-secret",
      idleClusterTimeout: 1,
    },
  },
  store: {
    type: "DataStore",
    args: {
      name: "sales",
      dbType: "postgresql",
      dbHost: "db.example.com",
      dbName: "sales",
      dbUser: "reader",
      dbPasswd: "recorded-password",
      dbLocation: "eu-west-1",
    },
  },
  role: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
  roles: { type: "GroupRoles", args: { groupId: 206, roles: ["analyst", "302"] } },
  notebook: {
    type: "ObjectPolicy",
    args: {
      sourceType: "note",
      sourceId: "501",
      policy: [
        { access: "allow", action: ["read", "update"], condition: { svcUsers: [101], svcGroups: [204] } },
        { access: "deny", action: ["all"], condition: { svcUsers: [101], svcGroups: [204] } },
      ],
    },
  },
  grant: {
    type: "ObjectGrant",
    args: { sourceType: "note", sourceId: "502", group: "204", allow: ["read", "update"], deny: ["delete"] },
  },
  reports: {
    type: "FolderPolicy",
    args: {
      type: "notes",
      location: "Common/reports",
      policy: [{ access: "allow", action: ["read", "write"], condition: { svcGroups: [204] } }],
      onDestroy: "clear",
    },
  },
  packages: {
    type: "PackageSet",
    args: {
      envId: 403,
      sourceType: "python_package",
      packages: ["pyarrow", "Scikit_Learn==1.5.0", { name: "xgboost", version: "2.1.1" }],
    },
  },
  sensor: {
    type: "PartitionSensor",
    args: {
      schema: "default",
      table: "daily_ticks",
      columns: [{ column: "dt", values: "[2024-01-01, 2024-01-02]" }],
      wait: { timeoutSeconds: 60 },
    },
  },
  user: { type: "EnabledUser", args: { svcUserId: "disabled@analytics.example.com" } },
  folder: {
    type: "Folder",
    args: { folderId: "704", type: "notebook_dashboards", name: "panels", location: "Common/boards" },
  },
  command: {
    type: "Command",
    args: { spark: { sql: "SELECT 1" }, name: "recorded", triggers: { version: "1" }, tags: ["recorded"] },
  },
};

/** One of every resource type that needs the extended API. */
export const everyExtendedType: Program = {
  group: { type: "Group", args: { name: "builders", members: ["user@analytics.example.com"], roles: ["analyst"] } },
  membership: { type: "GroupMembership", args: { group: "engineers", users: ["operator@analytics.example.com"] } },
  reporter: { type: "Role", args: { name: "reporter", policies: [{ access: "allow", resource: "note" }] } },
  weekly: {
    type: "FolderGrant",
    args: { type: "notes", location: "Common/reports/weekly", group: 204, allow: ["read"] },
  },
};
