import { permissions } from "./permissions";
import type { Seed } from "./records";
import { systemRoles } from "./role-policy";

type AccountSeed = Seed["accounts"][number];
type UserSeed = NonNullable<AccountSeed["users"]>[number];

/** A user whose address and token follow from the alias. The two ids differ, so that nobody takes one for the other. */
const userIn =
  (account: string, between: number) =>
  (id: number, alias: string, name: string, groups: number[]): UserSeed => ({
    id,
    user_id: id - between,
    alias,
    email: `${alias}@${account}.example.com`,
    name,
    token: `${account}-${alias}`,
    groups,
  });

const inAnalytics = userIn("analytics", 90);
const inResearch = userIn("research", 100);
/** One whose token the emulator does not print. */
const unprinted = ({ alias: _, ...user }: UserSeed): UserSeed => user;
const pending = (user: UserSeed): UserSeed => ({ ...unprinted(user), status: "pending" });

export const analytics: AccountSeed = {
  id: 1001,
  name: "Analytics",
  plan: "enterprise",
  features: ["ip_whitelisting", "aggressive_downscaling", "catalog_name"],
  storage_access_key: "analytics-storage-access",
  storage_secret_key: "analytics-storage-secret",
  storage_location: "s3://analytics-logs/default",
  compute_access_key: "analytics-compute-access",
  compute_secret_key: "analytics-compute-secret",
  encryptedBuckets: ["sealed-archive"],
  existingPaths: ["s3://analytics-exports/present"],
  unreachableHosts: ["unreachable.example.com"],
  users: [
    inAnalytics(101, "admin", "Ada Admin", [201, 203]),
    inAnalytics(102, "user", "Uma User", [202, 203]),
    inAnalytics(103, "powerless", "Paul Powerless", [203]),
    inAnalytics(104, "analyst", "Ana Analyst", [203, 204]),
    inAnalytics(105, "operator", "Otto Operator", [203, 205]),
    inAnalytics(106, "owner", "Olga Owner", [203]),
    { ...unprinted(inAnalytics(107, "disabled", "Dan Disabled", [203])), status: "disabled" },
    { ...pending(inAnalytics(108, "pending1", "Pia Pending", [203])), token: "analytics-pending-1" },
    { ...pending(inAnalytics(109, "pending2", "Per Pending", [203])), token: "analytics-pending-2" },
  ],
  groups: [
    { id: 201, name: "system-admin" },
    { id: 202, name: "system-user" },
    { id: 203, name: "everyone" },
    { id: 204, name: "analysts", roles: [301] },
    { id: 205, name: "operators" },
    { id: 206, name: "engineers", roles: [303] },
  ],
  roles: [
    { id: 301, name: "analyst", permissions: ["submitting a command", "viewing the command history"] },
    { id: 302, name: "account-editor", permissions: ["editing an account", "viewing an account's details"] },
    {
      id: 303,
      name: "data-engineer",
      permissions: ["creating a data store", "viewing Hive tables", "creating a sensor", "updating an environment"],
    },
    {
      id: 304,
      name: "security-officer",
      permissions: [
        "enabling users",
        "assigning roles to a group",
        "unassigning roles from a group",
        "setting an object policy",
        "viewing the object policy",
      ],
    },
    { id: 305, name: "everything", permissions: [...permissions] },
    { id: 306, name: "nothing" },
    ...systemRoles(307, 308),
  ],
  hiveTables: [
    {
      schema: "default",
      name: "daily_ticks",
      columns: [
        { name: "symbol", type: "string" },
        { name: "price", type: "double" },
        { name: "dt", type: "string" },
      ],
      partitions: [{ dt: "2024-01-01" }, { dt: "2024-01-02" }, { dt: "2024-01-03" }],
    },
    {
      schema: "default",
      name: "page_views",
      columns: [
        { name: "url", type: "string" },
        { name: "hits", type: "bigint" },
        { name: "country", type: "string" },
        { name: "dt", type: "string" },
      ],
      partitions: [
        { country: "de", dt: "2024-01-01" },
        { country: "de", dt: "2024-01-02" },
        { country: "fr", dt: "2024-01-01" },
      ],
    },
    {
      schema: "default",
      name: "customers",
      columns: [
        { name: "id", type: "int" },
        { name: "email", type: "string" },
      ],
    },
    {
      schema: "sales",
      name: "orders",
      columns: [
        { name: "order_id", type: "bigint" },
        { name: "amount", type: "decimal(10,2)" },
        { name: "region", type: "string" },
      ],
      partitions: [{ region: "emea" }, { region: "apac" }],
    },
    {
      schema: "events",
      name: "clicks",
      columns: [
        { name: "user_id", type: "bigint" },
        { name: "hour", type: "int" },
        { name: "dt", type: "string" },
      ],
      partitions: [
        { dt: "2024-02-01", hour: "0" },
        { dt: "2024-02-01", hour: "1" },
      ],
    },
  ],
  environments: [
    { id: 401, name: "python-science", python_package: { numpy: "1.26.4", pandas: "2.2.0" } },
    { id: 402, name: "r-statistics", r_package: { ggplot2: "3.4.4" } },
    { id: 403, name: "bare" },
  ],
  folders: [
    { id: 701, name: "reports", location: "Common/reports", type: "notes" },
    { id: 702, name: "weekly", location: "Common/reports/weekly", type: "notes" },
    {
      id: 703,
      name: "private",
      location: "Users/owner@analytics.example.com/private",
      type: "notes",
      policy: [{ access: "allow", action: ["read", "manage"], condition: { svc_users: [106] } }],
    },
    { id: 704, name: "boards", location: "Common/boards", type: "notebook_dashboards" },
  ],
  objects: [
    {
      source_type: "note",
      id: 501,
      name: "Churn analysis",
      owner: 106,
      policy: [{ access: "allow", action: ["read"], condition: { svc_groups: [203] } }],
    },
    { source_type: "note", id: 502, name: "Scratch pad", owner: 102 },
    {
      source_type: "cluster",
      id: 511,
      name: "etl",
      owner: 101,
      policy: [{ access: "allow", action: ["all"], condition: { svc_users: [101], svc_groups: [206] } }],
    },
    { source_type: "cluster", id: 512, name: "adhoc", owner: 101 },
    { source_type: "environment", id: 401, name: "python-science", owner: 101 },
    { source_type: "environment", id: 402, name: "r-statistics", owner: 101 },
    { source_type: "scheduler", id: 521, name: "nightly", owner: 101 },
  ],
};

