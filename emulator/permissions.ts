/** The role permissions of part 5 of the specification, verbatim, because error messages name them. */
const specified = [
  "editing an account",
  "submitting a command",
  "viewing the command history",
  "creating a data store",
  "updating an environment",
  "creating an account",
  "viewing an account's details",
  "enabling users",
  "viewing Hive tables",
  "creating a sensor",
  "assigning roles to a group",
  "unassigning roles from a group",
  "setting an object policy",
  "viewing the object policy",
] as const;

/** Those of the extended operations. */
const extended = [
  "viewing all data stores",
  "viewing a data store's details",
  "editing a data store",
  "deleting a data store",
  "viewing groups",
  "creating a group",
  "updating a group",
  "deleting a group",
  "adding users to a group",
  "deleting users from a group",
  "viewing users of a group",
  "viewing roles of a group",
  "viewing roles",
  "creating roles",
  "updating roles",
  "deleting roles",
  "viewing groups of a role",
  "reading an environment",
  "disabling users",
  "viewing command status",
  "viewing commands' logs",
  "viewing command results",
  "viewing a table definition",
  "viewing a table's properties",
] as const;

export const permissions = [...specified, ...extended] as const;

export type Permission = (typeof permissions)[number];
