import type { Emulator } from "../../../emulator";
import { type Call, dataStore, type Reply, send } from "./calls";

const v = "/api/v1.2";

export const readDataStores = [{ resource: "datastore", action: ["read"], access: "allow" }];

/** A valid call of every extended operation on data stores, groups, roles and users; they need data store 601. */
export const accessCalls: Record<string, Call> = {
  "dbTaps.list": { method: "GET", path: `${v}/db_taps/` },
  "dbTaps.view": { method: "GET", path: `${v}/db_taps/601` },
  "dbTaps.edit": { method: "PUT", path: `${v}/db_taps/601`, body: { db_user: "other" } },
  "dbTaps.delete": { method: "DELETE", path: `${v}/db_taps/601` },
  "dbTaps.tables": { method: "GET", path: `${v}/db_taps/601/tables` },
  "groups.list": { method: "GET", path: `${v}/groups` },
  "groups.view": { method: "GET", path: `${v}/groups/204` },
  "groups.create": { method: "POST", path: `${v}/groups`, body: { name: "new", members: "104,105", roles: "301" } },
  "groups.update": { method: "PUT", path: `${v}/groups/204`, body: { name: "renamed" } },
  "groups.delete": { method: "DELETE", path: `${v}/groups/analysts`, body: {} },
  "groups.duplicate": { method: "POST", path: `${v}/groups/204/duplicate`, body: {} },
  "groups.addUsers": { method: "PUT", path: `${v}/groups/204/svc_users/105,106/add`, body: {} },
  "groups.removeUsers": { method: "PUT", path: `${v}/groups/204/svc_users/104/remove` },
  "groups.users": { method: "GET", path: `${v}/groups/204/svc_users` },
  "groups.roles": { method: "GET", path: `${v}/groups/204/roles` },
  "roles.list": { method: "GET", path: `${v}/roles` },
  "roles.view": { method: "GET", path: `${v}/roles/301` },
  "roles.create": {
    method: "POST",
    path: `${v}/roles`,
    body: { name: "reader", policies: JSON.stringify(readDataStores) },
  },
  "roles.update": { method: "PUT", path: `${v}/roles/301`, body: { name: "renamed" } },
  "roles.delete": { method: "DELETE", path: `${v}/roles/analyst`, body: {} },
  "roles.groups": { method: "GET", path: `${v}/roles/analyst/groups`, body: {} },
  "roles.duplicate": { method: "POST", path: `${v}/roles/301/duplicate`, body: {} },
  "accounts.disableUser": { method: "POST", path: `${v}/accounts/disable_svc_user`, body: { svc_user_id: "106" } },
};

/** Calls of a running emulator; the paths are below the version. */
export function client(emulator: () => Emulator) {
  const call =
    (method: Call["method"]) =>
    (path: string, body?: unknown, alias = "admin"): Promise<Reply> =>
      send(emulator().url, emulator().tokens[alias] ?? alias, { method, path: v + path, body });
  const post = call("POST");
  return {
    get: call("GET"),
    post,
    put: call("PUT"),
    remove: call("DELETE"),
    addDataStore: async (more: object = {}): Promise<number> =>
      (await post("/db_taps", { ...dataStore, ...more })).body.id,
    account: () => emulator().state({ secrets: true }).accounts[0]!,
  };
}
