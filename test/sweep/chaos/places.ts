import type { Args, Draft, Drafts } from "./programs";
import type { Random } from "./random";
import { type Facts, ids, policyFolderAt, roleName } from "./world";

/** What the random programs are about, and how each thing may be declared: by itself, in a list, or in another spelling. */

interface Drawn {
  readonly random: Random;
  readonly extended: boolean;
  /** The areas that were drawn before. */
  readonly drafts: Drafts;
  /** Unique, for what stays on the platform. */
  readonly version: number;
}

export const email = (user: number) => `user${user}@chaos.example.com`;
/** Each of them with the same probability, perhaps none. */
export const some = <T>(random: Random, from: readonly T[]): T[] =>
  random.shuffled(from).slice(0, random.below(from.length + 1));

const addressesOf: readonly (readonly string[])[] = [
  ["203.0.113.1"],
  ["203.0.113.2", "203.0.113.2/32"],
  ["2001:db8::1", "2001:DB8:0:0:0:0:0:1", "2001:db8:0::0001"],
  ["198.51.100.0/24"],
  ["203.0.113.5"],
];
export const foreignAddress = "198.51.100.250";

const numberOrText = (random: Random, id: number) => (random.chance(0.5) ? id : String(id));
const spelledRole = (random: Random, role: number) => (random.chance(0.5) ? String(ids.role(role)) : roleName(role));
const spelledUser = (random: Random, user: number) =>
  random.pick([ids.user(user), String(ids.user(user)), email(user), email(user).replace("user", "User")]);

/** Names for the resources of an area, in any order, so that one that is gone gives its name to another. */
const names = (random: Random, prefix: string, most: number) =>
  random.shuffled(Array.from({ length: most }, (_, index) => `${prefix}-${index}`));

/** Divides things between resources of their own and two lists. */
function divided<T>(random: Random, things: readonly T[], share = 0.3): { single: T[]; lists: T[][] } {
  const [single, lists]: [T[], [T[], T[]]] = [[], [[], []]];
  for (const thing of things) {
    const where = random.next();
    if (where < 0.3) continue;
    if (where < 0.3 + share) single.push(thing);
    else lists[where < 0.85 ? 0 : 1].push(thing);
  }
  return { single, lists: lists.filter((list) => list.length > 0).map((list) => random.shuffled(list)) };
}

function addresses({ random, extended }: Drawn): Draft[] {
  const [alone, listed] = [names(random, "ip", 5), names(random, "list", 3)];
  const { single, lists } = divided(
    random,
    addressesOf.map((spellings) => random.pick(spellings)),
  );
  const adopt = () => random.chance(0.8);
  return [
    ...single.map((ipCidr) => {
      const description = extended && random.chance(0.5) ? { description: random.pick(["one", "two"]) } : {};
      return { name: alone.pop()!, type: "WhitelistedIp", args: { ipCidr, adopt: adopt(), ...description } };
    }),
    ...lists.map((list, index) => {
      const exclusive = index === 0 && random.chance(0.2);
      const keep = exclusive && random.chance(0.5) ? { keep: [foreignAddress] } : {};
      return {
        name: listed.pop()!,
        type: "IpWhitelist",
        args: { addresses: list, adopt: adopt(), exclusive, ...keep },
      };
    }),
  ];
}

function assigned({ random, extended, drafts }: Drawn): Draft[] {
  const alone = names(random, "assignment", 6);
  const made = drafts.roles.map(({ name }) => `@${name}`);
  // Nothing tells the two spellings apart without the extended API: a program must keep to one of them.
  const spelling = [0, 1, 2].map((role) => spelledRole(random, role));
  const spelled = (role: number) => (extended ? spelledRole(random, role) : spelling[role]!);
  const open = drafts.groups.filter(({ args }) => !args["roles"]).map(({ name }) => `@${name}`);
  const listed = names(random, "roles", 7);
  return [0, 1, ...open].flatMap((group): Draft[] => {
    const { single, lists } = divided(random, [...[0, 1, 2].map(spelled), ...made]);
    const id = () => (typeof group === "string" ? group : numberOrText(random, ids.group(group)));
    const inOneOrAnother = typeof group === "string" ? [[...lists.flat(), ...single]] : lists;
    return [
      ...(typeof group === "string" ? [] : single).flatMap((role) => {
        const name = alone.pop();
        return name ? [{ name, type: "GroupRoleAssignment", args: { groupId: id(), role } }] : [];
      }),
      ...inOneOrAnother.flatMap((roles, index) => {
        const name = listed.pop();
        if (!name || roles.length === 0) return [];
        const exclusive = extended && index === 0 && random.chance(0.15) ? { exclusive: true } : {};
        const groupId = typeof group === "number" && extended && random.chance(0.3) ? `group-${group}` : id();
        return [{ name, type: "GroupRoles", args: { groupId, roles, adopt: random.chance(0.7), ...exclusive } }];
      }),
    ];
  });
}

function members({ random, extended, drafts }: Drawn): Draft[] {
  if (!extended) return [];
  const listed = names(random, "members", 5);
  const open = drafts.groups.filter(({ args }) => !args["members"]).map(({ name }) => `@${name}`);
  return [0, 1, ...open].flatMap((group): Draft[] => {
    const { lists } = divided(random, [0, 2, 4], 0);
    const spelled = () => (typeof group === "string" ? group : random.pick([ids.group(group), `group-${group}`]));
    return lists.flatMap((list) => {
      const name = listed.pop();
      const users = list.map((user) => spelledUser(random, user));
      return name ? [{ name, type: "GroupMembership", args: { group: spelled(), users } }] : [];
    });
  });
}

