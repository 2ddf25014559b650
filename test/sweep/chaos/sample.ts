import type { Program } from "../../harness/stack";
import { ids, policyFolderAt, roleName } from "./world";

const policy = [
  { access: "allow", action: ["read"], condition: { svcUsers: [101] } },
  { access: "deny", action: ["all"], condition: { svcUsers: [101] } },
];

/** A program for the world of the random runs, each resource in its own slot. */
export const sample: Program = {
  WhitelistedIp: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } },
  IpWhitelist: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "198.51.100.2", "2001:db8::1"] } },
  Account: { type: "Account", args: { name: "sample", storageAccessKey: "key-of-sample" } },
  DataStore: {
    type: "DataStore",
    args: { name: "sample", dbHost: "db.example.com", dbName: "base", dbPasswd: "password" },
  },
  GroupRoleAssignment: { type: "GroupRoleAssignment", args: { groupId: ids.group(0), role: roleName(1) } },
  GroupRoles: { type: "GroupRoles", args: { groupId: ids.group(1), roles: [roleName(1), String(ids.role(2))] } },
  ObjectPolicy: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: String(ids.note(0)), policy } },
  ObjectGrant: {
    type: "ObjectGrant",
    args: { sourceType: "note", sourceId: String(ids.note(1)), user: 101, allow: ["read", "update"] },
  },
  FolderPolicy: { type: "FolderPolicy", args: { type: "notes", location: policyFolderAt(0), policy } },
  PackageSet: {
    type: "PackageSet",
    args: { envId: ids.environment(0), sourceType: "python_package", packages: ["polars==1.0", "dask==2.0"] },
  },
  PartitionSensor: {
    type: "PartitionSensor",
    args: { schema: "default", table: "ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] },
  },
  EnabledUser: { type: "EnabledUser", args: { svcUserId: String(ids.user(0)) } },
  Folder: {
    type: "Folder",
    args: {
      folderId: String(ids.namedFolder(0)),
      type: "notebook_dashboards",
      name: "renamed",
      location: "Boards/0/original",
    },
  },
  Command: { type: "Command", args: { name: "sample", spark: { sql: "select 1", language: "sql" } } },
};
