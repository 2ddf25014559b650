import * as dataplatform from "pulumi-dataplatform";
import { type Store, secrets, settings } from "./settings";

const { team, addresses, stores, groups, ownGroup, packages, days } = settings;

// The team's own account and, through that account's token, the addresses from which people may log in to it.
const account = new dataplatform.Account("account", {
  name: team,
  defloc: settings.defloc,
  awsRegion: "eu-west-1",
  cacheQuotaSizeInGB: settings.cacheQuotaSizeInGB,
  idleClusterTimeout: settings.idleClusterTimeout,
  subAccountCreation: true,
  storageAccessKey: secrets.storageAccessKey,
  storageSecretKey: secrets.storageSecretKey,
  computeAccessKey: secrets.computeAccessKey,
  computeSecretKey: secrets.computeSecretKey,
});
const inAccount = new dataplatform.Provider("in-account", { apiToken: account.authenticationToken });
const whitelist = new dataplatform.IpWhitelist("whitelist", { addresses }, { provider: inAccount });

// One data store for each entry of the list. Those behind a gateway get its key too.
const register = (store: Store) =>
  new dataplatform.DataStore(store.name, {
    ...store,
    dbPasswd: secrets.dbPasswd,
    ...(store.gatewayIp && { gatewayPrivateKey: secrets.gatewayPrivateKey }),
  });
const registered = stores.map(register);

// Who may do what: roles for groups, and policies for the team's folder and notebook.
const roles = groups.map(
  ({ group, role }) => new dataplatform.GroupRoleAssignment(`${group}-${role}`, { groupId: group, role }),
);
// With the extended API, the team's own group, role and members too.
const ownRole = ownGroup && new dataplatform.Role("role", { name: ownGroup.name, policies: ownGroup.policies });
const own =
  ownRole && new dataplatform.Group("group", { name: ownGroup.name, members: ownGroup.members, roles: [ownRole.name] });
const members = [...new Set(groups.map(({ group }) => group)), ...(own ? [own.id.apply(Number)] : [])];
const onlyTheTeam: dataplatform.types.PolicyElementArgs[] = [
  { access: "allow", action: ["read", "update"], condition: { svcGroups: members } },
  { access: "deny", action: ["all"], condition: { svcGroups: members } },
];
new dataplatform.ObjectPolicy("notebook", { sourceType: "note", sourceId: "501", policy: onlyTheTeam });
new dataplatform.FolderPolicy("reports", {
  type: "notes",
  location: "Common/reports",
  policy: [
    { access: "allow", action: ["read", "write"], condition: { svcGroups: members } },
    { access: "deny", action: ["all"], condition: { svcGroups: members } },
  ],
  onDestroy: ownGroup ? "restore" : "clear",
});

const libraries = new dataplatform.PackageSet("libraries", { envId: 403, sourceType: "python_package", packages });

// The first job starts only when its data has arrived.
const ticks = new dataplatform.PartitionSensor("ticks", {
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values: days }],
  wait: { timeoutSeconds: 3600, intervalSeconds: 10 },
});
const firstLoad = new dataplatform.Command(
  "first-load",
  { tableRefresh: { dbName: "default", hiveTable: "daily_ticks" }, name: `first load for ${team}`, wait: true },
  { dependsOn: [ticks, libraries, ...registered, ...roles] },
);

export const accountId = account.id;
export const allowed = whitelist.addresses;
export const storeIds = registered.map((store) => store.id);
export const firstLoadStatus = firstLoad.status;
