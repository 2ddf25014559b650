import { operation } from "./operations";

const admin = { groups: "system-admin" };

/** Operations that installations may have beside the specification, used with `dataplatform:extendedApi`. */
export const extendedOperations = {
  listDataStores: operation("GET", "/api/v1.2/db_taps/", "list the data stores", "viewing all data stores"),
  viewDataStore: operation("GET", "/api/v1.2/db_taps/{id}", "view a data store", "viewing a data store's details"),
  editDataStore: operation("PUT", "/api/v1.2/db_taps/{id}", "edit a data store", "editing a data store", admin),
  deleteDataStore: operation("DELETE", "/api/v1.2/db_taps/{id}", "delete a data store", "deleting a data store", admin),

  listGroups: operation("GET", "/api/v1.2/groups", "list the groups", "viewing groups"),
  viewGroup: operation("GET", "/api/v1.2/groups/{group}", "view a group", "viewing groups"),
  createGroup: operation("POST", "/api/v1.2/groups", "create a group", "creating a group", { ifOpen: "look-up" }),
  updateGroup: operation("PUT", "/api/v1.2/groups/{group}", "update a group", "updating a group"),
  deleteGroup: operation("DELETE", "/api/v1.2/groups/{group}", "delete a group", "deleting a group"),
  addGroupUsers: operation(
    "PUT",
    "/api/v1.2/groups/{group}/svc_users/{users}/add",
    "add users to a group",
    "adding users to a group",
  ),
  removeGroupUsers: operation(
    "PUT",
    "/api/v1.2/groups/{group}/svc_users/{users}/remove",
    "remove users from a group",
    "deleting users from a group",
  ),
  listGroupUsers: operation(
    "GET",
    "/api/v1.2/groups/{group}/svc_users",
    "list the users of a group",
    "viewing users of a group",
  ),
  listGroupRoles: operation(
    "GET",
    "/api/v1.2/groups/{group}/roles",
    "list the roles of a group",
    "viewing roles of a group",
  ),

  listRoles: operation("GET", "/api/v1.2/roles", "list the roles", "viewing roles"),
  viewRole: operation("GET", "/api/v1.2/roles/{role}", "view a role", "viewing roles"),
  createRole: operation("POST", "/api/v1.2/roles", "create a role", "creating roles", { ifOpen: "look-up" }),
  updateRole: operation("PUT", "/api/v1.2/roles/{role}", "update a role", "updating roles"),
  deleteRole: operation("DELETE", "/api/v1.2/roles/{role}", "delete a role", "deleting roles"),

  viewFolderPolicy: operation("GET", "/api/v1.2/folders/policy", "view a folder policy", "submitting a command"),

  listEnvironments: operation(
    "GET",
    "/api/v1.2/package/list_environments",
    "list the package environments",
    "reading an environment",
  ),
  listPackages: operation(
    "GET",
    "/api/v1.2/package/{envId}/list_packages",
    "list the packages of an environment",
    "reading an environment",
  ),

  disableUser: operation("POST", "/api/v1.2/accounts/disable_svc_user", "disable a user", "disabling users", {
    ifOpen: "repeat", // disabling a disabled user changes nothing
  }),

  editAccountV1: operation("PUT", "/api/v1.2/account/", "edit the account", "editing an account"),
  editAccountV2: operation("PUT", "/api/v2/accounts/", "edit the account", "editing an account"),
  addWhitelistedIpV2: operation(
    "POST",
    "/api/v2/accounts/whitelist_ip",
    "add a whitelisted IP (v2)",
    "editing an account",
    { ifOpen: "look-up" },
  ),
  listWhitelistedIpsV2: operation(
    "GET",
    "/api/v2/accounts/whitelist_ip",
    "list the whitelisted IPs (v2)",
    "editing an account",
  ),
  deleteWhitelistedIpsV2: operation(
    "DELETE",
    "/api/v2/accounts/whitelist_ip/{ids}",
    "delete whitelisted IPs (v2)",
    "editing an account",
  ),

  viewCommand: operation("GET", "/api/v1.2/commands/{id}", "view a command", "viewing command status"),
  cancelCommand: operation("PUT", "/api/v1.2/commands/{id}", "cancel a command", "submitting a command"),
  commandLog: operation("GET", "/api/v1.2/commands/{id}/logs", "view the log of a command", "viewing commands' logs"),
  commandErrorLog: operation(
    "GET",
    "/api/v1.2/commands/{id}/error_logs",
    "view the error log of a command",
    "viewing commands' logs",
  ),
  commandResults: operation(
    "GET",
    "/api/v1.2/commands/{id}/results",
    "view the results of a command",
    "viewing command results",
  ),

  tableDefinition: operation(
    "GET",
    "/api/v1.2/hive/{schema}/{table}",
    "view a table definition",
    "viewing a table definition",
  ),
  tablePartitions: operation(
    "GET",
    "/api/v1.2/hive/{schema}/{table}/partitions",
    "list the partitions of a table",
    "viewing a table definition",
  ),
} as const;
