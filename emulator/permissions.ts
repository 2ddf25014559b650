/** The role permissions of part 5 of the specification, verbatim, because error messages name them. */
export const permissions = [
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

export type Permission = (typeof permissions)[number];
