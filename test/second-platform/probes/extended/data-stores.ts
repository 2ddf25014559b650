import type { extendedDataStores } from "../../switches/extended/data-stores";
import { api, at, type Probe, type Tester, timeless, watch } from "../tester";
import { xapi } from "./paths";

type Json = Record<string, unknown>;
const store = { name: "alpha", db_name: "d", db_host: "h", db_user: "u", db_passwd: "secret" };
const gateway = { gateway_ip: "192.0.2.9", gateway_username: "g", gateway_private_key: "k", db_location: "on-premise" };
const create = (t: Tester, more: Json = {}) => t.post(api.stores, { ...store, ...more });
const view = async (t: Tester, id = 301) => timeless(await t.get(xapi.store(id)));
const list = async (t: Tester, query: Record<string, string> = {}) => timeless(await t.get(api.stores, { query }));
const edit = async (t: Tester, body: Json, id = 301) => timeless(await t.put(xapi.store(id), body));
const kept = (t: Tester) => {
  const { createdAt: _, previous: __, gone: ___, ...rest } = t.platform.state().dataStores[0] ?? {};
  return rest;
};

export const extendedDataStoreProbes: Record<keyof typeof extendedDataStores, Probe> = {
  dataStoreListPages: async (t) => {
    for (let i = 0; i < 11; i += 1) await create(t, { name: `s${i}` });
    return [await list(t), await list(t, { page: "2" })];
  },
  dataStoreListPage: async (t) => (await list(t)).status,
  dataStoreListForm: (t) => list(t),
  dataStoreListOrder: async (t) => {
    await create(t);
    await create(t, { name: "zeta" });
    return [await list(t), await list(t)];
  },
  dataStoreListRecord: (t) => list(t),
  dataStoreListOdd: (t) => list(t),
  dataStoreViewPassword: (t) => view(t),
  dataStoreViewName: (t) => view(t),
  dataStoreViewExtras: async (t) => {
    const id = at((await create(t, gateway)).json, "id") as number;
    return [await view(t), await view(t, id)];
  },
  dataStoreViewEnvelope: (t) => view(t),
  dataStoreViewPort: async (t) => {
    const id = at((await create(t, { port: 3306 })).json, "id") as number;
    return [await view(t), await view(t, id)];
  },
  dataStoreViewType: async (t) => {
    const id = at((await create(t, { db_type: "postgresql" })).json, "id") as number;
    return view(t, id);
  },
  dataStoreViewDelay: async (t) => {
    const id = at((await create(t)).json, "id") as number;
    return watch(t, async () => (await view(t, id)).status);
  },
  dataStoreSqlServer: async (t) => [
    (await create(t, { db_type: "sqlserver" })).status,
    (await edit(t, { db_type: "sqlserver" })).status,
  ],
  dataStoreEditAnswer: (t) => edit(t, { db_host: "other" }),
  dataStoreEditPort: async (t) => [
    await edit(t, { port: 3307 }),
    at(kept(t), "port"),
    await edit(t, { db_port: 3308 }),
    at(kept(t), "port"),
  ],
  dataStoreEditRest: async (t) => [await edit(t, { db_host: "other" }), kept(t)],
  dataStoreEditName: async (t) => {
    const { name: _, ...unnamed } = store;
    const id = at((await t.post(api.stores, unnamed)).json, "id") as number;
    await edit(t, { db_host: "other" }, id);
    return t.platform.state().dataStores.at(-1)?.name;
  },
  dataStoreEditSlash: async (t) => [
    (await edit(t, { db_host: "a" })).status,
    (await t.put(`${xapi.store(301)}/`, { db_host: "b" })).status,
  ],
  dataStoreEditDelay: async (t) => {
    await edit(t, { db_host: "other" });
    return watch(t, () => view(t));
  },
  dataStoreEditValidation: async (t) => [
    (await edit(t, { db_host: "a" })).status,
    (await edit(t, { db_host: "a", skip_validation: true })).status,
  ],
  dataStoreDeleteAnswer: async (t) => timeless(await t.delete(xapi.store(301))),
  dataStoreDeleted: async (t) => {
    await t.delete(xapi.store(301));
    return [await view(t), await list(t)];
  },
  dataStoreDeleteDelay: async (t) => {
    await t.delete(xapi.store(301));
    return watch(t, async () => (await view(t)).status);
  },
};
