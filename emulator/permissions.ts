export const resources = [
  "all",
  "account",
  "app",
  "cluster",
  "command",
  "datastore",
  "data_preview",
  "environment",
  "folder",
  "group",
  "note",
  "notebook_dashboard",
  "object_storage",
  "role",
  "saved_query",
  "scheduler",
  "scheduler_instance",
  "template",
  "svc_user",
] as const;

export type Resource = (typeof resources)[number];

/**
 * The permissions of roles, verbatim, because error messages name them, and the resource and action behind each. The lists
 * of actions are not known: `manage` is a guess.
 */
export const meaning = {
  // Part 5 of the specification.
  "editing an account": ["account", "update"],
  "submitting a command": ["command", "create"],
  "viewing the command history": ["command", "read"],
  "creating a data store": ["datastore", "create"],
  "updating an environment": ["environment", "update"],
  "creating an account": ["account", "create"],
  "viewing an account's details": ["account", "read"],
  "enabling users": ["svc_user", "update"],
  "viewing Hive tables": ["object_storage", "read"],
  "creating a sensor": ["scheduler", "create"],
  "assigning roles to a group": ["group", "update"],
  "unassigning roles from a group": ["group", "update"],
  "setting an object policy": ["note", "manage"],
  "viewing the object policy": ["note", "read"],
  // Those of the extended operations.
  "viewing all data stores": ["datastore", "read"],
  "viewing a data store's details": ["datastore", "read"],
  "editing a data store": ["datastore", "update"],
  "deleting a data store": ["datastore", "delete"],
  "viewing groups": ["group", "read"],
  "creating a group": ["group", "create"],
  "updating a group": ["group", "update"],
  "deleting a group": ["group", "delete"],
  "adding users to a group": ["group", "update"],
  "deleting users from a group": ["group", "update"],
  "viewing users of a group": ["group", "read"],
  "viewing roles of a group": ["group", "read"],
  "viewing roles": ["role", "read"],
  "creating roles": ["role", "create"],
  "updating roles": ["role", "update"],
  "deleting roles": ["role", "delete"],
  "viewing groups of a role": ["role", "read"],
  "reading an environment": ["environment", "read"],
  "disabling users": ["svc_user", "update"],
  "viewing command status": ["command", "read"],
  "viewing commands' logs": ["command", "read"],
  "viewing command results": ["command", "read"],
  "viewing a table definition": ["data_preview", "read"],
  "viewing a table's properties": ["data_preview", "read"],
} as const satisfies Record<string, readonly [Resource, string]>;

export type Permission = keyof typeof meaning;

export const permissions = Object.keys(meaning) as Permission[];
