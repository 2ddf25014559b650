import type { things } from "../switches/things";
import { api, at, type Probe, statusAndBody, type Tester } from "./tester";

type Json = Record<string, unknown>;
const store = { db_name: "d", db_host: "h", db_user: "u", db_passwd: "p" };
const clean = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[^"]*/g, "time");
const create = async (t: Tester, body: Json) => {
  const { status, text } = await t.post(api.stores, body);
  return { status, text: clean(text) };
};
const tables = async (t: Tester, query: Record<string, string> = {}) => statusAndBody(await t.get(api.hive, { query }));
const sensor = async (t: Tester, body: Json, path = api.sensor) => statusAndBody(await t.post(path, body));
const orders = (...values: string[]) => ({ schema: "default", table: "orders", columns: [{ column: "dt", values }] });
const installed = (t: Tester) =>
  t.platform.state().environments[0]?.packages.map((one) => `${one.name} ${one.version}`);
const python = (names: string) => ({ source_type: "python_package", package_names: names });
const add = async (t: Tester, names: string) => [(await t.post(api.addPackages, python(names))).status, installed(t)];
const remove = async (t: Tester, names: string) => [
  (await t.delete(api.removePackages, python(names))).status,
  installed(t),
];
const rename = async (t: Tester, more: Json) => {
  const body = { name: "new", folder_id: "31", location: "Common/reports", type: "notes", ...more };
  const { status } = await t.put(api.rename, body);
  return [status, t.platform.state().folders.map((one) => [one.name, one.location])];
};
const policy = async (t: Tester, more: Json, action = "read") => {
  const element = { access: "allow", action: [action], condition: { svc_users: [11] } };
  const body = {
    location: "Common/archive",
    source_type: "Folder",
    type: "notes",
    policy: JSON.stringify([element]),
    ...more,
  };
  return statusAndBody(await t.put(api.folderPolicy, body));
};

export const thingProbes: Record<keyof typeof things, Probe> = {
  dataStoreAnswer: (t) => create(t, store),
  dataStorePassword: (t) => create(t, store),
  dataStoreName: (t) => create(t, store),
  dataStorePort: async (t) => [await create(t, { ...store, port: 3306 }), await create(t, { ...store, port: 3307 })],
  dataStoreActive: (t) => create(t, store),
  dataStoreRepeat: (t) => create(t, { ...store, name: "warehouse" }),
  dataStoreExtras: (t) =>
    create(t, {
      ...store,
      catalog_name: "cat",
      db_location: "on-premise",
      gateway_ip: "192.0.2.9",
      gateway_username: "g",
      gateway_private_key: "k",
    }),
  dataStoreValidation: async (t) => [await create(t, store), await create(t, { ...store, skip_validation: true })],
  dataStoreTypes: (t) => create(t, { ...store, db_type: "snowflake" }),
  catalogTypes: async (t) => (await create(t, { ...store, db_type: "postgresql", catalog_name: "cat" })).status,
  catalogFeature: async (t) => [
    (await create(t, { ...store, catalog_name: "cat" })).status,
    t.platform.state().dataStores.at(-1)?.catalogName,
  ],
  gatewayPortAlone: async (t) => (await create(t, { ...store, db_location: "on-premise", gateway_port: 22 })).status,
  hiveFilter: async (t) => [await tables(t, { filter: "order" }), await tables(t, { filter: "o*" })],
  hiveBadFilter: (t) => tables(t, { filter: "(" }),
  hiveDescribe: (t) => tables(t, { describe: "yes" }),
  hiveEmpty: (t) => tables(t, { filter: "nothing-like-it" }),
  hiveColumns: (t) => tables(t, { filter: "orders", describe: "true" }),
  hiveOrder: (t) => tables(t),
  sensorPath: async (t) => [
    (await sensor(t, orders("2024-01-01"))).status,
    (await sensor(t, orders("2024-01-01"), api.sensorExamples)).status,
  ],
  sensorStatus: (t) => sensor(t, orders("2024-01-01")),
  sensorMeaning: async (t) => {
    const seen = [await sensor(t, orders("2024-01-01"))];
    for (let i = 0; i < 3; i += 1) seen.push(await sensor(t, orders("1999-01-01")));
    return seen;
  },
  sensorUnknownColumn: (t) => sensor(t, { ...orders(), columns: [{ column: "nope", values: ["1"] }] }),
  sensorUnknownSchema: (t) => sensor(t, { ...orders("2024-01-01"), schema: "nope" }),
  sensorSeveral: (t) => sensor(t, orders("2024-01-01", "1999-01-01")),
  addPackagesAnswer: async (t) => statusAndBody(await t.post(api.addPackages, python("scipy==1.0"))),
  removePackagesAnswer: async (t) => statusAndBody(await t.delete(api.removePackages, python("numpy"))),
  packagePresent: (t) => add(t, "numpy==1.26.4"),
  packageOtherVersion: (t) => add(t, "numpy==1.0"),
  packageAbsent: (t) => remove(t, "nothing"),
  packageRemoveVersion: (t) => remove(t, "numpy==0.1"),
  packageNames: (t) => add(t, "NumPy"),
  packageList: (t) => remove(t, "numpy,nothing"),
  packageBlanks: (t) => add(t, "scipy, polars"),
  packageRemoveSource: async (t) => [
    await remove(t, "numpy"),
    (await t.delete(api.removePackages, undefined, { query: python("pandas") })).status,
    installed(t),
  ],
  packageBusy: async (t) => {
    const seen = [(await add(t, "a"))[0], (await add(t, "b"))[0]];
    t.platform.advance(1000);
    return [...seen, (await add(t, "c"))[0]];
  },
  folderRenameAnswer: async (t) => statusAndBody(await t.put(api.rename, { name: "new", folder_id: "32" })),
  folderPolicyAnswer: (t) => policy(t, {}),
  folderLocation: (t) => rename(t, { location: "Common/elsewhere" }),
  folderLocationSlash: (t) => rename(t, { location: "/Common/reports/" }),
  folderLocationAfter: (t) => rename(t, {}),
  folderSameName: (t) => rename(t, { name: "reports" }),
  folderNameTaken: (t) => rename(t, { name: "archive" }),
  folderNameSlash: (t) => rename(t, { name: "a/b" }),
  folderType: (t) => rename(t, { type: "notebook_dashboards" }),
  folderPolicyName: async (t) => [await policy(t, { name: "else" }), at(t.platform.state().folders, 1, "name")],
  folderActions: async (t) => [await policy(t, {}, "manage"), await policy(t, {}, "dance")],
};

export const thingCompany = {
  packageList: { packageAbsent: "missing" },
} as const;
