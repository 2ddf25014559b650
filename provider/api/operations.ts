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
  /** Whether the specification shows `{status:"done"}` as the answer: another status is no success. */
  readonly saysDone?: true;
}

export const anyone = "system-user or system-admin";

interface Options {
  readonly groups: string;
  readonly ifOpen: Operation["ifOpen"];
}

/** What makes the operations of one version of the API. */
function version<const Base extends string>(base: Base) {
  const by =
    (method: Operation["method"]) =>
    <const Path extends string>(
      path: Path,
      does: string,
      role: string,
      { groups = anyone, ifOpen = method === "POST" ? "never" : "repeat" }: Partial<Options> = {},
    ): Operation<`${Base}${Path}`> => ({
      method,
      path: `${base}${path}`,
      does,
      permission: { groups, role },
      ifOpen,
    });
  return { get: by("GET"), post: by("POST"), put: by("PUT"), remove: by("DELETE") };
}

export const v1 = version("/api/v1/");
export const v1Dot2 = version("/api/v1.2/");
export const v2 = version("/api/v2/");
const { get, post, put, remove } = v1Dot2;

export const admin = { groups: "system-admin" };
export const lookedUp = { ifOpen: "look-up" } as const;
export const repeatable = { ifOpen: "repeat" } as const;

/** Every API operation that the provider uses, with the permission it needs. */
export const operations = {
  addWhitelistedIp: post("whitelist_ip", "add a whitelisted IP", "editing an account", lookedUp),
  listWhitelistedIps: get("whitelist_ip", "list the whitelisted IPs", "editing an account"),
  deleteWhitelistedIps: remove("whitelist_ip/{ids}", "delete whitelisted IPs", "editing an account"),

  submitCommand: post("commands/", "submit a command", "submitting a command", lookedUp),
  commandHistory: get("commands/", "view the command history", "viewing the command history"),
  commandHistoryV1: v1.get("commands/", "view the command history", "viewing the command history"),

  createDataStore: post("db_taps/", "create a data store", "creating a data store", admin),
  listHiveTables: get("hive/default/", "list the Hive tables", "viewing Hive tables", admin),
  // The answer of a sensor is all that it leaves, as far as is known, so a lost one is asked for again.
  createPartitionSensor: post("partition_sensor", "create a partition sensor", "creating a sensor", repeatable),
  createPartitionSensorLongPath: post(
    "sensors/partition_sensor",
    "create a partition sensor",
    "creating a sensor",
    repeatable,
  ),

  addPackages: post("package/{envId}/add_packages", "add packages", "updating an environment"),
  removePackages: remove("package/{envId}/remove_packages", "remove packages", "updating an environment"),

  renameFolder: put("folders/rename", "rename a folder", "submitting a command"),
  setFolderPolicy: put("folders/policy", "set a folder policy", "submitting a command", {
    groups: `${anyone}, or a user with manage permission on folders`,
  }),

  createAccountV1: post("account", "create an account", "creating an account"),
  createAccountV2: v2.post("accounts", "create an account", "creating an account"),
  viewAccount: get("account/", "view the account", "viewing an account's details"),
  listUsers: get("accounts/get_users", "list the users", "viewing an account's details"),
  listPendingUsers: get("accounts/get_pending_users", "list the pending users", "viewing an account's details", admin),
  listUserEmails: get("accounts/get_user_emails", "list the users' e-mail addresses", "viewing an account's details"),
  // Enabling an enabled user changes nothing.
  enableUser: post("accounts/enable_svc_user", "enable a user", "enabling users", repeatable),

  assignRole: {
    ...put("groups/{groupId}/roles/{role}/assign", "assign a role to a group", "assigning roles to a group"),
    saysDone: true,
  },
  unassignRole: {
    ...put("groups/{groupId}/roles/{role}/unassign", "unassign a role from a group", "unassigning roles from a group"),
    saysDone: true,
  },

  setObjectPolicy: put("object_policy/policy", "set an object policy", "setting an object policy", {
    groups: "system-admin or the owner of the object",
  }),
  viewObjectPolicy: get("object_policy/policy", "view an object policy", "viewing the object policy"),
} as const;
