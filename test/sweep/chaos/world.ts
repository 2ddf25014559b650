import type { Emulator, Seed } from "../../../emulator";
import { normaliseIp } from "../../../provider/values/ip-address";

/** The account for the random programs, with as many groups, notes, folders and so on as they may need. */
export const account = 1001;
export const token = "chaos-admin";

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export const ids = {
  user: (slot: number) => 10_000 + slot,
  group: (slot: number) => 20_000 + slot,
  role: (slot: number) => 30_000 + slot,
  environment: (slot: number) => 40_000 + slot,
  note: (slot: number) => 50_000 + slot,
  /** Folders with managed policies and renamed folders are distinct. */
  policyFolder: (slot: number) => 70_000 + slot,
  namedFolder: (slot: number) => 80_000 + slot,
};
export const roleCount = 6;
/** Names that would break a path, a query or a header without encoding. */
export const roleName = (slot: number) => `role ${slot}/../ä%2F?#`;
export const policyFolderAt = (slot: number) => `Common/team ${slot}/reports`;
const firstPolicy = [{ access: "allow" as const, action: ["read" as const], condition: { svc_groups: [201] } }];

export function world(slots: number): Seed {
  return {
    accounts: [
      {
        id: account,
        name: "Chaos",
        features: ["ip_whitelisting", "aggressive_downscaling", "catalog_name"],
        users: [
          { id: 101, user_id: 11, alias: "admin", email: "admin@chaos.example.com", token, groups: [201] },
          ...many(slots, (slot) => ({
            id: ids.user(slot),
            user_id: slot + 100,
            email: `user${slot}@chaos.example.com`,
            token: `chaos-user-${slot}`,
            status: slot % 2 === 0 ? ("disabled" as const) : ("pending" as const),
          })),
        ],
        groups: [
          { id: 201, name: "system-admin" },
          ...many(slots, (slot) => ({ id: ids.group(slot), name: `group-${slot}` })),
        ],
        roles: many(roleCount, (slot) => ({ id: ids.role(slot), name: roleName(slot) })),
        environments: many(slots, (slot) => ({
          id: ids.environment(slot),
          name: `environment ${slot}`,
          python_package: { numpy: "1.26.4" },
        })),
        objects: many(slots, (slot) => ({
          source_type: "note" as const,
          id: ids.note(slot),
          name: `note ${slot}`,
          policy: firstPolicy,
        })),
        folders: [
          ...many(slots, (slot) => ({
            id: ids.policyFolder(slot),
            name: "reports",
            location: policyFolderAt(slot),
            type: "notes" as const,
          })),
          ...many(slots, (slot) => ({
            id: ids.namedFolder(slot),
            name: "original",
            location: `Boards/${slot}/original`,
            type: "notebook_dashboards" as const,
          })),
        ],
        hiveTables: [
          {
            schema: "default",
            name: "ticks",
            columns: [{ name: "dt", type: "string" }],
            partitions: many(5, (day) => ({ dt: `2024-01-0${day + 1}` })),
          },
        ],
      },
    ],
    settings: { viewPolicyAs: "array", waitSeconds: 0, runSeconds: 0, outcomes: [], clock: { mode: "real", at: 0 } },
  };
}

/** The platform's content as flat facts: the value of each thing, or how often it exists. */
export type Facts = Map<string, string>;

/** As pip compares names. */
export const packageName = (name: string) => name.toLowerCase().replace(/[-_.]+/g, "-");

/** The account in the emulator's state. */
export const homeOf = (emulator: Emulator) =>
  emulator.state({ secrets: true }).accounts.find(({ id }) => id === account)!;

/** The facts in the emulator's state, including duplicates and leftovers. */
export function observe(emulator: Emulator): Facts {
  const home = homeOf(emulator);
  const facts: Facts = new Map();
  for (const { ip_cidr } of home.whitelist) count(facts, `whitelist ${normaliseIp(ip_cidr)}`);
  for (const { name, db_passwd } of home.dataStores) count(facts, `data store ${name} (${db_passwd})`);
  for (const { id, name } of emulator.state().accounts) if (id !== account) count(facts, `account ${name}`);
  for (const { name, tags } of home.commands) count(facts, `command ${name ?? tags.join(" ")}`);
  for (const { name, policies } of home.roles) facts.set(`role ${name}`, JSON.stringify(policies));
  for (const { id, name, roles } of home.groups) {
    facts.set(`group ${name}`, String(id));
    for (const role of roles) facts.set(`assigned ${id} ${role}`, "1");
  }
  for (const { id, policy } of home.objects) facts.set(`note ${id}`, JSON.stringify(policy));
  for (const { id, location, policy } of home.folders) {
    facts.set(`place ${id}`, location);
    facts.set(`folder ${id}`, JSON.stringify(policy));
  }
  for (const { id, status, groups } of home.users) {
    facts.set(`user ${id}`, status);
    for (const group of groups) facts.set(`member ${group} ${id}`, "1");
  }
  for (const { id, python_package: packages } of home.environments)
    for (const [name, version] of Object.entries(packages)) facts.set(`package ${id} ${packageName(name)}`, version);
  return facts;
}

export function count(facts: Facts, fact: string): void {
  facts.set(fact, String(Number(facts.get(fact) ?? 0) + 1));
}
