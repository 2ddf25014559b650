import { extendedOperations as extended } from "../../provider/api/extended-operations";
import { type Operation, operations, v1Dot2, v2 } from "../../provider/api/operations";

export interface Examined {
  readonly operation: Operation;
  /** Section of the specification; of the extended API, the group of operations. */
  readonly section: string;
  readonly isExtended: boolean;
}

const specified = (of: Operation, section: string): Examined => ({ operation: of, section, isExtended: false });
const beside = (of: Operation, section: string): Examined => ({ operation: of, section, isExtended: true });

const { get, post } = v1Dot2;

/** Operations that the provider does not use: they are examined because the emulator plays them. */
const others = {
  tables: get("db_taps/{id}/tables", "list the tables of a data store", "viewing a data store's details"),
  duplicateGroup: post("groups/{group}/duplicate", "duplicate a group", "creating a group"),
  roleGroups: get("roles/{role}/groups", "list the groups of a role", "viewing groups of a role"),
  duplicateRole: post("roles/{role}/duplicate", "duplicate a role", "creating roles"),
  statusWithResults: get(
    "commands/{id}/status_with_results",
    "view a command with its results",
    "viewing command status",
  ),
  jobs: get("commands/{id}/jobs", "view the jobs of a command", "viewing command status"),
  createFolder: post("folders/", "create a folder", "submitting a command"),
  moveFolder: post("folders/move", "move a folder", "submitting a command"),
  viewAccountV2: v2.get("accounts/", "view the account (v2)", "viewing an account's details"),
  tablesWithViews: get("hive/{schema}/tables_with_views", "list tables and views", "viewing Hive tables"),
  tableProperties: get(
    "hive/{schema}/{table}/table_properties",
    "view the properties of a table",
    "viewing a table's properties",
  ),
};

/** Every operation that is examined, by the name that the emulator and a profile have for it. */
export const examined = {
  "account.view": specified(operations.viewAccount, "4.12"),
  "accounts.getUsers": specified(operations.listUsers, "4.12"),
  "accounts.getPendingUsers": specified(operations.listPendingUsers, "4.12"),
  "accounts.getUserEmails": specified(operations.listUserEmails, "4.12"),
  "accounts.enableUser": specified(operations.enableUser, "4.12"),
  "account.create": specified(operations.createAccountV1, "4.12"),
  "account.createV2": specified(operations.createAccountV2, "4.12"),
  "whitelist.list": specified(operations.listWhitelistedIps, "4.1"),
  "whitelist.add": specified(operations.addWhitelistedIp, "4.1"),
  "whitelist.delete": specified(operations.deleteWhitelistedIps, "4.1"),
  "commands.history": specified(operations.commandHistory, "4.6"),
  "commands.submit": specified(operations.submitCommand, "4.2"),
  "dbTaps.create": specified(operations.createDataStore, "4.7"),
  "hive.list": specified(operations.listHiveTables, "4.8"),
  "partitionSensor.create": specified(operations.createPartitionSensor, "4.9"),
  "partitionSensor.createLongPath": specified(operations.createPartitionSensorLongPath, "4.9"),
  "package.add": specified(operations.addPackages, "4.10"),
  "package.remove": specified(operations.removePackages, "4.10"),
  "folders.rename": specified(operations.renameFolder, "4.11"),
  "folders.policy": specified(operations.setFolderPolicy, "4.11"),
  "groups.assignRole": specified(operations.assignRole, "4.13"),
  "groups.unassignRole": specified(operations.unassignRole, "4.13"),
  "objectPolicy.view": specified(operations.viewObjectPolicy, "4.14"),
  "objectPolicy.set": specified(operations.setObjectPolicy, "4.14"),
  unknown: specified(get("conform_no_such_path", "answer an unknown path", "none"), "7"),

  "dbTaps.list": beside(extended.listDataStores, "Data stores"),
  "dbTaps.view": beside(extended.viewDataStore, "Data stores"),
  "dbTaps.edit": beside(extended.editDataStore, "Data stores"),
  "dbTaps.delete": beside(extended.deleteDataStore, "Data stores"),
  "dbTaps.tables": beside(others.tables, "Data stores"),
  "groups.list": beside(extended.listGroups, "Groups"),
  "groups.view": beside(extended.viewGroup, "Groups"),
  "groups.create": beside(extended.createGroup, "Groups"),
  "groups.update": beside(extended.updateGroup, "Groups"),
  "groups.delete": beside(extended.deleteGroup, "Groups"),
  "groups.duplicate": beside(others.duplicateGroup, "Groups"),
  "groups.addUsers": beside(extended.addGroupUsers, "Groups"),
  "groups.removeUsers": beside(extended.removeGroupUsers, "Groups"),
  "groups.users": beside(extended.listGroupUsers, "Groups"),
  "groups.roles": beside(extended.listGroupRoles, "Groups"),
  "roles.list": beside(extended.listRoles, "Roles"),
  "roles.view": beside(extended.viewRole, "Roles"),
  "roles.create": beside(extended.createRole, "Roles"),
  "roles.update": beside(extended.updateRole, "Roles"),
  "roles.delete": beside(extended.deleteRole, "Roles"),
  "roles.groups": beside(others.roleGroups, "Roles"),
  "roles.duplicate": beside(others.duplicateRole, "Roles"),
  "accounts.disableUser": beside(extended.disableUser, "Users"),
  "commands.status": beside(extended.viewCommand, "Commands"),
  "commands.cancel": beside(extended.cancelCommand, "Commands"),
  "commands.logs": beside(extended.commandLog, "Commands"),
  "commands.errorLogs": beside(extended.commandErrorLog, "Commands"),
  "commands.results": beside(extended.commandResults, "Commands"),
  "commands.statusWithResults": beside(others.statusWithResults, "Commands"),
  "commands.jobs": beside(others.jobs, "Commands"),
  "package.listPackages": beside(extended.listPackages, "Packages"),
  "package.listEnvironments": beside(extended.listEnvironments, "Packages"),
  "folders.viewPolicy": beside(extended.viewFolderPolicy, "Folders"),
  "folders.create": beside(others.createFolder, "Folders"),
  "folders.move": beside(others.moveFolder, "Folders"),
  "account.edit": beside(extended.editAccountV1, "Accounts"),
  "account.editV2": beside(extended.editAccountV2, "Accounts"),
  "account.viewV2": beside(others.viewAccountV2, "Accounts"),
  "whitelist.addV2": beside(extended.addWhitelistedIpV2, "Whitelist"),
  "whitelist.listV2": beside(extended.listWhitelistedIpsV2, "Whitelist"),
  "whitelist.deleteV2": beside(extended.deleteWhitelistedIpsV2, "Whitelist"),
  "hive.tablesWithViews": beside(others.tablesWithViews, "Hive"),
  "hive.table": beside(extended.tableDefinition, "Hive"),
  "hive.partitions": beside(extended.tablePartitions, "Hive"),
  "hive.tableProperties": beside(others.tableProperties, "Hive"),
} as const satisfies Record<string, Examined>;

export type OperationName = keyof typeof examined;

export const operationNames = Object.keys(examined) as OperationName[];
