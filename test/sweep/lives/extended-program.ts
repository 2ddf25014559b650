import { accountNamed, address, database, folderPolicy, type Lives, lives, objectPolicy } from "./program";

const own = 101;
const policyA = [{ access: "allow", action: ["update", "read"], condition: { svcUsers: [14], svcGroups: [4] } }];
const policyB = [{ access: "deny", action: ["all"], condition: { svcUsers: [14] } }];

const store = (name: string): string => `${own} data store ${name}`;
const group = (name: string): string => `${own} group ${name}`;

/** What lives with the extended API, each with its own objects. */
export const extendedLives: Lives = {
  address: {
    type: "WhitelistedIp",
    first: { ipCidr: "198.51.100.20", description: "office" },
    second: { ipCidr: "2001:DB8:0:0::14", description: "office" },
    importId: "2001:db8::14",
    leaves: [{ [address("198.51.100.20")]: "1" }, { [address("2001:db8::14")]: "1" }, {}],
  },
  addresses: {
    type: "IpWhitelist",
    first: { addresses: ["192.0.2.20", "192.0.2.21"] },
    second: { addresses: ["192.0.2.22", "192.0.2.20"] },
    leaves: [
      { [address("192.0.2.20")]: "1", [address("192.0.2.21")]: "1" },
      { [address("192.0.2.20")]: "1", [address("192.0.2.22")]: "1" },
      {},
    ],
  },
  store: {
    type: "DataStore",
    first: { name: "store", dbType: "postgresql", ...database },
    second: { name: "second store", dbType: "postgresql", ...database, dbPasswd: "life-rotated", port: 3306 },
    leaves: [{ [store("store")]: "1" }, { [store("second store")]: "1" }, {}],
  },
  account: {
    type: "Account",
    first: accountNamed("life"),
    second: { ...accountNamed("life"), computeSecretKey: "life-rotated" },
    leaves: [{ "account life": "1" }, { "account life": "1" }, { "account life": "1" }],
  },
  role: lives["role"]!,
  /** Has a policy, which destroy restores. */
  environment: objectPolicy("environment", "41", policyA, policyB),
  folderPolicy: folderPolicy("restore"),
  packages: lives["packages"]!,
  user: {
    type: "EnabledUser",
    first: { svcUserId: "16", onDestroy: "disable" },
    second: { svcUserId: "dora.disabled@acme.example", onDestroy: "disable" },
    leaves: [{ [`${own} user 16`]: "enabled" }, { [`${own} user 17`]: "enabled" }, {}],
  },
  spark: {
    type: "Command",
    first: { spark: { sql: "select 1" }, name: "killed life", onDestroy: "kill", triggers: ["1"] },
    second: { spark: { sql: "select 1" }, name: "killed life", onDestroy: "kill", triggers: ["2"] },
    leaves: [
      { [`${own} command killed life`]: "1" },
      { [`${own} command killed life`]: "2, 1 killed" },
      { [`${own} command killed life`]: "2, 2 killed" },
    ],
  },
  group: {
    type: "Group",
    first: { name: "reviewers", members: [14, "owner@acme.example"], roles: ["auditor"] },
    second: {
      name: "checkers",
      members: ["operator@acme.example", "owner@acme.example"],
      roles: ["data engineer", "data-reader"],
    },
    leaves: [
      { [group("reviewers")]: "members 14 20, roles 4" },
      { [group("checkers")]: "members 12 20, roles 1 2" },
      {},
    ],
  },
  emptyGroup: {
    type: "Group",
    first: { name: "nobody", members: [], roles: [] },
    second: { name: "nobody", members: ["guest@acme.example"], roles: [] },
    leaves: [{ [group("nobody")]: "members , roles " }, { [group("nobody")]: "members 13, roles " }, {}],
  },
  membership: {
    type: "GroupMembership",
    first: { group: "engineers", users: ["guest@acme.example", 20] },
    second: { group: "engineers", users: ["12", 20] },
    leaves: [{ [`${own} members of 5`]: "13 20" }, { [`${own} members of 5`]: "12 20" }, {}],
  },
  roleItself: {
    type: "Role",
    first: { name: "reporter", policies: [{ access: "allow", resource: "note", action: ["read", "create"] }] },
    second: {
      name: "author",
      policies: [
        { access: "allow", resource: "note", action: ["all"] },
        { access: "deny", resource: "cluster", action: ["delete"] },
      ],
    },
    leaves: [{ [`${own} role reporter`]: "1" }, { [`${own} role author`]: "2" }, {}],
  },
};
