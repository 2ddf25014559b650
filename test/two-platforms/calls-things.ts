import { bodies, callOf, type Group, group, parameterFaults, queries } from "./calls";
import { operations } from "./operations";

const { dataStore, hive, sensor, sensorLong, addPackages, removePackages } = operations;
const store = (changes: object) => ({ ...dataStore.good, ...changes });
const gateway = { gateway_ip: "192.0.2.9", gateway_username: "u", gateway_private_key: "k" };

const dataStores: Group[] = [
  ...parameterFaults(dataStore, {
    ...dataStore.good,
    catalog_name: "sales",
    port: 3307,
    gateway_ip: "192.0.2.9",
    gateway_port: 22,
    gateway_username: "u",
    gateway_private_key: "k",
    skip_validation: true,
  }),
  ...bodies(dataStore, {
    "only host and database": { db_host: "h", db_name: "d" },
    "only a name": { name: "n" },
    "nothing at all": {},
    ...Object.fromEntries(
      ["vertica", "mongo", "postgresql", "redshift", "postgres", "snowflake", "oracle", "MySQL"].map((db_type) => [
        `db_type ${db_type}`,
        store({ db_type }),
      ]),
    ),
    ...Object.fromEntries(
      ["us-west-2", "ap-southeast-1", "eu-west-1", "on-premise", "us-east-2", "moon"].map((db_location) => [
        `db_location ${db_location}`,
        store({ db_location }),
      ]),
    ),
    "port 65535": store({ port: 65_535 }),
    "port 65536": store({ port: 65_536 }),
    "the default port": store({ port: 3306 }),
    "catalog_name of mysql": store({ catalog_name: "sales1" }),
    "catalog_name of postgresql": store({ catalog_name: "sales", db_type: "postgresql" }),
    "catalog_name of redshift": store({ catalog_name: "sales", db_type: "redshift" }),
    "catalog_name of mongo": store({ catalog_name: "sales", db_type: "mongo" }),
    "catalog_name of vertica": store({ catalog_name: "sales", db_type: "vertica" }),
    "catalog_name in upper case": store({ catalog_name: "Sales" }),
    "catalog_name with a hyphen": store({ catalog_name: "sa-les" }),
    "a gateway": store({ ...gateway, db_location: "on-premise" }),
    "a gateway with a port": store({ ...gateway, gateway_port: 2222, db_location: "on-premise" }),
    "a gateway in a region": store(gateway),
    "a gateway without a location": { db_host: "h", db_name: "d", ...gateway },
    "a gateway without its key": store({ ...gateway, gateway_private_key: undefined, db_location: "on-premise" }),
    "a gateway without its user": store({ ...gateway, gateway_username: undefined, db_location: "on-premise" }),
    "a gateway port alone": store({ gateway_port: 22, db_location: "on-premise" }),
    "a gateway port in a region": store({ gateway_port: 22 }),
    "no validation": store({ skip_validation: true }),
    "the name of the seed's data store": store({ name: "warehouse" }),
  }),
  group("dbTaps.create/twice", callOf(dataStore), callOf(dataStore)),
];

const hiveCalls: Group[] = [
  ...queries(hive, {
    "part of a name": { filter: "order" },
    "a whole name": { filter: "^orders$" },
    "another case": { filter: "ORDER" },
    "nothing that fits": { filter: "zzz" },
    "a glob": { filter: "*" },
    "an open bracket": { filter: "(" },
    "a dear expression": { filter: "(a+)+$" },
    "an empty filter": { filter: "" },
    "with columns": { describe: "true" },
    "some with columns": { filter: "^customers$", describe: "true" },
    "one with partitions, with columns": { filter: "^orders$", describe: "true" },
    "describe false": { describe: "false" },
    "describe 1": { describe: "1" },
    "describe TRUE": { describe: "TRUE" },
    "describe empty": { describe: "" },
  }),
  group("hive.list/filter in the body", callOf(hive, { body: { filter: "order" } })),
  group("hive.list/another schema", callOf(hive, { path: "/api/v1.2/hive/sales/" })),
];

const columns = (...list: unknown[]) => ({ ...sensor.good, columns: list });

const sensors: Group[] = [
  ...parameterFaults(sensor, { schema: "default", table: "orders", columns: [] }),
  ...bodies(sensorLong, { "an unknown table": { ...sensor.good, table: "nothing" } }),
  ...bodies(sensor, {
    "a partition that is not there": columns({ column: "dt", values: ["2030-01-01"] }),
    "two values": columns({ column: "dt", values: ["2024-01-01", "2024-01-02"] }),
    "two values, one there": columns({ column: "dt", values: ["2024-01-01", "2030-01-01"] }),
    "two columns": columns({ column: "dt", values: ["2024-01-01"] }, { column: "region", values: ["eu"] }),
    "the same column twice": columns(
      { column: "dt", values: ["2024-01-01"] },
      { column: "dt", values: ["2024-01-02"] },
    ),
    "values as text": columns({ column: "dt", values: "[2024-01-01, 2024-01-02]" }),
    "quoted values as text": columns({ column: "dt", values: "[\"2024-01-01\",'2024-01-02']" }),
    "values as bare text": columns({ column: "dt", values: "2024-01-01" }),
    "a number as value": columns({ column: "dt", values: [20240101] }),
    "true as value": columns({ column: "dt", values: [true] }),
    "null as value": columns({ column: "dt", values: [null] }),
    "no values": columns({ column: "dt", values: [] }),
    "an empty bracket": columns({ column: "dt", values: "[]" }),
    "an empty value as text": columns({ column: "dt", values: "[2024-01-01,]" }),
    "values missing": columns({ column: "dt" }),
    "values null": columns({ column: "dt", values: null }),
    "the column missing": columns({ values: ["2024-01-01"] }),
    "an empty column": columns({ column: "", values: ["2024-01-01"] }),
    "another field beside it": columns({ column: "dt", values: ["2024-01-01"], operator: "=" }),
    "a column that is text": columns("dt=2024-01-01"),
    "a column that does not exist": columns({ column: "colour", values: ["red"] }),
    "a column that is no partition": columns({ column: "id", values: ["1"] }),
    "an unknown table": { ...sensor.good, table: "nothing" },
    "an unknown schema": { ...sensor.good, schema: "nothing" },
    "another schema": { schema: "sales", table: "daily", columns: [{ column: "dt", values: ["2024-01-01"] }] },
    "a table of the other account": { ...sensor.good, table: "secrets" },
    "a table without partitions": { schema: "default", table: "customers", columns: [] },
    "a partition of a table without": { ...columns({ column: "dt", values: ["x"] }), table: "customers" },
    "another case": { ...sensor.good, table: "ORDERS" },
  }),
];

