/** Who may perform an operation, in the platform's own words. */
export interface Permission {
  readonly groups: string;
  readonly role: string;
}

export interface Operation<Template extends string = string> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: Template;
  /** In words that follow "could not": "add a whitelisted IP". */
  readonly does: string;
  readonly permission: Permission;
  /**
   * What to do about a request whose outcome is open. `repeat`: it is idempotent. `look-up`: the caller finds out what
   * became of it, and it is never sent again. `never`: nothing can tell, so the user has to check.
   */
  readonly ifOpen: "repeat" | "look-up" | "never";
}

export const anyone = "system-user or system-admin";

export function operation<const Template extends string>(
  method: Operation["method"],
  path: Template,
  does: string,
  role: string,
  { groups = anyone, ifOpen = method === "POST" ? "never" : "repeat" }: Partial<Options> = {},
): Operation<Template> {
  return { method, path, does, permission: { groups, role }, ifOpen };
}

interface Options {
  readonly groups: string;
  readonly ifOpen: Operation["ifOpen"];
}

/** Every API operation that the provider uses, with the permission it needs. */
export const operations = {
  addWhitelistedIp: operation("POST", "/api/v1.2/whitelist_ip", "add a whitelisted IP", "editing an account", {
    ifOpen: "look-up",
  }),
  listWhitelistedIps: operation("GET", "/api/v1.2/whitelist_ip", "list the whitelisted IPs", "editing an account"),
  deleteWhitelistedIps: operation(
    "DELETE",
    "/api/v1.2/whitelist_ip/{ids}",
    "delete whitelisted IPs",
    "editing an account",
  ),

  submitCommand: operation("POST", "/api/v1.2/commands/", "submit a command", "submitting a command", {
    ifOpen: "look-up",
  }),
  commandHistory: operation("GET", "/api/v1.2/commands/", "view the command history", "viewing the command history"),
  commandHistoryV1: operation("GET", "/api/v1/commands/", "view the command history", "viewing the command history"),

  createDataStore: operation("POST", "/api/v1.2/db_taps/", "create a data store", "creating a data store", {
    groups: "system-admin",
  }),
  listHiveTables: operation("GET", "/api/v1.2/hive/default/", "list the Hive tables", "viewing Hive tables", {
    groups: "system-admin",
  }),
  createPartitionSensor: operation(
    "POST",
    "/api/v1.2/partition_sensor",
    "create a partition sensor",
    "creating a sensor",
    { ifOpen: "repeat" }, // its answer is all that it leaves, as far as is known, so a lost one is asked for again
  ),
  createPartitionSensorLongPath: operation(
    "POST",
    "/api/v1.2/sensors/partition_sensor",
    "create a partition sensor",
    "creating a sensor",
    { ifOpen: "repeat" }, // its answer is all that it leaves, as far as is known, so a lost one is asked for again
  ),

  addPackages: operation("POST", "/api/v1.2/package/{envId}/add_packages", "add packages", "updating an environment"),
  removePackages: operation(
    "DELETE",
    "/api/v1.2/package/{envId}/remove_packages",
    "remove packages",
    "updating an environment",
  ),

  renameFolder: operation("PUT", "/api/v1.2/folders/rename", "rename a folder", "submitting a command"),
  setFolderPolicy: operation("PUT", "/api/v1.2/folders/policy", "set a folder policy", "submitting a command", {
    groups: `${anyone}, or a user with manage permission on folders`,
  }),

  createAccountV1: operation("POST", "/api/v1.2/account", "create an account", "creating an account"),
  createAccountV2: operation("POST", "/api/v2/accounts", "create an account", "creating an account"),
  viewAccount: operation("GET", "/api/v1.2/account/", "view the account", "viewing an account's details"),
  listUsers: operation("GET", "/api/v1.2/accounts/get_users", "list the users", "viewing an account's details"),
  listPendingUsers: operation(
    "GET",
    "/api/v1.2/accounts/get_pending_users",
    "list the pending users",
    "viewing an account's details",
    { groups: "system-admin" },
  ),
  listUserEmails: operation(
    "GET",
    "/api/v1.2/accounts/get_user_emails",
    "list the users' e-mail addresses",
    "viewing an account's details",
  ),
  enableUser: operation("POST", "/api/v1.2/accounts/enable_svc_user", "enable a user", "enabling users", {
    ifOpen: "repeat", // enabling an enabled user changes nothing
  }),

  assignRole: operation(
    "PUT",
    "/api/v1.2/groups/{groupId}/roles/{role}/assign",
    "assign a role to a group",
    "assigning roles to a group",
  ),
  unassignRole: operation(
    "PUT",
    "/api/v1.2/groups/{groupId}/roles/{role}/unassign",
    "unassign a role from a group",
    "unassigning roles from a group",
  ),

  setObjectPolicy: operation(
    "PUT",
    "/api/v1.2/object_policy/policy",
    "set an object policy",
    "setting an object policy",
    { groups: "system-admin or the owner of the object" },
  ),
  viewObjectPolicy: operation(
    "GET",
    "/api/v1.2/object_policy/policy",
    "view an object policy",
    "viewing the object policy",
  ),
} as const;