const [reader, other] = [ids.user(0), ids.user(2)];
const policies = (action: string): object[][] => [
  [
    { access: "allow", action: ["read"], condition: { svcUsers: [reader] } },
    { access: "deny", action: ["all"], condition: { svcUsers: [reader] } },
  ],
  [{ access: "allow", action: ["read", action], condition: { svcGroups: [ids.group(0)] } }],
  [{ access: "allow", action: [action], condition: { svcUsers: [other], svcGroups: [ids.group(1)] } }],
  [],
];

/** The whole policy, or some grants, of two objects or folders. */
function documents(
  { random }: Drawn,
  kind: {
    readonly type: string;
    readonly action: string;
    readonly hasGrants: boolean;
    place(slot: number): Args;
    ending(): Args;
  },
): Draft[] {
  const [whole, granted] = [names(random, `${kind.type}-policy`, 3), names(random, `${kind.type}-grant`, 6)];
  return [0, 1].flatMap((slot): Draft[] => {
    const where = random.next();
    if (where < 0.2) return [];
    const args = kind.place(slot);
    if (where < 0.55 || !kind.hasGrants) {
      const policy = random.pick(policies(kind.action));
      return [{ name: whole.pop()!, type: `${kind.type}Policy`, args: { ...args, policy, ...kind.ending() } }];
    }
    const principals = [
      { user: reader },
      { user: String(other) },
      { group: ids.group(0) },
      { group: String(ids.group(1)) },
    ];
    const chosen = random.shuffled(principals).slice(0, 1 + random.below(3));
    return chosen.map((principal) => {
      const allow = random.pick([["read"], ["read", kind.action], [kind.action]]);
      const deny = random.chance(0.3) ? { deny: ["delete"] } : {};
      const given = { ...args, ...principal, allow, ...(kind.type === "Object" && deny), adopt: random.chance(0.7) };
      return { name: granted.pop()!, type: `${kind.type}Grant`, args: given };
    });
  });
}

function notes(drawn: Drawn): Draft[] {
  const { random } = drawn;
  return documents(drawn, {
    type: "Object",
    action: "update",
    hasGrants: true,
    place: (slot) => ({ sourceType: "note", sourceId: numberOrText(random, ids.note(slot)) }),
    ending: () => ({ onDestroy: random.pick(["restore", "restore", "clear", "keep"]) }),
  });
}

function folders(drawn: Drawn): Draft[] {
  const { random, extended } = drawn;
  return documents(drawn, {
    type: "Folder",
    action: "write",
    hasGrants: extended,
    place: (slot) => ({ type: "notes", location: policyFolderAt(slot) }),
    ending: () => {
      const onDestroy = random.pick(["keep", "clear", "set", ...(extended ? ["restore"] : [])]);
      const destroyPolicy = [{ access: "deny", action: ["all"], condition: { svcUsers: [other] } }];
      return { onDestroy, ...(onDestroy === "set" && { destroyPolicy }) };
    },
  });
}

function packages({ random }: Drawn): Draft[] {
  const listed = names(random, "packages", 4);
  return [0, 1].flatMap((slot) => {
    const { lists } = divided(random, ["polars", "dask", "Scikit_Learn"], 0);
    return lists.map((list) => ({
      name: listed.pop()!,
      type: "PackageSet",
      args: {
        envId: numberOrText(random, ids.environment(slot)),
        sourceType: "python_package",
        packages: list.map((one) => {
          const name = random.pick([one, one.toLowerCase().replace("_", "-")]);
          const version = random.pick([undefined, "1.0", "2.0"]);
          return version === undefined ? name : random.pick([{ name, version }, `${name}==${version}`]);
        }),
      },
    }));
  });
}

function users({ random, extended }: Drawn): Draft[] {
  const enabled = names(random, "enabled", 3);
  return [0, 1, 2]
    .filter(() => random.chance(0.6))
    .map((user) => ({
      name: enabled.pop()!,
      type: "EnabledUser",
      args: {
        svcUserId: random.pick([ids.user(user), String(ids.user(user)), email(user)]),
        ...(extended && { onDestroy: random.pick(["keep", "disable"]) }),
      },
    }));
}

/** What is made once, and mostly stays: its name says when. And a folder, which is renamed. */
function made({ random, version }: Drawn, old: readonly Draft[], facts: Facts): Draft[] {
  const argsOf: Record<string, () => Args> = {
    Account: () => ({ name: `account ${version}`, storageAccessKey: "key", storageSecretKey: "secret" }),
    DataStore: () => ({
      name: `store ${version}`,
      dbHost: "db.example.com",
      dbName: "base",
      dbPasswd: `password-${version}`,
    }),
    Command: () => ({ name: `command ${version}`, tableRefresh: { dbName: "default", hiveTable: "ticks" } }),
    PartitionSensor: () => ({ schema: "default", table: "ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] }),
    Folder: () => {
      const before = old.find(({ type }) => type === "Folder")?.args["location"];
      const location = before ?? facts.get(`place ${ids.namedFolder(0)}`);
      return { folderId: String(ids.namedFolder(0)), type: "notebook_dashboards", name: `board ${version}`, location };
    },
  };
  return Object.entries(argsOf).flatMap(([type, args]) => {
    const before = old.filter((one) => one.type === type);
    if (before.length > 0 && random.chance(0.6)) return before;
    return random.chance(0.5) ? [{ name: type.toLowerCase(), type, args: args() }] : [];
  });
}

export const thingsOf = {
  addresses,
  assigned,
  members,
  notes,
  folders,
  packages,
  users,
  made,
  spelledRole,
  spelledUser,
};
