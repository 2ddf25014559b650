/**
 * What must not compile. Every expected error is a line of its own: if a type becomes too loose, the compiler reports
 * the comment above it as unused. Nothing here ever runs.
 */
import * as dataplatform from "pulumi-dataplatform";

// @ts-expect-error the arguments are required
new dataplatform.WhitelistedIp("missing");
// @ts-expect-error ipCidr is required
new dataplatform.WhitelistedIp("missing", {});
// @ts-expect-error ipCidr is a string
new dataplatform.WhitelistedIp("number", { ipCidr: 10 });
// @ts-expect-error names are in camelCase
new dataplatform.WhitelistedIp("snake", { ip_cidr: "203.0.113.7" });
// @ts-expect-error adopt is a boolean
new dataplatform.WhitelistedIp("text", { ipCidr: "203.0.113.7", adopt: "yes" });

// @ts-expect-error addresses are required
new dataplatform.IpWhitelist("missing", {});
// @ts-expect-error addresses are an array
new dataplatform.IpWhitelist("text", { addresses: "203.0.113.7" });

// @ts-expect-error name is required
new dataplatform.Account("missing", {});
// @ts-expect-error there is no such region
new dataplatform.Account("region", { name: "a", awsRegion: "mars-north-1" });
// @ts-expect-error there is no such version
new dataplatform.Account("version", { name: "a", apiVersion: "v3" });
// @ts-expect-error the platform manages nothing itself
new dataplatform.Account("managed", { name: "a", storageType: "PLATFORM_MANAGED" });
// @ts-expect-error hours are a number
new dataplatform.Account("hours", { name: "a", idleClusterTimeout: "2" });

const store = { dbName: "sales", dbHost: "db.example.com" };
// @ts-expect-error dbHost is required
new dataplatform.DataStore("missing", { dbName: "sales" });
// @ts-expect-error there is no such type
new dataplatform.DataStore("type", { ...store, dbType: "oracle" });
// @ts-expect-error there is no such location
new dataplatform.DataStore("location", { ...store, dbLocation: "moon" });
// @ts-expect-error a port is a number
new dataplatform.DataStore("port", { ...store, port: "3306" });

// @ts-expect-error a group is identified by its id
new dataplatform.GroupRoleAssignment("group", { groupId: true, role: "analyst" });
// @ts-expect-error role is required
new dataplatform.GroupRoleAssignment("missing", { groupId: 204 });

const note = { sourceType: "note", sourceId: "501" } as const;
// @ts-expect-error a policy is an array, never JSON text
new dataplatform.ObjectPolicy("text", { ...note, policy: '[{"access":"deny"}]' });
// @ts-expect-error there is no such access
new dataplatform.ObjectPolicy("access", { ...note, policy: [{ access: "permit" }] });
// @ts-expect-error objects have no such action
new dataplatform.ObjectPolicy("action", { ...note, policy: [{ access: "allow", action: ["write"] }] });
// @ts-expect-error users are identified by their ids
new dataplatform.ObjectPolicy("users", { ...note, policy: [{ access: "allow", condition: { svcUsers: [{}] } }] });
// @ts-expect-error there is no such type of object
new dataplatform.ObjectPolicy("type", { sourceType: "dashboard", sourceId: "1", policy: [{ access: "deny" }] });

// @ts-expect-error there is no such type of folder
new dataplatform.FolderPolicy("type", { type: "folder", location: "a", policy: [{ access: "deny" }] });
// @ts-expect-error there is no such way to end
new dataplatform.FolderPolicy("restore", { type: "notes", location: "a", policy: [], onDestroy: "revert" });

const environment = { envId: 401, sourceType: "python_package" } as const;
// @ts-expect-error there is no such source
new dataplatform.PackageSet("source", { envId: 401, sourceType: "conda", packages: [] });
// @ts-expect-error packages are an array, not a comma-separated string
new dataplatform.PackageSet("list", { ...environment, packages: "numpy,pandas" });
// @ts-expect-error a package has a name
new dataplatform.PackageSet("nameless", { ...environment, packages: [{ version: "1.0" }] });
// @ts-expect-error a repository package says where it comes from
new dataplatform.PackageSet("repo", { ...environment, packages: [], repoPackages: [{ name: "lme4" }] });

const table = { schema: "sales", table: "orders" };
// @ts-expect-error schema and table are required
new dataplatform.PartitionSensor("missing", { schema: "sales" });
// @ts-expect-error a column has values
new dataplatform.PartitionSensor("values", { ...table, columns: [{ column: "dt" }] });
// @ts-expect-error there is no such path
new dataplatform.PartitionSensor("path", { ...table, columns: [], apiPath: "/api/v1.2/partition_sensor" });
// @ts-expect-error waiting is yes, no, or how
new dataplatform.PartitionSensor("wait", { ...table, columns: [], wait: 600 });

// @ts-expect-error a user is identified by an id or an e-mail address
new dataplatform.EnabledUser("nobody", { svcUserId: false });

// @ts-expect-error location is required
new dataplatform.Folder("missing", { folderId: "701", type: "notes", name: "reports" });

// @ts-expect-error there is no such command
new dataplatform.Command("type", { presto: { sql: "SELECT 1" } });
// @ts-expect-error there is no such codec
new dataplatform.Command("codec", { s3DistCp: { src: "a", dest: "b", outputCodec: "zip" } });

const vpn = new dataplatform.WhitelistedIp("vpn", { ipCidr: "203.0.113.7" });
// @ts-expect-error an output is not its value
export const account: number = vpn.accountId;
// @ts-expect-error outputs cannot be set
vpn.ipCidr = vpn.createdAt;
// @ts-expect-error there is no such output
export const nothing = vpn.address;

// @ts-expect-error policies are elements, not text
new dataplatform.Role("role", { name: "reporter", policies: "[]" });
// @ts-expect-error access is allow or deny
new dataplatform.Role("role", { name: "reporter", policies: [{ access: "perhaps", resource: "note" }] });
// @ts-expect-error a group needs a name
new dataplatform.Group("group", { members: ["104"] });
// @ts-expect-error users is a list
new dataplatform.GroupMembership("membership", { group: "operators", users: "104" });
// @ts-expect-error roles is a list
new dataplatform.GroupRoles("roles", { groupId: 205, roles: "analyst" });
// @ts-expect-error onDestroy is keep or disable
new dataplatform.EnabledUser("user", { svcUserId: "107", onDestroy: "delete" });
// @ts-expect-error actions of an object are known
new dataplatform.ObjectGrant("grant", { sourceType: "note", sourceId: "501", user: 104, allow: ["write"] });
// @ts-expect-error a grant is for one user, not for a list
new dataplatform.ObjectGrant("grant", { sourceType: "note", sourceId: "501", user: [104], allow: ["read"] });
// @ts-expect-error a folder has a location
new dataplatform.FolderGrant("grant", { type: "notes", group: 204, allow: ["read"] });
// @ts-expect-error which data stores there are must be known
new dataplatform.TeamEnvironment("team", { dataStores: Promise.resolve({ orders: { dbHost: "h", dbName: "n" } }) });
// @ts-expect-error a part has the inputs of its resource
new dataplatform.TeamEnvironment("team", { dataStores: { orders: { dbHots: "h", dbName: "n" } } });
// @ts-expect-error not a part
new dataplatform.TeamEnvironment("team", { account: { name: "a" }, inNewAccount: ["everything"] });
