import { normaliseIp } from "../../../provider/values/ip-address";
import type { ResourceSpec } from "../../harness/stack";
import type { Args } from "../chaos/programs";
import { type Facts, policyText } from "./facts";

/** One resource and its whole life: created, changed, removed; and the resulting facts. */
export interface Life {
  readonly type: string;
  readonly first: Args;
  /** The second declaration: an update, or a replacement if the API has no update. */
  readonly second: Args;
  /** Import id while the second declaration exists; default: the id in the state. False: the API shows nothing to import. */
  readonly importId?: string | false;
  /** Changes to the facts after the first declaration, the second, and destroy. */
  readonly leaves: readonly [Changes, Changes, Changes];
}

type Changes = Readonly<Record<string, string | undefined>>;

const own = 101;
const policyA = [
  { access: "allow", action: ["update", "read"], condition: { svcUsers: [14, 11], svcGroups: [4] } },
  { access: "deny", action: ["all"], condition: { svcUsers: [14, 11], svcGroups: [4] } },
];
const policyB = [
  { access: "allow", action: ["read"], condition: { svcUsers: [11] } },
  { access: "deny", action: ["all"], condition: { svcUsers: [11] } },
];
const folderPolicyA = [{ access: "allow", action: ["read", "write"], condition: { svcGroups: [4] } }];
const folderPolicyB = [{ access: "deny" }];

/** The policy as the platform writes it. */
function sent(policy: unknown): string {
  const text = JSON.stringify(policy).replaceAll("svcUsers", "svc_users").replaceAll("svcGroups", "svc_groups");
  return policyText(JSON.parse(text));
}

/** Everything that the strictest reading of "mandatory" requires. */
const database = {
  dbHost: "db.acme.example",
  dbName: "sales",
  dbUser: "loader",
  dbPasswd: "life-password",
  dbLocation: "us-east-1",
} as const;

function accountNamed(name: string): Args {
  return {
    name,
    defloc: "s3://life/logs",
    awsRegion: "us-east-1",
    storageAccessKey: "LIFESTORAGEKEY",
    storageSecretKey: "life-storage-secret",
    computeAccessKey: "LIFECOMPUTEKEY",
    computeSecretKey: "life-compute-secret",
  };
}

const address = (ip: string): string => `${own} address ${normaliseIp(ip)}`;
const python = (environment: number, name: string): string => `${own} python_package ${environment} ${name}`;

/** By name. Each uses its own objects, so that all can run on one platform. */
export const lives: Readonly<Record<string, Life>> = {
  address: whitelistedIp("198.51.100.20", "2001:DB8:0:0::14", "2001:db8::14"),
  /** Only for platforms that accept ranges. */
  range: whitelistedIp("192.0.2.128/25", "2001:DB8:1::/48", "2001:db8:1::/48"),
  addresses: {
    type: "IpWhitelist",
    first: { addresses: ["192.0.2.20", "192.0.2.21", "2001:DB8::B0"] },
    second: { addresses: ["2001:db8::b0", "192.0.2.22", "192.0.2.20"] },
    importId: String(own),
    leaves: [
      { [address("192.0.2.20")]: "1", [address("192.0.2.21")]: "1", [address("2001:db8::b0")]: "1" },
      { [address("192.0.2.20")]: "1", [address("192.0.2.22")]: "1", [address("2001:db8::b0")]: "1" },
      {},
    ],
  },
  account: {
    type: "Account",
    first: { ...accountNamed("life"), apiVersion: "v2" },
    second: { ...accountNamed("second life"), apiVersion: "v1.2", idleSessionTimeout: 60 },
    leaves: [
      { "account life": "1" },
      { "account life": "1", "account second life": "1" },
      { "account life": "1", "account second life": "1" },
    ],
  },
  store: {
    type: "DataStore",
    first: { name: "store", ...database },
    second: { name: "second store", ...database, port: 3306 },
    importId: "302",
    leaves: [
      { [`${own} data store store`]: "1" },
      { [`${own} data store store`]: "1", [`${own} data store second store`]: "1" },
      { [`${own} data store store`]: "1", [`${own} data store second store`]: "1" },
    ],
  },
  role: {
    type: "GroupRoleAssignment",
    first: { groupId: 6, role: "data engineer" },
    second: { groupId: 6, role: "auditor" },
    importId: "6/auditor",
    leaves: [{ [`${own} group 6 newcomers`]: "2" }, { [`${own} group 6 newcomers`]: "4" }, {}],
  },
  roles: {
    type: "GroupRoles",
    first: { groupId: 4, roles: ["data engineer", "3"] },
    second: { groupId: 4, roles: ["3", "auditor"] },
    importId: false,
    leaves: [{ [`${own} group 4 analysts`]: "1 2 3" }, { [`${own} group 4 analysts`]: "1 3 4" }, {}],
  },
  /** Has a policy, which destroy restores. */
  notebook: objectPolicy("note", "501", policyA, policyB),
  /** Has no policy. */
  cluster: objectPolicy("cluster", "602", policyA, policyB),
  folderPolicy: folderPolicy(),
  packages: {
    type: "PackageSet",
    first: { envId: 42, sourceType: "python_package", packages: ["requests==2.0", "Scikit_Learn"] },
    second: { envId: 42, sourceType: "python_package", packages: ["polars", "requests==2.1"] },
    importId: "42/python_package",
    leaves: [
      { [python(42, "requests")]: "2.0", [python(42, "scikit-learn")]: "9.9.9" },
      { [python(42, "requests")]: "2.1", [python(42, "polars")]: "9.9.9" },
      {},
    ],
  },
  /** One of them is already installed. */
  presentPackages: {
    type: "PackageSet",
    first: { envId: 41, sourceType: "python_package", packages: ["numpy==1.26.4", "dask==1"] },
    second: { envId: 41, sourceType: "python_package", packages: ["numpy==1.26.4", "dask==2"] },
    leaves: [{ [python(41, "dask")]: "1" }, { [python(41, "dask")]: "2" }, { [python(41, "numpy")]: undefined }],
  },
  sensor: { ...sensor(60), importId: "default.orders/dt=2024-01-02" },
  /** Only for platforms that may never find a partition: gives up soon, which a slow machine must not do elsewhere. */
  hastySensor: sensor(3),
  user: {
    type: "EnabledUser",
    first: { svcUserId: "16" },
    second: { svcUserId: "dora.disabled@acme.example" },
    importId: "dora.disabled@acme.example",
    leaves: [
      { [`${own} user 16`]: "enabled" },
      { [`${own} user 16`]: "enabled", [`${own} user 17`]: "enabled" },
      { [`${own} user 16`]: "enabled", [`${own} user 17`]: "enabled" },
    ],
  },
  folder: {
    type: "Folder",
    first: { folderId: "33", type: "notes", name: "2025", location: "Common/reports/2024" },
    second: { folderId: "33", type: "notes", name: "2026", location: "Common/reports/2024" },
    importId: "notes/33",
    leaves: [
      { [`${own} folder 33 name`]: "2025" },
      { [`${own} folder 33 name`]: "2026" },
      { [`${own} folder 33 name`]: "2026" },
    ],
  },
  spark: command(
    { spark: { program: "print(1)", language: "python" }, tags: ["Life", " two "], macros: [{ d: "1" }] },
    "spark life",
  ),
  /** Only for platforms where commands end. */
  waited: command({ spark: { sql: "select 1" }, wait: { timeoutSeconds: 3, intervalSeconds: 1 } }, "waited life"),
  copy: command({ s3DistCp: { src: "s3://a/b", dest: "s3://c/d", srcPattern: ".*gz" } }, "copy life"),
  refresh: command({ tableRefresh: { dbName: "default", hiveTable: "orders", loaderStable: 1 } }, "refresh life"),
};

