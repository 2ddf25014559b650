import type { Command, PlatformState, User, UserState } from "./model";
import { seedThings } from "./seed-things";

/** The account most tests work in, and another whose ids partly coincide with it. */
export const accountIds = { own: 101, other: 202 } as const;

export const tokens = {
  admin: "second-token-admin",
  powerless: "second-token-powerless",
  otherAccount: "second-token-other-account",
} as const;

const own = accountIds.own;
const other = accountIds.other;
const day = 86_400_000;

function user(
  id: number,
  userId: number,
  accountId: number,
  email: string,
  groups: number[],
  state: UserState = "enabled",
  token = `second-token-unused-${id}`,
): User {
  const name = (email.split("@")[0] ?? "").replace(/[.]/g, " ");
  return { id, userId, accountId, email, name, state, groups, token };
}

function users(): User[] {
  return [
    user(11, 1001, own, "admin@acme.example", [1, 3], "enabled", tokens.admin),
    user(12, 1002, own, "operator@acme.example", [2, 3]),
    user(13, 1003, own, "guest@acme.example", [3], "enabled", tokens.powerless),
    user(14, 1004, own, "Ana.Lyst@acme.example", [3, 4]),
    // The id of each of these two is the user_id of the other, so that confusing them enables the wrong one.
    user(15, 17, own, "dana.disabled@acme.example", [3], "disabled"),
    user(16, 1006, own, "dirk.disabled@acme.example", [3], "disabled"),
    user(17, 15, own, "dora.disabled@acme.example", [3], "disabled"),
    user(18, 1008, own, "petra.pending@acme.example", [], "pending"),
    user(19, 1009, own, "paul.pending@acme.example", [], "pending"),
    user(20, 1010, own, "owner@acme.example", [3]),
    user(21, 1011, own, "folder.manager@acme.example", [3]),
    user(51, 2001, other, "admin@other.example", [51, 53], "enabled", tokens.otherAccount),
    user(52, 2002, other, "disabled@other.example", [53], "disabled"),
  ];
}

function command(id: number, accountId: number, userId: number, age: number, more: Partial<Command>): Command {
  return {
    id,
    uid: userId,
    accountId,
    userId,
    commandType: "SparkCommand",
    command: { program: "print(1)", language: "python" },
    parameters: {},
    tags: [],
    name: null,
    label: null,
    pool: null,
    timeout: null,
    template: null,
    macros: null,
    createdAt: Date.now() - age,
    seen: 0,
    shown: { reads: 0, at: 0 },
    tagsShown: { reads: 0, at: 0 },
    ...more,
  };
}

const account = (id: number, name: string) => ({
  id,
  name,
  storageLocation: `s3://${name}-bucket/logs`,
  storageAccessKey: `STORAGEKEY${id}`,
  storageSecretKey: `storage-secret-${id}`,
  computeAccessKey: `COMPUTEKEY${id}`,
  computeSecretKey: `compute-secret-${id}`,
  idleSessionTimeout: null,
  created: null,
});

function whitelist(): PlatformState["whitelist"] {
  const entry = (id: number, accountId: number, ip: string) => {
    const createdAt = Date.now() - 9 * day + id * 1000;
    return { id, accountId, ip, createdAt, updatedAt: createdAt, shown: { reads: 0, at: 0 } };
  };
  return [
    entry(1, own, "203.0.113.10"),
    entry(2, own, "198.51.100.7"),
    entry(3, own, "2001:DB8::A"),
    // The same ids as above, in the other account; one address is listed in both.
    entry(1, other, "192.0.2.1"),
    entry(2, other, "203.0.113.10"),
  ];
}

export function seed(): PlatformState {
  return {
    accounts: [account(own, "acme"), account(other, "other")],
    users: users(),
    groups: [
      { id: 1, accountId: own, name: "system-admin", roles: [] },
      { id: 2, accountId: own, name: "system-user", roles: [] },
      { id: 3, accountId: own, name: "everyone", roles: [] },
      { id: 4, accountId: own, name: "analysts", roles: [1] },
      { id: 5, accountId: own, name: "engineers", roles: [1, 2] },
      { id: 6, accountId: own, name: "newcomers", roles: [] },
      { id: 51, accountId: other, name: "system-admin", roles: [] },
      { id: 52, accountId: other, name: "system-user", roles: [] },
      { id: 53, accountId: other, name: "everyone", roles: [] },
    ],
    roles: [
      {
        id: 1,
        accountId: own,
        name: "data-reader",
        permissions: ["viewing Hive tables", "viewing the command history"],
      },
      { id: 2, accountId: own, name: "data engineer", permissions: ["submitting a command", "creating a sensor"] },
      { id: 3, accountId: own, name: "etl/nightly", permissions: ["submitting a command"] },
      { id: 4, accountId: own, name: "auditor", permissions: ["viewing an account's details"] },
      // A name that is another role's id.
      { id: 5, accountId: own, name: "4", permissions: ["enabling users"] },
      { id: 51, accountId: other, name: "data-reader", permissions: ["viewing Hive tables"] },
      { id: 52, accountId: other, name: "foreign-role", permissions: [] },
    ],
    whitelist: whitelist(),
    commands: [
      command(4001, own, 1001, 40 * day, { name: "old one", tags: ["old"] }),
      command(4002, own, 1001, 3 * day, { name: "nightly", tags: ["nightly", "etl"], label: "spark" }),
      command(4003, own, 1004, 2 * day, { name: "of the analyst", tags: ["adhoc"] }),
      command(4004, own, 1001, day, { name: "untagged" }),
      command(4005, other, 2001, day, { name: "of the other account", tags: ["nightly"] }),
    ],
    ...seedThings(own, other),
    sensors: [],
    counters: {
      [`whitelist of ${own}`]: 3,
      [`whitelist of ${other}`]: 2,
      account: 300,
      user: 100,
      group: 100,
      role: 100,
      command: 5000,
      "data store": 301,
    },
  };
}
