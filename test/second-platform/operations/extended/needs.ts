import { type Need, needs as specified } from "../../operation";
import { allowed } from "../../rights";

const both = ["system-user", "system-admin"] as const;
const admin = ["system-admin"] as const;

/** Who may do what, by the manual's own sentences. */
export const needs = {
  viewStores: { builtIn: both, permission: "viewing all data stores" },
  viewStore: { builtIn: both, permission: "viewing a data store's details" },
  editStore: { builtIn: admin, permission: "editing a data store" },
  deleteStore: { builtIn: admin, permission: "deleting a data store" },
  createGroup: { builtIn: both, permission: "creating a group" },
  deleteGroup: { builtIn: both, permission: "deleting a group" },
  addGroupUsers: { builtIn: both, permission: "adding users to a group" },
  removeGroupUsers: { builtIn: both, permission: "deleting users from a group" },
  viewGroupUsers: { builtIn: both, permission: "viewing users of a group" },
  viewGroupRoles: { builtIn: both, permission: "viewing roles of a group" },
  createRole: { builtIn: both, permission: "creating roles" },
  deleteRole: { builtIn: both, permission: "deleting roles" },
  readEnvironment: {
    builtIn: both,
    permission: "reading an environment",
    also: (call) => allowed(call, specified.updateEnvironment),
  },
  disableUsers: { builtIn: both, permission: "disabling users" },
  viewCommand: { builtIn: both, permission: "viewing command status" },
  viewLogs: { builtIn: both, permission: "viewing commands' logs" },
  viewResults: { builtIn: both, permission: "viewing command results" },
  viewDefinition: { builtIn: both, permission: "viewing a table definition" },
} as const satisfies Record<string, Need>;

/** Permissions of operations for which no sentence names one; the words are this platform's. */
const unnamedTexts = ["viewing groups", "updating a group", "viewing roles", "updating a role"] as const;

export const unnamed = (permission: (typeof unnamedTexts)[number]): Need => ({ builtIn: both, permission });
