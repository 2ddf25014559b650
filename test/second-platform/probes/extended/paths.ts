type Id = number | string;

export const xapi = {
  store: (id: Id) => `/api/v1.2/db_taps/${id}`,
  groups: "/api/v1.2/groups",
  group: (group: Id) => `/api/v1.2/groups/${group}`,
  groupUsers: (group: Id) => `/api/v1.2/groups/${group}/svc_users`,
  groupRoles: (group: Id) => `/api/v1.2/groups/${group}/roles`,
  memberChange: (group: Id, users: string, verb: "add" | "remove") =>
    `/api/v1.2/groups/${group}/svc_users/${users}/${verb}`,
  roles: "/api/v1.2/roles",
  role: (role: Id) => `/api/v1.2/roles/${role}`,
  roleGroups: (role: Id) => `/api/v1.2/roles/${role}/groups`,
  folderPolicy: "/api/v1.2/folders/policy",
  environments: "/api/v1.2/package/list_environments",
  createEnvironment: "/api/v1.2/package/create_environment",
  environment: (id: Id, verb: "update" | "clone" | "delete") => `/api/v1.2/package/${id}/${verb}_environment`,
  packages: (id: Id) => `/api/v1.2/package/${id}/list_packages`,
  disable: "/api/v1.2/accounts/disable_svc_user",
  invite: "/api/v1.2/users/invite_new",
  account2: "/api/v2/accounts/",
  whitelist2: "/api/v2/accounts/whitelist_ip",
  command: (id: Id) => `/api/v1.2/commands/${id}`,
  logs: (id: Id) => `/api/v1.2/commands/${id}/logs`,
  errorLogs: (id: Id) => `/api/v1.2/commands/${id}/error_logs`,
  results: (id: Id) => `/api/v1.2/commands/${id}/results`,
  withResults: (id: Id) => `/api/v1.2/commands/${id}/status_with_results`,
  table: (schema: string, table: string) => `/api/v1.2/hive/${schema}/${table}`,
};
