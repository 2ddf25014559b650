/** Operations outside the specification, known from the platform's manual and its public clients. Off by default. */
export const extendedNames = [
  "dataStores.list",
  "dataStores.view",
  "dataStores.edit",
  "dataStores.delete",
  "groups.list",
  "groups.view",
  "groups.create",
  "groups.update",
  "groups.delete",
  "groups.addUsers",
  "groups.removeUsers",
  "groups.users",
  "groups.roles",
  "roles.list",
  "roles.view",
  "roles.create",
  "roles.update",
  "roles.delete",
  "roles.groups",
  "folders.viewPolicy",
  "environments.list",
  "environments.create",
  "environments.update",
  "environments.clone",
  "environments.delete",
  "environments.packages",
  "users.disable",
  "users.invite",
  "accounts.edit",
  "accounts.editV2",
  "accounts.viewV2",
  "whitelistV2.add",
  "whitelistV2.list",
  "whitelistV2.delete",
  "commands.view",
  "commands.cancel",
  "commands.logs",
  "commands.errorLogs",
  "commands.results",
  "commands.statusWithResults",
  "hive.definition",
  "hive.partitions",
  "hive.tablesWithViews",
  // These two are no paths of their own: get_users entries with all fields, and policies of environments.
  "users.entries",
  "objectPolicy.environment",
] as const;

export type ExtendedName = (typeof extendedNames)[number];
/** One operation, or all operations of a family such as "groups". */
export type ExtendedChoice = ExtendedName | (ExtendedName extends `${infer Family}.${string}` ? Family : never);

/** The operations that an installation has; throws on a misspelt name, which is a bug in the test. */
export function resolveExtended(given: boolean | readonly ExtendedChoice[] = false): ReadonlySet<ExtendedName> {
  if (given === false) return new Set();
  if (given === true) return new Set(extendedNames);
  const chosen = given.flatMap((choice) => {
    const fitting = extendedNames.filter((name) => name === choice || name.startsWith(`${choice}.`));
    if (fitting.length === 0) throw new Error(`no extended operation is called ${choice}`);
    return fitting;
  });
  return new Set(chosen);
}