function whitelistedIp(first: string, second: string, importId: string): Life {
  const leaves = [{ [address(first)]: "1" }, { [address(importId)]: "1" }, {}] as const;
  return { type: "WhitelistedIp", first: { ipCidr: first }, second: { ipCidr: second }, importId, leaves };
}

function objectPolicy(sourceType: string, sourceId: string, before: object[], after: object[]): Life {
  const fact = `${own} ${sourceType} ${sourceId}`;
  return {
    type: "ObjectPolicy",
    first: { sourceType, sourceId, policy: before },
    second: { sourceType, sourceId, policy: after },
    importId: `${sourceType}/${sourceId}`,
    leaves: [{ [fact]: sent(before) }, { [fact]: sent(after) }, {}],
  };
}

function folderPolicy(): Life {
  const [before, after] = [folderPolicyA, folderPolicyB];
  const declared = { type: "notes", location: "Common/archive", onDestroy: "clear" };
  const fact = `${own} folder 32 policy`;
  return {
    type: "FolderPolicy",
    first: { ...declared, policy: before },
    second: { ...declared, policy: after },
    importId: "notes/Common/archive",
    leaves: [{ [fact]: sent(before) }, { [fact]: sent(after) }, {}],
  };
}

function sensor(timeoutSeconds: number): Life {
  const declared = (values: unknown) => ({ schema: "default", table: "orders", columns: [{ column: "dt", values }] });
  return {
    type: "PartitionSensor",
    first: { ...declared(["2024-01-01"]), wait: { timeoutSeconds, intervalSeconds: 1 } },
    second: declared("[2024-01-02]"),
    leaves: [{}, {}, {}],
  };
}

/** A new trigger submits it again; the history keeps both. */
function command(what: Args, name: string): Life {
  const fact = `${own} command ${name}`;
  return {
    type: "Command",
    first: { ...what, name, triggers: ["1"] },
    second: { ...what, name, triggers: ["2"] },
    leaves: [{ [fact]: "1" }, { [fact]: "2" }, { [fact]: "2" }],
  };
}

/** The program with each life's first or second declaration. */
export function programOf(names: readonly string[], which: "first" | "second"): Record<string, ResourceSpec> {
  return Object.fromEntries(names.map((name) => [name, { type: lives[name]!.type, args: { ...lives[name]![which] } }]));
}

/** The expected facts after a step: the initial ones, with the changes of the given lives. */
export function expectedFacts(before: Facts, names: readonly string[], step: 0 | 1 | 2): Facts {
  const facts = new Map(before);
  for (const name of names)
    for (const [fact, value] of Object.entries(lives[name]!.leaves[step]))
      if (value === undefined) facts.delete(fact);
      else facts.set(fact, value);
  return facts;
}
