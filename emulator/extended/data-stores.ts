import { z } from "zod";
import { admins, anyone } from "../auth";
import { invalid, notFound } from "../errors";
import type { Readings } from "../readings";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";
import { checkRules, type DataStoreParams, fields, storedFields } from "../routes/data-stores";
import { pageOf, pageParams, pagingInfo } from "./paging";

type DataStore = RecordOf<"dataStores">;

const path = "/api/v1.2/db_taps";

const record = z.object({
  account_id: z.int(),
  active: z.boolean(),
  db_user: z.string(),
  user_id: z.int(),
  db_location: z.string(),
  db_type: z.string(),
  db_passwd: z.string().optional(),
  db_name: z.string(),
  created_at: z.string(),
  db_host: z.string(),
  id: z.int(),
  port: z.int().nullable(),
  name: z.string().optional(),
  catalog_name: z.string().nullable().optional(),
  gateway_ip: z.string().nullable().optional(),
  gateway_port: z.int().nullable().optional(),
  gateway_username: z.string().nullable().optional(),
});

const defaultPorts: Record<string, number> = {
  mysql: 3306,
  vertica: 5433,
  mongo: 27017,
  postgresql: 5432,
  redshift: 5439,
};

const passwords: Record<Readings["dataStoreViewPassword"], (sent: string) => { db_passwd?: string }> = {
  empty: () => ({ db_passwd: "" }),
  masked: (sent) => ({ db_passwd: sent === "" ? "" : "********" }),
  absent: () => ({}),
  "as-sent": (sent) => ({ db_passwd: sent }),
};

function show({ account, readings }: Context, store: DataStore): z.infer<typeof record> {
  const { name, db_passwd, catalog_name, gateway_ip, gateway_port, gateway_username, ...always } = store;
  const { dataStoreViewPort, dataStoreViewName, dataStoreViewGateway, dataStoreViewPassword } = readings;
  return record.parse({
    ...always,
    account_id: account.id,
    ...passwords[dataStoreViewPassword](db_passwd),
    port: store.port ?? (dataStoreViewPort === "default" ? (defaultPorts[store.db_type] ?? null) : null),
    ...(dataStoreViewName === "shown" && { name }),
    ...(dataStoreViewGateway === "shown" && { catalog_name, gateway_ip, gateway_port, gateway_username }),
  });
}

function dataStoreOf({ store, account }: Context, id: string | undefined): DataStore {
  const found = /^\d+$/.test(id ?? "") ? store.get("dataStores", account.id, Number(id)) : undefined;
  if (!found) throw notFound(`there is no data store ${id}`);
  return found;
}

const list = defineRoute({
  operation: "dbTaps.list",
  summary: "List the data stores",
  method: "GET",
  paths: [path],
  access: anyone("viewing all data stores"),
  params: pageParams,
  answer: z.object({ paging_info: pagingInfo, db_taps: z.array(record) }),
  handle(context, params) {
    const { store, account, readings } = context;
    const all = store.list("dataStores", account.id).map((one) => show(context, one));
    if (readings.dataStoreList === "unpaged") return { db_taps: all };
    const { paging_info, items } = pageOf(all, params, readings);
    return { paging_info, db_taps: items };
  },
});

const view = defineRoute({
  operation: "dbTaps.view",
  summary: "View a data store",
  method: "GET",
  paths: [`${path}/:id`],
  access: anyone("viewing a data store's details"),
  answer: record,
  handle: (context, _params, { id }) => show(context, dataStoreOf(context, id)),
});

const editParams = z
  .strictObject({
    ...fields,
    db_port: fields.port.describe("Another name of port, where the installation uses it"),
    gateway_ip: fields.gateway_ip.nullable(),
    gateway_port: fields.gateway_port.nullable(),
    gateway_username: fields.gateway_username.nullable(),
    gateway_private_key: fields.gateway_private_key.nullable(),
  })
  .partial();

type Edit = z.infer<typeof editParams>;

/** Which name of the port an installation accepts is not known; it does not know the other. */
function portOf({ port, db_port }: Edit, accepted: Readings["dataStoreEditPort"]): { port?: number | null } {
  if (port !== undefined && accepted === "db_port") throw invalid('Unrecognized key: "port"');
  if (db_port !== undefined && accepted === "port") throw invalid('Unrecognized key: "db_port"');
  const given = port ?? db_port ?? (port === null || db_port === null ? null : undefined);
  return given === undefined ? {} : { port: given };
}

/** The parameters with which a creation would make the edited record. */
function merge(stored: DataStore, edit: Edit, accepted: Readings["dataStoreEditPort"]): DataStoreParams {
  const { db_port: _other, port: _port, skip_validation = false, ...changes } = edit;
  const { id, user_id, active, created_at, tables, ...known } = stored;
  // Without a gateway there is no port of it, unless the edit names one.
  const withoutGateway = edit.gateway_ip === null && edit.gateway_port === undefined && { gateway_port: null };
  const merged = { ...known, ...changes, ...withoutGateway, ...portOf(edit, accepted), skip_validation };
  const { gateway_ip, gateway_port, gateway_username, gateway_private_key, ...others } = merged;
  return {
    ...(others as DataStoreParams),
    gateway_ip: gateway_ip ?? undefined,
    gateway_port: gateway_port ?? undefined,
    gateway_username: gateway_username ?? undefined,
    gateway_private_key: gateway_private_key ?? undefined,
  };
}

const edit = defineRoute({
  operation: "dbTaps.edit",
  summary: "Edit a data store: any of the parameters of its creation; null removes a gateway parameter",
  method: "PUT",
  paths: [`${path}/:id`],
  access: admins("editing a data store"),
  params: editParams,
  answer: record,
  handle(context, params, { id }) {
    const { store, account, readings } = context;
    const stored = dataStoreOf(context, id);
    const merged = merge(stored, params, readings.dataStoreEditPort);
    checkRules(context, merged);
    const edited = store.put("dataStores", account.id, { ...stored, ...storedFields(merged) });
    const forms = { record: show(context, edited), status: { status: "updated" }, empty: undefined };
    return forms[readings.dataStoreEditAnswer];
  },
});

const remove = defineRoute({
  operation: "dbTaps.delete",
  summary: "Delete a data store",
  method: "DELETE",
  paths: [`${path}/:id`],
  access: admins("deleting a data store"),
  answer: z.object({ status: z.literal("deleted") }),
  handle(context, _params, { id }) {
    context.store.delete("dataStores", context.account.id, dataStoreOf(context, id).id);
    return { status: "deleted" };
  },
});

const tables = defineRoute({
  operation: "dbTaps.tables",
  summary: "List the tables of a data store",
  method: "GET",
  paths: [`${path}/:id/tables`],
  access: anyone("viewing a data store's details"),
  answer: z.array(z.string()),
  handle(context, _params, { id }) {
    const { db_host, db_name, tables: known } = dataStoreOf(context, id);
    if (context.account.unreachableHosts.includes(db_host)) throw invalid(`cannot connect to ${db_host}`);
    return known ?? [`${db_name}_customers`, `${db_name}_orders`];
  },
});

export const extendedDataStoreRoutes = [list, view, edit, remove, tables];
