import { deepStrictEqual, ok } from "node:assert";
import { type Call, type Listed, sorted } from "./function-lives";

const own = 101;
export const seededCommand = "4002";

/** The functions that exist only with the extended API. */
export const extendedCalls: readonly Call[] = [
  {
    name: "getDataStores",
    concerns: /^dataStore/,
    judge({ dataStores }, state) {
      const ids = state.dataStores.filter(({ accountId }) => accountId === own).map(({ id }) => id);
      deepStrictEqual(sorted((dataStores as Listed).map(({ id }) => id)), sorted(ids));
    },
  },
  {
    name: "getGroups",
    concerns: /^group/,
    judge({ groups }, state) {
      const names = (groups as Listed).map(({ name }) => name);
      for (const { accountId, name } of state.groups)
        if (accountId === own && !/^(system-|everyone)/.test(name)) ok(names.includes(name), `${name} is not listed`);
    },
  },
  {
    name: "getRoles",
    concerns: /^role/,
    judge({ roles }, _, switches) {
      const found = (roles as Listed).find(({ name }) => name === "auditor");
      deepStrictEqual(String(found?.["id"]), "4");
      const isHidden = ["absent", "null"].includes(String(switches["roleListPolicy" as never]));
      deepStrictEqual(Array.isArray(found?.["policies"]), !isHidden);
    },
  },
  {
    name: "getTableDefinition",
    inputs: { schema: "default", table: "orders" },
    concerns: /^(hive|definition)/,
    judge({ columns }, state) {
      const table = state.hiveTables.find(({ name, accountId }) => name === "orders" && accountId === own)!;
      const names = (columns as Listed).map(({ name }) => name);
      for (const { name } of table.columns) ok(names.includes(name), `no column ${name}`);
    },
  },
  {
    name: "getTablePartitions",
    inputs: { schema: "default", table: "orders" },
    concerns: /^(hive|partition)/,
    judge({ partitions }) {
      const [first] = partitions as Listed;
      deepStrictEqual((partitions as Listed).length, 2);
      const values = Object.entries(first?.["values"] as object).map(([name, value]) => [name.toLowerCase(), value]);
      deepStrictEqual(Object.fromEntries(values), { dt: "2024-01-01", region: "eu" });
    },
  },
  {
    name: "getCommandLog",
    inputs: { id: seededCommand },
    concerns: /^logs/,
    judge({ log }, _, switches) {
      const isEmpty = switches["logsText" as never] === "empty";
      deepStrictEqual(typeof log === "string" && log.length > 0, !isEmpty);
    },
  },
  {
    name: "getCommandResults",
    inputs: { id: seededCommand },
    concerns: /^results/,
    judge({ inline, rows, locations }) {
      if (inline) ok(Array.isArray(rows) && !JSON.stringify(rows).includes("\\r"), JSON.stringify(rows).slice(0, 200));
      else ok(Array.isArray(locations), "neither rows nor locations");
    },
  },
];