const environment = (id: string, add = true) => `/api/v1.2/package/${id}/${add ? "add" : "remove"}_packages`;
const python = (package_names: string) => ({ source_type: "python_package", package_names });
const r = (more: object) => ({ source_type: "r_package", ...more });
const url = "https://cran.example.com";

const packages: Group[] = [
  ...parameterFaults(addPackages, { source_type: "python_package", package_names: "scipy" }),
  ...parameterFaults(removePackages, { source_type: "python_package", package_names: "numpy" }),
  ...parameterFaults(
    { ...addPackages, name: "package.add R", good: r({ package_names: "ggplot2" }) },
    { repo_url: url, repo_packages: "[]" },
  ),
  ...bodies(addPackages, {
    "the latest version": python("scipy"),
    "two packages": python("scipy,torch==2.0"),
    "blanks around the names": python(" scipy , torch==2.0 "),
    "blanks around ==": python("scipy == 1.0"),
    "a package that is there": python("numpy==1.26.4"),
    "the latest of a package that is there": python("numpy"),
    "another version of a package that is there": python("numpy==2.0.0"),
    "a package that is there in other letters": python("NumPy==1.26.4"),
    "the same package twice": python("scipy==1.0,scipy==2.0"),
    "a final comma": python("scipy,"),
    "a version range": python("scipy>=1.0"),
    "a single =": python("scipy=1.0"),
    "no version after ==": python("scipy=="),
    "a name with a slash": python("a/b"),
    "a name with brackets": python("requests[socks]"),
    "a name that begins with a hyphen": python("-e"),
    "one good and one bad name": python("scipy,to rch"),
    "another source type": { source_type: "perl_package", package_names: "x" },
    "a repository for Python": { ...python("scipy"), repo_url: url },
    "repository packages for Python": { ...python("scipy"), repo_packages: `[{"name":"a","repo_url":"${url}"}]` },
    "R from a repository": r({ package_names: "ggplot2", repo_url: url }),
    "R repository packages": r({ repo_packages: `[{"name":"a","repo_url":"${url}"}]` }),
    "R repository packages and names": r({ package_names: "b", repo_packages: `[{"name":"a","repo_url":"${url}"}]` }),
    "an empty list of R repository packages": r({ repo_packages: "[]" }),
    "an R repository package with a version": r({ repo_packages: `[{"name":"a==1","repo_url":"${url}"}]` }),
    "an R repository package without an address": r({ repo_packages: '[{"name":"a"}]' }),
    "an R repository package with another field": r({ repo_packages: `[{"name":"a","repo_url":"${url}","x":1}]` }),
    "an R repository package at no address": r({ repo_packages: '[{"name":"a","repo_url":"cran"}]' }),
    "R repository packages as a list": r({ repo_packages: [{ name: "a", repo_url: url }] }),
    "R from no address": r({ package_names: "a", repo_url: "cran" }),
    "R with neither": r({}),
  }),
  ...bodies(removePackages, {
    "a package that is not there": python("torch"),
    "one that is there and one that is not": python("numpy,torch"),
    "the version that is there": python("numpy==1.26.4"),
    "another version than is there": python("numpy==9.9"),
    "other letters": python("NumPy"),
    "the other source type": r({ package_names: "numpy" }),
    "an R package": r({ package_names: "dplyr" }),
    "blanks around the names": python(" numpy , pandas "),
    "with a repository": { ...python("numpy"), repo_url: url },
  }),
  group("package.remove/in the query", callOf(removePackages, { body: undefined, query: python("numpy") })),
  group("package.remove/twice", callOf(removePackages), callOf(removePackages)),
  group("package.add/twice", callOf(addPackages), callOf(addPackages)),
  ...["99", "abc", "041", "41.0", "91"].flatMap((id) => [
    group(`package.add/environment ${id}`, callOf(addPackages, { path: environment(id) })),
    group(`package.remove/environment ${id}`, callOf(removePackages, { path: environment(id, false) })),
  ]),
  group(
    "package.add/a wrong body in an unknown environment",
    callOf(addPackages, { path: environment("99"), body: {} }),
  ),
];

export const thingCalls: readonly Group[] = [...dataStores, ...hiveCalls, ...sensors, ...packages];
