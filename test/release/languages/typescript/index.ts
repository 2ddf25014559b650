import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();
const revision = config.require("revision");

const office = new dataplatform.WhitelistedIp("office", { ipCidr: "203.0.113.7" });
new dataplatform.IpWhitelist(
  "whitelist",
  { addresses: ["198.51.100.9", `198.51.100.${revision}`] },
  { dependsOn: office },
);
const team = new dataplatform.Account("team", {
  name: "Team",
  apiVersion: "v2",
  defloc: "s3://team/logs",
  awsRegion: "eu-west-1",
  storageAccessKey: "team-storage-access",
  storageSecretKey: config.requireSecret("password"),
  idleClusterTimeoutInSecs: 3600,
});
const warehouse = new dataplatform.DataStore("warehouse", {
  name: "warehouse",
  dbType: "postgresql",
  dbHost: "db.example.com",
  dbName: "sales",
  dbUser: "reader",
  dbPasswd: config.requireSecret("password"),
  dbLocation: "eu-west-1",
  port: 5432,
});
const reader = new dataplatform.Role("reader", {
  name: "reader",
  policies: [{ access: "allow", resource: "note", action: ["read"] }],
});
const analysts = new dataplatform.Group("analysts", {
  name: "new-analysts",
  members: [102, "104"],
  roles: [reader.name],
});
new dataplatform.GroupMembership("operators", { group: 205, users: ["102", "106"] });
new dataplatform.GroupRoleAssignment("operators", { groupId: 205, role: "analyst" });
new dataplatform.GroupRoles("engineers", { groupId: "206", roles: ["analyst", "302"], adopt: true });
new dataplatform.ObjectPolicy("notebook", {
  sourceType: "note",
  sourceId: "501",
  policy: [
    { access: "allow", action: ["read", "update"], condition: { svcUsers: [101], svcGroups: [204] } },
    { access: "deny", action: ["all"], condition: { svcUsers: [101], svcGroups: [204] } },
  ],
});
new dataplatform.ObjectGrant("scratch", {
  sourceType: "note",
  sourceId: 502,
  group: analysts.id,
  allow: ["read", "update"],
  deny: ["delete"],
});
new dataplatform.FolderPolicy("reports", {
  type: "notes",
  location: "Common/reports",
  policy: [
    { access: "allow", action: ["read", "write"], condition: { svcGroups: [204] } },
    { access: "deny", action: ["all"], condition: { svcGroups: [204] } },
  ],
  onDestroy: "clear",
});
new dataplatform.FolderGrant("weekly", {
  type: "notes",
  location: "Common/reports/weekly",
  group: analysts.id,
  allow: ["read"],
});
new dataplatform.PackageSet("packages", {
  envId: 403,
  sourceType: "python_package",
  packages: ["pyarrow", `scikit-learn==1.${revision}.0`, { name: "xgboost", version: "2.1.1" }],
});
new dataplatform.PackageSet("statistics", {
  envId: 402,
  sourceType: "r_package",
  repoPackages: [{ name: "dplyr", repoUrl: "https://r.example.com" }],
});
const ticks = new dataplatform.PartitionSensor("ticks", {
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values: ["2024-01-01", "2024-01-02"] }],
  wait: { timeoutSeconds: 60, intervalSeconds: 1 },
});
new dataplatform.PartitionSensor("clicks", {
  schema: "events",
  table: "clicks",
  columns: [{ column: "hour", values: [0, 1] }],
  wait: true,
});
const enabled = new dataplatform.EnabledUser("enabled", { svcUserId: "disabled@analytics.example.com" });
const boards = new dataplatform.Folder("boards", {
  folderId: 704,
  type: "notebook_dashboards",
  name: "panels",
  location: "Common/boards",
});
const query = new dataplatform.Command("query", {
  spark: { sql: "SELECT dt, count(*) FROM page_views GROUP BY dt" },
  name: "query",
  tags: ["nightly"],
  macros: [{ first_day: "Date.now" }],
  triggers: [`revision ${revision}`],
  wait: { timeoutSeconds: 60, intervalSeconds: 1 },
});
const copy = new dataplatform.Command(
  "copy",
  {
    s3DistCp: {
      src: "s3://analytics-logs/new",
      dest: "s3://analytics-logs/all",
      srcPattern: ".*\\.gz",
      outputCodec: "gz",
      s3ServerSideEncryption: true,
      s3SSEAlgorithm: "AES256",
    },
    triggers: { data_version: "7" },
    wait: true,
  },
  { dependsOn: query },
);

const refresh = dataplatform.submitCommandOutput({
  tableRefresh: { dbName: "default", hiveTable: "page_views", loaderStable: 1 },
  name: pulumi.interpolate`after ${copy.status}`,
  wait: { timeoutSeconds: 60, intervalSeconds: 1 },
});
const results = dataplatform.getCommandResultsOutput({ id: query.id });
const log = dataplatform.getCommandLogOutput({ id: query.id, lastLines: 5 });
const history = dataplatform.getCommandHistoryOutput({ limit: 5, startDate: "2024-01-01T00:00:00Z" });
const account = dataplatform.getAccountOutput();
const users = dataplatform.getUsersOutput({ includeTokens: false });
const pending = dataplatform.getPendingUsersOutput();
const { emails } = dataplatform.getUserEmailsOutput();
const { groups } = dataplatform.getGroupsOutput();
const { roles } = dataplatform.getRolesOutput();
const { whitelistedIps } = dataplatform.getWhitelistedIpsOutput();
const tables = dataplatform.getHiveTablesOutput({ filter: "daily" });
const definition = dataplatform.getTableDefinitionOutput({ table: "page_views" });
const { partitions } = dataplatform.getTablePartitionsOutput({ schema: "default", table: "daily_ticks" });
const { dataStores } = dataplatform.getDataStoresOutput();
const { policy } = dataplatform.getObjectPolicyOutput({ sourceType: "cluster", sourceId: "511" });
const checked = dataplatform.checkPartitionOutput({
  schema: "sales",
  table: "orders",
  columns: [{ column: "region", values: ["emea"] }],
});

export const shown = {
  officeAddress: office.ipCidr,
  teamRegion: team.awsRegion,
  warehouseName: warehouse.assignedName,
  roleName: reader.name,
  ready: ticks.ready,
  userId: enabled.userId,
  boards: boards.currentLocation,
  queryStatus: query.status,
  copyTriggers: copy.triggers,
  refreshStatus: refresh.status,
  inline: pulumi.unsecret(results.inline),
  log: pulumi.unsecret(log.apply((found) => typeof found.log)),
  historyStatus: history.commands.apply((commands) => commands.every(({ status }) => status === "done")),
  accountName: pulumi.unsecret(account.name),
  firstUser: users.users[0]!.email,
  firstPending: pending.users[0]!.email,
  email: emails[0],
  group: groups[0]!.name,
  role: roles[0]!.name,
  listed: whitelistedIps.apply((found) => found.length <= 3),
  tables: tables.names,
  column: definition.columns[0]!.type,
  day: partitions[0]!.values.apply((values) => values["dt"]),
  stores: dataStores.apply((found) => found.length <= 1),
  action: policy[0]!.action,
  checked: checked.ready,
};
