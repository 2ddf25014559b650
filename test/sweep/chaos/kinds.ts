import { latestVersion } from "../../../emulator/routes/packages";
import { normaliseIp } from "../../../provider/values/ip-address";
import type { Random } from "./random";
import { count, type Facts, ids, policyFolderAt, roleCount, roleName } from "./world";

export type Args = Readonly<Record<string, unknown>>;

/** What the model remembers besides the platform's facts: the policies found when they were first replaced. */
export type Memory = Map<string, string>;

interface Chance {
  readonly random: Random;
  readonly slot: number;
  /** Unique, to distinguish what stays on the platform. */
  readonly version: number;
  /** The current declaration, if any. */
  readonly before: Args | undefined;
  readonly facts: Facts;
  /** Maximum length of an IpWhitelist's address list. */
  readonly addressesPerList: number;
}

/** The model of one resource type: what can be declared, and the resulting facts on the platform. */
export interface Kind {
  readonly type: string;
  /** A declaration for one of the type's slots. */
  declare(chance: Chance): Args;
  /** Applies a change from one declaration to the next (or from or to none) to the facts. */
  settle(facts: Facts, slot: number, before: Args | undefined, after: Args | undefined, memory: Memory): void;
  /** The fact that a create with a lost answer may leave behind, if the API cannot tell. */
  readonly mayRepeat?: (args: Args) => string;
}

const address = ({ random, slot, version }: Pick<Chance, "random" | "slot" | "version">): string =>
  random.chance(0.5)
    ? `10.${slot >> 8}.${slot & 255}.${version & 255}`
    : `2001:DB8:${slot.toString(16)}:0:0:0:0:${(version & 0xffff).toString(16)}`;

const whitelistedIp: Kind = {
  type: "WhitelistedIp",
  declare: (chance) => ({ ipCidr: address(chance), ...(chance.random.chance(0.3) && { adopt: true }) }),
  settle(facts, _slot, before, after) {
    if (before) facts.delete(`whitelist ${normaliseIp(before["ipCidr"] as string)}`);
    if (after) facts.set(`whitelist ${normaliseIp(after["ipCidr"] as string)}`, "1");
  },
};

/** Many addresses as one resource: a change keeps most of them, adds some and removes some. */
const ipWhitelist: Kind = {
  type: "IpWhitelist",
  declare: ({ random, slot, before, addressesPerList: length }) => {
    const pool = Array.from({ length }, (_, host) => `172.${16 + slot}.${host >> 8}.${host & 255}`);
    const kept = new Set((before?.["addresses"] ?? []) as string[]);
    const next = pool.filter((one) => (before ? kept.has(one) !== random.chance(0.4) : random.chance(0.7)));
    return { addresses: next.length > 0 ? next : [pool[0]!] };
  },
  settle(facts, _slot, before, after) {
    for (const one of (before?.["addresses"] ?? []) as string[]) facts.delete(`whitelist ${normaliseIp(one)}`);
    for (const one of (after?.["addresses"] ?? []) as string[]) facts.set(`whitelist ${normaliseIp(one)}`, "1");
  },
};

const account: Kind = {
  type: "Account",
  declare: ({ random, slot, version }) => ({
    name: `account-${slot}-${version}`,
    apiVersion: random.pick(["v1.2", "v2"]),
    storageAccessKey: "key",
    storageSecretKey: `secret-${version}`,
  }),
  settle(facts, _slot, before, after) {
    if (after && after["name"] !== before?.["name"]) count(facts, `account ${after["name"]}`);
  },
  mayRepeat: ({ name }) => `account ${name}`,
};

const storeFact = ({ name, dbPasswd }: Args): string => `data store ${name} (${dbPasswd})`;

const dataStore: Kind = {
  type: "DataStore",
  declare: ({ random, slot, version }) => ({
    name: `store-${slot}-${version}`,
    dbType: random.pick(["mysql", "postgresql", "redshift"]),
    dbHost: "db.example.com",
    dbName: `base${slot}`,
    dbPasswd: `password-${version}`,
  }),
  settle(facts, _slot, before, after) {
    if (after && after["name"] !== before?.["name"]) count(facts, storeFact(after));
  },
  mayRepeat: storeFact,
};

/** With the extended API a data store is changed in place, and removed. */
const extendedDataStore: Kind = {
  ...dataStore,
  settle(facts, _slot, before, after) {
    if (before) count(facts, storeFact(before), -1);
    if (before && facts.get(storeFact(before)) === "0") facts.delete(storeFact(before));
    if (after) count(facts, storeFact(after));
  },
};

const groupRoleAssignment: Kind = {
  type: "GroupRoleAssignment",
  declare: ({ random, slot }) => {
    const role = random.below(roleCount);
    return { groupId: ids.group(slot), role: random.chance(0.5) ? roleName(role) : String(ids.role(role)) };
  },
  settle(facts, slot, _before, after) {
    const named = Array.from({ length: roleCount }, (_, role) => role).find(
      (role) => after?.["role"] === roleName(role) || after?.["role"] === String(ids.role(role)),
    );
    facts.set(`group ${ids.group(slot)}`, named === undefined ? "" : String(ids.role(named)));
  },
};

