import type { Row } from "./calls";

export const readDataStores = [{ resource: "datastore", action: ["read"], access: "allow" }];

const command = "/commands/10001";
const v2 = "/api/v2/accounts";
const folder = { location: "Common/reports", type: "notes" };
const elsewhere = "Users/owner@analytics.example.com";
const group = { name: "new", members: "104,105", roles: "301" };
const role = { name: "reader", policies: JSON.stringify(readDataStores) };

/** Every extended operation and its permission. They need data store 601, command 10001, which has ended, and address 50. */
export const extendedRows: Row[] = [
  ["dbTaps.list", "GET /db_taps", "viewing all data stores"],
  ["dbTaps.view", "GET /db_taps/601", "viewing a data store's details"],
  ["dbTaps.edit", "PUT /db_taps/601", "editing a data store", { db_user: "other" }],
  ["dbTaps.delete", "DELETE /db_taps/601", "deleting a data store"],
  ["dbTaps.tables", "GET /db_taps/601/tables", "viewing a data store's details"],
  ["groups.list", "GET /groups", "viewing groups"],
  ["groups.view", "GET /groups/204", "viewing groups"],
  ["groups.create", "POST /groups", "creating a group", group],
  ["groups.update", "PUT /groups/204", "updating a group", { name: "renamed" }],
  ["groups.delete", "DELETE /groups/analysts", "deleting a group", {}],
  ["groups.duplicate", "POST /groups/204/duplicate", "creating a group", {}],
  ["groups.addUsers", "PUT /groups/204/svc_users/105,106/add", "adding users to a group", {}],
  ["groups.removeUsers", "PUT /groups/204/svc_users/104/remove", "deleting users from a group"],
  ["groups.users", "GET /groups/204/svc_users", "viewing users of a group"],
  ["groups.roles", "GET /groups/204/roles", "viewing roles of a group"],
  ["roles.list", "GET /roles", "viewing roles"],
  ["roles.view", "GET /roles/301", "viewing roles"],
  ["roles.create", "POST /roles", "creating roles", role],
  ["roles.update", "PUT /roles/301", "updating roles", { name: "renamed" }],
  ["roles.delete", "DELETE /roles/analyst", "deleting roles", {}],
  ["roles.groups", "GET /roles/analyst/groups", "viewing groups of a role", {}],
  ["roles.duplicate", "POST /roles/301/duplicate", "creating roles", {}],
  ["accounts.disableUser", "POST /accounts/disable_svc_user", "disabling users", { svc_user_id: "106" }],
  ["commands.status", `GET ${command}`, "viewing command status"],
  ["commands.cancel", `PUT ${command}`, "submitting a command", { status: "kill" }],
  ["commands.logs", `GET ${command}/logs`, "viewing commands' logs"],
  ["commands.errorLogs", `GET ${command}/error_logs`, "viewing commands' logs"],
  ["commands.results", `GET ${command}/results`, "viewing command results"],
  ["commands.statusWithResults", `GET ${command}/status_with_results`, "viewing command status"],
  ["commands.jobs", `GET ${command}/jobs`, "viewing command status"],
  ["package.listPackages", "GET /package/401/list_packages", "reading an environment"],
  ["package.listEnvironments", "GET /package/list_environments", "reading an environment"],
  ["folders.viewPolicy", "GET /folders/policy", "submitting a command", { ...folder, source_type: "Folder" }],
  ["folders.create", "POST /folders", "submitting a command", { ...folder, name: "new1", location: "Common" }],
  ["folders.move", "POST /folders/move", "submitting a command", { ...folder, destination_location: elsewhere }],
  ["account.edit", "PUT /account", "editing an account", {}],
  ["account.editV2", `PUT ${v2}`, "editing an account", {}],
  ["account.viewV2", `GET ${v2}`, "viewing an account's details"],
  ["whitelist.addV2", `POST ${v2}/whitelist_ip`, "editing an account", { ip_cidr: "192.0.2.1" }],
  ["whitelist.listV2", `GET ${v2}/whitelist_ip`, "editing an account"],
  ["whitelist.deleteV2", `DELETE ${v2}/whitelist_ip/50`, "editing an account"],
  ["hive.tablesWithViews", "GET /hive/default/tables_with_views", "viewing a table definition"],
  ["hive.table", "GET /hive/sales/orders", "viewing a table definition"],
  ["hive.partitions", "GET /hive/sales/orders/partitions", "viewing a table definition"],
  ["hive.tableProperties", "GET /hive/sales/orders/table_properties", "viewing a table's properties"],
];
