import type { forms } from "../switches/forms";
import { api, at, type Probe, statusAndBody, type Tester } from "./tester";

const missing = (t: Tester) => t.delete(`${api.whitelist}/77`);
const hadoop = { command_type: "HadoopCommand", sub_command: "s3distcp" };

export const formProbes: Record<keyof typeof forms, Probe> = {
  errorBody: async (t) => statusAndBody(await missing(t)),
  statusUnauthenticated: async (t) => {
    const reply = await t.get(api.hive, { token: "nobody" });
    return [reply.status, reply.headers["location"], (await t.get(api.hive, { token: undefined })).status];
  },
  statusForbidden: async (t) => (await t.get(api.hive, { token: t.platform.tokens.powerless })).status,
  statusInvalid: async (t) => (await t.post(api.whitelist, { ip_cidr: "nonsense" })).status,
  statusMissing: async (t) => (await missing(t)).status,
  statusConflict: async (t) =>
    (await t.put(api.rename, { name: "archive", folder_id: "31", location: "Common/reports", type: "notes" })).status,
  refusalsUnder200: async (t) => [
    (await missing(t)).status,
    (await t.get(api.hive, { token: t.platform.tokens.powerless })).status,
    (await t.post(api.whitelist, { ip_cidr: "nonsense" })).status,
    (await t.put(api.rename, { name: "archive", folder_id: "31" })).status,
  ],
  bodyErrorForm: async (t) => statusAndBody(await missing(t)),
  successStatus: async (t) => [
    (await t.post(api.whitelist, { ip_cidr: "192.0.2.5" })).status,
    (await t.post(api.commands, hadoop)).status,
    (await t.post(api.commands, { template: "s3import", db_name: "d", hive_table: "t" })).status,
    (await t.post(api.enable, { svc_user_id: "16" })).status,
  ],
  ids: async (t) => {
    const one = await t.post(api.stores, {});
    const all = (await t.get(api.users)).json;
    return [one.text.match(/"id":[^,]*/)?.[0], at(all, "users", 0, "id"), at(all, "users", 1, "id")];
  },
  newIds: async (t) => [at((await t.post(api.stores, {})).json, "id"), at((await t.post(api.stores, {})).json, "id")],
  nullFields: async (t) => (await t.get(api.account)).text,
  extraFields: async (t) => (await t.get(api.users)).text,
  timestamps: async (t) => {
    const created = at((await t.post(api.stores, {})).json, "created_at") as string;
    return created.replace(/\d/g, "0");
  },
  mandatory: async (t) => [
    (await t.post(api.stores, {})).status,
    (await t.post(api.stores, { db_name: "d", db_host: "h", db_user: "u", db_passwd: "p" })).status,
  ],
  unknownParameters: async (t) => (await t.post(api.whitelist, { ip_cidr: "192.0.2.5", colour: "red" })).status,
  parameterTypes: async (t) => {
    const reply = await t.post(api.stores, { port: "3307" });
    return [reply.status, at(reply.json, "port")];
  },
  nullParameters: async (t) => [
    (await t.post(api.stores, { name: null })).status,
    (await t.post(api.stores, { catalog_name: null })).status,
  ],
  emptyTexts: async (t) => {
    const reply = await t.post(api.stores, { name: "", db_host: "h", db_name: "d" });
    return [reply.status, at(reply.json, "name")];
  },
  checkOrder: async (t) => {
    const { powerless } = t.platform.tokens;
    const seen = [
      (await t.post(api.whitelist, { ip_cidr: "nonsense" }, { token: powerless })).status,
      (await t.post(api.whitelist, { ip_cidr: "192.0.2.5" }, { token: powerless })).status,
    ];
    return [seen, t.platform.state().whitelist.length];
  },
  foreignThings: async (t) =>
    (await t.post("/api/v1.2/package/91/add_packages", { source_type: "python_package", package_names: "a" })).status,
  disabledUserToken: async (t) => {
    const token = t.platform.tokens.disabled;
    await t.put(api.role(3, 4, "assign"), {});
    return (await t.get(api.account, { token })).status;
  },
};
