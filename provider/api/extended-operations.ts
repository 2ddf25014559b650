import { admin, lookedUp, repeatable, v1Dot2, v2 } from "./operations";

const { get, post, put, remove } = v1Dot2;

/** Operations that installations may have beside the specification, used with `dataplatform:extendedApi`. */
export const extendedOperations = {
  listDataStores: get("db_taps/", "list the data stores", "viewing all data stores"),
  viewDataStore: get("db_taps/{id}", "view a data store", "viewing a data store's details"),
  editDataStore: put("db_taps/{id}", "edit a data store", "editing a data store", admin),
  deleteDataStore: remove("db_taps/{id}", "delete a data store", "deleting a data store", admin),

  listGroups: get("groups", "list the groups", "viewing groups"),
  viewGroup: get("groups/{group}", "view a group", "viewing groups"),
  createGroup: post("groups", "create a group", "creating a group", lookedUp),
  updateGroup: put("groups/{group}", "update a group", "updating a group"),
  deleteGroup: remove("groups/{group}", "delete a group", "deleting a group"),
  addGroupUsers: put("groups/{group}/svc_users/{users}/add", "add users to a group", "adding users to a group"),
  removeGroupUsers: put(
    "groups/{group}/svc_users/{users}/remove",
    "remove users from a group",
    "deleting users from a group",
  ),
  listGroupUsers: get("groups/{group}/svc_users", "list the users of a group", "viewing users of a group"),
  listGroupRoles: get("groups/{group}/roles", "list the roles of a group", "viewing roles of a group"),

  listRoles: get("roles", "list the roles", "viewing roles"),
  viewRole: get("roles/{role}", "view a role", "viewing roles"),
  createRole: post("roles", "create a role", "creating roles", lookedUp),
  updateRole: put("roles/{role}", "update a role", "updating roles"),
  deleteRole: remove("roles/{role}", "delete a role", "deleting roles"),

  viewFolderPolicy: get("folders/policy", "view a folder policy", "submitting a command"),

  listEnvironments: get("package/list_environments", "list the package environments", "reading an environment"),
  listPackages: get("package/{envId}/list_packages", "list the packages of an environment", "reading an environment"),

  // Disabling a disabled user changes nothing.
  disableUser: post("accounts/disable_svc_user", "disable a user", "disabling users", repeatable),

  editAccountV1: put("account/", "edit the account", "editing an account"),
  editAccountV2: v2.put("accounts/", "edit the account", "editing an account"),
  addWhitelistedIpV2: v2.post("accounts/whitelist_ip", "add a whitelisted IP (v2)", "editing an account", lookedUp),
  listWhitelistedIpsV2: v2.get("accounts/whitelist_ip", "list the whitelisted IPs (v2)", "editing an account"),
  deleteWhitelistedIpsV2: v2.remove("accounts/whitelist_ip/{ids}", "delete whitelisted IPs (v2)", "editing an account"),

  viewCommand: get("commands/{id}", "view a command", "viewing command status"),
  cancelCommand: put("commands/{id}", "cancel a command", "submitting a command"),
  commandLog: get("commands/{id}/logs", "view the log of a command", "viewing commands' logs"),
  commandErrorLog: get("commands/{id}/error_logs", "view the error log of a command", "viewing commands' logs"),
  commandResults: get("commands/{id}/results", "view the results of a command", "viewing command results"),

  tableDefinition: get("hive/{schema}/{table}", "view a table definition", "viewing a table definition"),
  tablePartitions: get(
    "hive/{schema}/{table}/partitions",
    "list the partitions of a table",
    "viewing a table definition",
  ),
} as const;