function randomPolicy(random: Random): { access: string; action: string[]; condition: object }[] {
  const svcUsers = random.some([101, 102, 103, 104]);
  const action = random.some(["read", "update", "delete", "manage"]);
  return [
    { access: "allow", action, condition: { svcUsers } },
    { access: "deny", action: ["all"], condition: { svcUsers } },
  ];
}

/** The policy as the platform writes it. */
function onPlatform(policy: unknown): string {
  return JSON.stringify(policy).replaceAll("svcUsers", "svc_users").replaceAll("svcGroups", "svc_groups");
}

const objectPolicy: Kind = {
  type: "ObjectPolicy",
  declare: ({ random, slot }) => ({
    sourceType: "note",
    sourceId: String(ids.note(slot)),
    policy: randomPolicy(random),
    onDestroy: random.pick(["restore", "restore", "clear", "keep"]),
  }),
  settle(facts, slot, before, after, memory) {
    const note = `note ${ids.note(slot)}`;
    if (after) {
      // The existing policy is only read if destroy must restore it.
      if (!before) memory.delete(note);
      if (!before && after["onDestroy"] === "restore") memory.set(note, facts.get(note)!);
      facts.set(note, onPlatform(after["policy"]));
    } else if (before?.["onDestroy"] === "clear") facts.set(note, "[]");
    else if (before?.["onDestroy"] === "restore") facts.set(note, memory.get(note) ?? facts.get(note)!);
  },
};

const folderPolicy: Kind = {
  type: "FolderPolicy",
  declare: ({ random, slot }) => {
    const onDestroy = random.pick(["keep", "clear", "set"]);
    return {
      type: "notes",
      location: policyFolderAt(slot),
      policy: randomPolicy(random),
      onDestroy,
      ...(onDestroy === "set" && { destroyPolicy: randomPolicy(random) }),
    };
  },
  settle(facts, slot, before, after) {
    const left = after?.["policy"] ?? (before?.["onDestroy"] === "set" ? before["destroyPolicy"] : []);
    if (!after && before?.["onDestroy"] === "keep") return;
    facts.set(`folder ${ids.policyFolder(slot)}`, `${policyFolderAt(slot)} ${onPlatform(left)}`);
  },
};

const packagePool = ["pyarrow", "Scikit_Learn", "requests", "polars", "xgboost", "dask", "lightgbm", "zstd"];

const packageSet: Kind = {
  type: "PackageSet",
  declare: ({ random, slot, version }) => ({
    envId: ids.environment(slot),
    sourceType: "python_package",
    packages: random
      .some(packagePool)
      .map((name) => (random.chance(0.3) ? name : `${name}==${1 + (version % 3)}.${random.below(3)}`)),
  }),
  settle(facts, slot, before, after) {
    const key = (name: string): string => `package ${ids.environment(slot)} ${name}`;
    for (const text of (before?.["packages"] ?? []) as string[]) facts.delete(key(text.split("==")[0]!));
    for (const text of (after?.["packages"] ?? []) as string[]) {
      const [name = "", version] = text.split("==");
      facts.set(key(name), version ?? latestVersion(name));
    }
  },
};

const partitionSensor: Kind = {
  type: "PartitionSensor",
  declare: ({ random, version }) => ({
    schema: "default",
    table: "ticks",
    columns: [{ column: "dt", values: [`2024-01-0${1 + random.below(5)}`] }],
    wait: version % 2 === 0,
  }),
  settle() {}, // a query leaves nothing on the platform
};

const enabledUser: Kind = {
  type: "EnabledUser",
  declare: ({ random, slot }) => ({
    svcUserId: random.chance(0.5) ? String(ids.user(slot)) : `User${slot}@chaos.example.com`,
  }),
  settle(facts, slot, _before, after) {
    if (after) facts.set(`user ${ids.user(slot)}`, "enabled");
  },
};

const folder: Kind = {
  type: "Folder",
  declare: ({ slot, version, before, facts }) => ({
    folderId: String(ids.namedFolder(slot)),
    type: "notebook_dashboards",
    name: `board ${version} of ${slot}`,
    location: before?.["location"] ?? facts.get(`folder ${ids.namedFolder(slot)}`)!.replace(" []", ""),
  }),
  settle(facts, slot, _before, after) {
    if (after) facts.set(`folder ${ids.namedFolder(slot)}`, `Boards/${slot}/${after["name"]} []`);
  },
};

const command: Kind = {
  type: "Command",
  declare: ({ random, slot, version }) => ({
    name: `command-${slot}-${version}`,
    ...random.pick([
      { spark: { sql: "select 1", language: "sql" } },
      { tableRefresh: { dbName: "default", hiveTable: "ticks" } },
      { s3DistCp: { src: "s3://chaos/in", dest: `s3://chaos/out-${slot}-${version}` } },
    ]),
  }),
  settle(facts, _slot, before, after) {
    if (after && after["name"] !== before?.["name"]) count(facts, `command ${after["name"]}`);
  },
  mayRepeat: ({ name }) => `command ${name}`,
};

export const kinds: readonly Kind[] = [
  whitelistedIp,
  ipWhitelist,
  account,
  dataStore,
  groupRoleAssignment,
  objectPolicy,
  folderPolicy,
  packageSet,
  partitionSensor,
  enabledUser,
  folder,
  command,
];

/** Those that live differently with the extended API. */
export const extendedKinds: readonly Kind[] = [extendedDataStore];
