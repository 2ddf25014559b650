import type { AccessRow } from "../auth";

const both = ["system-user", "system-admin"] as const;
const admin = ["system-admin"] as const;

/** Who may perform the extended operations. Rows that no source shows are marked. */
export const extendedAccess = {
  viewDataStores: { groups: both, permission: "viewing all data stores" },
  viewDataStore: { groups: both, permission: "viewing a data store's details" },
  editDataStore: { groups: admin, permission: "editing a data store" },
  deleteDataStore: { groups: admin, permission: "deleting a data store" },
  viewGroups: { groups: both, permission: "viewing groups" }, // not shown
  createGroup: { groups: both, permission: "creating a group" },
  updateGroup: { groups: both, permission: "updating a group" }, // not shown
  deleteGroup: { groups: both, permission: "deleting a group" },
  addGroupUsers: { groups: both, permission: "adding users to a group" },
  removeGroupUsers: { groups: both, permission: "deleting users from a group" },
  viewGroupUsers: { groups: both, permission: "viewing users of a group" },
  viewGroupRoles: { groups: both, permission: "viewing roles of a group" },
  viewRoles: { groups: both, permission: "viewing roles" }, // not shown
  createRole: { groups: both, permission: "creating roles" },
  updateRole: { groups: both, permission: "updating roles" }, // not shown
  deleteRole: { groups: both, permission: "deleting roles" },
  viewRoleGroups: { groups: both, permission: "viewing groups of a role" },
  viewFolderPolicy: { groups: both, permission: "submitting a command" },
  editFolders: { groups: both, permission: "submitting a command" },
  readEnvironment: { groups: both, permission: "reading an environment" },
  disableUser: { groups: both, permission: "disabling users" },
  editAccount: { groups: both, permission: "editing an account" },
  viewAccount: { groups: both, permission: "viewing an account's details" },
  viewCommand: { groups: both, permission: "viewing command status" },
  cancelCommand: { groups: both, permission: "submitting a command" },
  viewCommandLogs: { groups: both, permission: "viewing commands' logs" },
  viewCommandResults: { groups: both, permission: "viewing command results" },
  viewTableDefinition: { groups: both, permission: "viewing a table definition" },
  viewTableProperties: { groups: both, permission: "viewing a table's properties" },
} satisfies Record<string, AccessRow>;
