import type { extendedCatalog } from "../../switches/extended/catalog";
import { api, type Probe, type Tester, timeless } from "../tester";
import { xapi } from "./paths";

type Json = Record<string, unknown>;
const folder = (location: string) => ({ location, source_type: "Folder", type: "notes" });
const policy = async (t: Tester, location = "Common/reports") =>
  timeless(await t.send("GET", xapi.folderPolicy, folder(location)));
const environments = async (t: Tester) => timeless(await t.get(xapi.environments));
const create = async (t: Tester, body: Json = {}) =>
  timeless(await t.post(xapi.createEnvironment, { name: "fresh", ...body }));
const packages = async (t: Tester, id = 41) => timeless(await t.get(xapi.packages(id)));
const add = async (t: Tester, names: string) =>
  (await t.post(api.addPackages, { source_type: "python_package", package_names: names })).status;
const definition = async (t: Tester, table = "orders", schema = "default") =>
  timeless(await t.get(xapi.table(schema, table)));
const partitions = async (t: Tester, table = "orders") =>
  // Dates are part of what is looked at here.
  (await t.get(`${xapi.table("default", table)}/partitions`)).text;

export const extendedCatalogProbes: Record<keyof typeof extendedCatalog, Probe> = {
  folderPolicyView: (t) => policy(t),
  folderPolicyNone: (t) => policy(t, "Common/archive"),
  folderPolicySource: async (t) => [
    (await policy(t)).status,
    (await t.get(xapi.folderPolicy, { query: folder("Common/reports") })).status,
  ],
  folderPolicyViewName: async (t) => (await policy(t)).status,
  environmentList: (t) => environments(t),
  environmentFields: (t) => environments(t),
  environmentCreateAnswer: (t) => create(t),
  environmentUpdateAnswer: async (t) => timeless(await t.put(xapi.environment(41, "update"), { name: "x" })),
  environmentCloneAnswer: async (t) => timeless(await t.put(xapi.environment(41, "clone"), {})),
  environmentDeleteAnswer: async (t) => timeless(await t.delete(xapi.environment(42, "delete"))),
  environmentVersions: async (t) => [
    (await create(t, { name: "a", python_version: "3.5" })).status,
    (await create(t, { name: "b", python_version: "3.7" })).status,
    (await create(t, { name: "c", r_version: "3.5" })).status,
  ],
  environmentNameTaken: async (t) => (await create(t, { name: "bare" })).status,
  environmentFeature: async (t) => (await create(t)).status,
  packagesShown: (t) => packages(t),
  packagesKeys: async (t) => [await packages(t), await packages(t, 42)],
  packagesHistory: (t) => packages(t),
  packagesFailing: async (t) => [await add(t, "no-such-thing"), await packages(t)],
  packagesDelay: async (t) => {
    const seen = [await add(t, "scipy==1.0"), await packages(t)];
    t.platform.advance(1000);
    return [...seen, await packages(t)];
  },
  definitionColumns: (t) => definition(t),
  definitionComment: (t) => definition(t),
  definitionType: (t) => definition(t),
  definitionEnvelope: (t) => definition(t),
  hiveUnknownTable: async (t) => [await definition(t, "nope"), await definition(t, "orders", "nope")],
  hiveNameCase: (t) => definition(t, "ORDERS"),
  partitionFields: (t) => partitions(t),
  partitionNames: (t) => partitions(t),
  partitionsNone: (t) => partitions(t, "customers"),
};

export const catalogCompany = {
  packagesDelay: { packagesShown: "installed as names" },
} as const;