export const research: AccountSeed = {
  id: 1002,
  name: "Research",
  features: ["ip_whitelisting"],
  is_aws_role_enabled: true,
  role_arn: "arn:aws:iam::000000000000:role/research",
  external_id: "research-external-id",
  storage_location: "s3://research-logs/default",
  users: [
    { ...inResearch(151, "admin", "Rita Research", [251, 253]), alias: "otherAdmin" },
    { ...inResearch(152, "user", "Rob Research", [252, 253]), alias: "otherUser" },
    pending(inResearch(153, "pending", "Rea Pending", [253])),
  ],
  groups: [
    { id: 251, name: "system-admin" },
    { id: 252, name: "system-user" },
    { id: 253, name: "everyone" },
    { id: 254, name: "scientists" },
  ],
  roles: [
    { id: 351, name: "scientist", permissions: ["submitting a command", "viewing the command history"] },
    ...systemRoles(352, 353),
  ],
  whitelist: [
    { id: 1, ip_cidr: "192.0.2.10", created_at: "2024-01-01T00:00:00Z", updated_at: "2024-01-01T00:00:00Z" },
    { id: 2, ip_cidr: "2001:db8::10", created_at: "2024-01-01T00:00:00Z", updated_at: "2024-01-01T00:00:00Z" },
  ],
  hiveTables: [
    {
      schema: "default",
      name: "samples",
      columns: [
        { name: "id", type: "int" },
        { name: "batch", type: "string" },
      ],
      partitions: [{ batch: "a" }],
    },
  ],
  environments: [{ id: 451, name: "lab", python_package: { scipy: "1.12.0" } }],
  folders: [{ id: 751, name: "papers", location: "Common/papers", type: "notes" }],
  objects: [{ source_type: "note", id: 551, name: "Protein notes", owner: 152 }],
};
