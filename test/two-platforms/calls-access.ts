import { bodies, callOf, type Group, group, parameterFaults } from "./calls";
import { operations } from "./operations";

const { renameFolder, folderPolicy, createAccount, createAccountV2, viewAccount, users, pendingUsers, emails } =
  operations;
const { enableUser, assignRole, unassignRole, setPolicy, viewPolicy } = operations;

const rename = (changes: object) => ({ ...renameFolder.good, ...changes });
const ofFolder = (changes: object) => ({ ...folderPolicy.good, ...changes });

const folders: Group[] = [
  ...parameterFaults(renameFolder, renameFolder.good),
  ...parameterFaults(folderPolicy, { ...folderPolicy.good, name: "archive" }),
  ...bodies(renameFolder, {
    "an unknown id": rename({ folder_id: "99" }),
    "an id of the other account": rename({ folder_id: "82", location: "Common/elsewhere" }),
    "another location": rename({ location: "Common/archive" }),
    "a location that does not exist": rename({ location: "Common/nothing" }),
    "slashes around the location": rename({ location: "/Common/reports/" }),
    "another type": rename({ type: "notebook_dashboards" }),
    "an unknown type": rename({ type: "folders" }),
    "a dashboard folder": rename({ folder_id: "34", type: "notebook_dashboards" }),
    "the name it has": rename({ name: "reports" }),
    "a name that is taken": rename({ name: "archive" }),
    "a name taken among dashboards only": {
      name: "reports",
      folder_id: "32",
      location: "Common/archive",
      type: "notebook_dashboards",
    },
    "a name with a slash": rename({ name: "a/b" }),
    "a name of blanks": rename({ name: "  " }),
  }),
  ...bodies(folderPolicy, {
    "an unknown location": ofFolder({ location: "Common/nothing" }),
    "a location of the other account": ofFolder({ location: "Common/elsewhere" }),
    "slashes around the location": ofFolder({ location: "/Common/archive/" }),
    "another type": ofFolder({ type: "notebook_dashboards" }),
    "an unknown type": ofFolder({ type: "folders" }),
    "another source_type": ofFolder({ source_type: "note" }),
    "the folder's name beside it": ofFolder({ name: "archive" }),
    "another name beside it": ofFolder({ name: "other" }),
    "the location of two types, no type": { location: "Common/reports", source_type: "Folder", policy: "[]" },
  }),
  group("folders.rename/twice", callOf(renameFolder), callOf(renameFolder)),
  group(
    "folders.policy/by one who manages it",
    callOf(folderPolicy, { body: ofFolder({ location: "Common/reports" }), as: "folderManager" }),
  ),
  group("folders.policy/by one who manages another", callOf(folderPolicy, { as: "folderManager" })),
  group(
    "folders.policy/by one who is denied managing",
    callOf(folderPolicy, {
      body: ofFolder({
        policy: JSON.stringify([
          { access: "deny", action: ["manage"], condition: { svc_users: [13] } },
          { access: "allow", action: ["manage"], condition: { svc_groups: [3] } },
        ]),
      }),
    }),
    callOf(folderPolicy, { as: "powerless" }),
  ),
  group(
    "folders.policy/by one who may do all",
    callOf(folderPolicy, {
      body: ofFolder({ policy: '[{"access":"allow","action":["all"],"condition":{"svc_users":[13]}}]' }),
    }),
    callOf(folderPolicy, { as: "powerless" }),
  ),
];

/** Policies as elements; strings are sent verbatim. */
const policies: Readonly<Record<string, unknown>> = {
  "no element": [],
  "access alone": [{ access: "allow" }],
  "no access": [{ action: ["read"], condition: { svc_users: [14] } }],
  "another access": [{ access: "permit", action: ["read"], condition: { svc_users: [14] } }],
  "no condition": [{ access: "allow", action: ["read"] }],
  "no action": [{ access: "allow", condition: { svc_users: [14] } }],
  "an empty action": [{ access: "allow", action: [], condition: { svc_users: [14] } }],
  "an action as text": [{ access: "allow", action: "read", condition: { svc_users: [14] } }],
  "every action": [
    { access: "allow", action: ["read", "update", "delete", "manage", "all"], condition: { svc_users: [14] } },
  ],
  "the action write": [{ access: "allow", action: ["write"], condition: { svc_users: [14] } }],
  "an unknown action": [{ access: "allow", action: ["fly"], condition: { svc_users: [14] } }],
  "an empty condition": [{ access: "allow", action: ["read"], condition: {} }],
  "empty lists": [{ access: "allow", action: ["read"], condition: { svc_users: [], svc_groups: [] } }],
  "groups only": [{ access: "deny", action: ["all"], condition: { svc_groups: [4, 3] } }],
  "ids as text": [{ access: "allow", action: ["read"], condition: { svc_users: ["14"] } }],
  "an id that is a fraction": [{ access: "allow", action: ["read"], condition: { svc_users: [1.5] } }],
  "ids that do not exist": [{ access: "allow", action: ["read"], condition: { svc_users: [999], svc_groups: [999] } }],
  "a list that is null": [{ access: "allow", action: ["read"], condition: { svc_users: null } }],
  "an action that is null": [{ access: "allow", action: null, condition: { svc_users: [14] } }],
  "a condition that is null": [{ access: "allow", action: ["read"], condition: null }],
  "another field": [{ access: "allow", action: ["read"], condition: { svc_users: [14] }, note: "x" }],
  "another field in the condition": [
    { access: "allow", action: ["read"], condition: { svc_users: [14], svc_roles: [1] } },
  ],
  "allow, then deny all": [
    { access: "allow", action: ["read"], condition: { svc_users: [14] } },
    { access: "deny", action: ["all"], condition: { svc_users: [14] } },
  ],
  "an object instead of a list": {},
  "not JSON": "[{",
  "JSON encoded twice": '"[]"',
};
const encoded = (policy: unknown) => (typeof policy === "string" ? policy : JSON.stringify(policy));

const object = (source_type: string, source_id: string) => ({ source_type, source_id });
const viewOf = (name: string, source: object): Group =>
  group(`objectPolicy.view/${name}`, callOf(viewPolicy, { body: source }));
const setOf = (name: string, source: object): Group =>
  group(`objectPolicy.set/${name}`, callOf(setPolicy, { body: { ...setPolicy.good, ...source } }));

const objectPolicies: Group[] = [
  ...parameterFaults(setPolicy, setPolicy.good),
  ...parameterFaults(viewPolicy, viewPolicy.good),
  ...Object.entries(policies).flatMap(([name, policy]) => [
    group(
      `objectPolicy.set/${name}`,
      callOf(setPolicy, { body: { ...setPolicy.good, policy: encoded(policy) } }),
      callOf(viewPolicy, { body: object("note", "502") }),
    ),
    group(`folders.policy/${name}`, callOf(folderPolicy, { body: ofFolder({ policy: encoded(policy) }) })),
  ]),
  setOf("a policy that is a list", { policy: [] }),
  ...(
    [
      "cluster 602",
      "scheduler 702",
      "environment 42",
      "note 99",
      "cluster 502",
      "note 901",
      "note abc",
      "note 0502",
      "folder 31",
      "Note 502",
    ] as const
  ).flatMap((which) => {
    const [type = "", id = ""] = which.split(" ");
    return [setOf(which, object(type, id)), viewOf(which, object(type, id))];
  }),
  ...["cluster 601", "scheduler 701", "environment 41", "note 502"].map((which) => {
    const [type = "", id = ""] = which.split(" ");
    return viewOf(`${which} of the seed`, object(type, id));
  }),
  group("objectPolicy.view/in the query", callOf(viewPolicy, { body: undefined, query: viewPolicy.good })),
  group("objectPolicy.set/by the owner of it", callOf(setPolicy, { as: "owner" })),
  group(
    "objectPolicy.set/by the owner, wrong",
    callOf(setPolicy, { body: { ...setPolicy.good, policy: "[" }, as: "owner" }),
  ),
  group(
    "objectPolicy.set/by the owner, of nothing",
    callOf(setPolicy, { body: { ...setPolicy.good, source_id: "99" }, as: "owner" }),
  ),
];

const fresh = (changes: object, operation: typeof createAccount | typeof createAccountV2 = createAccount) => ({
  account: { ...operation.good.account, ...changes },
});
const accountValues = {
  level: "free",
  compute_type: "CUSTOMER_MANAGED",
  storage_type: "CUSTOMER_MANAGED",
  CacheQuotaSizeInGB: 30,
  idle_cluster_timeout: 3,
  idle_cluster_timeout_in_secs: 600,
  sub_account_creation: true,
};

const accounts: Group[] = [
  ...parameterFaults(createAccount, { ...createAccount.good.account, ...accountValues }, "account"),
  ...parameterFaults(createAccountV2, { storage_access_key: "a", storage_secret_key: "b", name: "fresh" }, "account"),
  ...parameterFaults(createAccount, { account: {} }),
  ...bodies(createAccount, {
    "a name alone": { account: { name: "fresh" } },
    "without the envelope": createAccount.good.account,
    "the name of another account": fresh({ name: "acme" }),
    "credentials of v2": { account: createAccountV2.good.account },
    "an unknown field": fresh({ colour: "red" }),
    "another level": fresh({ level: "enterprise" }),
    "another compute_type": fresh({ compute_type: "MANAGED" }),
    "another region": fresh({ aws_region: "moon-1" }),
    "every limit": fresh({ idle_cluster_timeout: 6, idle_cluster_timeout_in_secs: 300, idle_session_timeout: 10_800 }),
    "idle_cluster_timeout 7": fresh({ idle_cluster_timeout: 7 }),
    "idle_cluster_timeout_in_secs 299": fresh({ idle_cluster_timeout_in_secs: 299 }),
    "idle_session_timeout 10801": fresh({ idle_session_timeout: 10_801 }),
    "a cache of a million": fresh({ CacheQuotaSizeInGB: 1_000_000 }),
  }),
  ...bodies(createAccountV2, {
    "credentials of v1.2": { account: createAccount.good.account },
    "a name alone": { account: { name: "fresh" } },
  }),
  ...[createAccount, createAccountV2].flatMap((operation) => [
    group(`${operation.name}/and view`, callOf(operation), callOf(viewAccount, { as: "the new account" })),
    group(
      `${operation.name}/a name alone, and view`,
      callOf(operation, { body: { account: { name: "fresh" } } }),
      callOf(viewAccount, { as: "the new account" }),
    ),
    group(`${operation.name}/and list its users`, callOf(operation), callOf(users, { as: "the new account" })),
    group(`${operation.name}/twice`, callOf(operation), callOf(operation)),
  ]),
];

const enable = (svc_user_id: unknown) => callOf(enableUser, { body: { svc_user_id } });

const userCalls: Group[] = [
  ...parameterFaults(enableUser, enableUser.good),
  ...Object.entries({
    "by id": "16",
    "by e-mail": "dirk.disabled@acme.example",
    "by e-mail in other letters": "DIRK.disabled@acme.example",
    "by user_id": "1006",
    "by an id that is another's user_id": "15",
    "one who is enabled": "12",
    "one who is pending": "18",
    "one who is pending, by e-mail": "petra.pending@acme.example",
    "an unknown id": "999",
    "an unknown e-mail": "nobody@acme.example",
    "one of the other account": "52",
    "by a name": "dirk disabled",
    "blanks around": " 16 ",
    "a leading zero": "016",
  }).map(([name, id]) => group(`accounts.enable_svc_user/${name}`, enable(id))),
  group("accounts.enable_svc_user/twice", enable("16"), enable("16")),
  group("accounts.enable_svc_user/and list", enable("16"), callOf(users)),
  group(
    "accounts.enable_svc_user/a pending one, and list",
    enable("18"),
    callOf(pendingUsers),
    callOf(users),
    callOf(emails),
  ),
];

const role = (groupId: string, roleId: string, how = "assign") => ({
  path: `/api/v1.2/groups/${groupId}/roles/${roleId}/${how}`,
});

const roles: Group[] = [
  ...(
    [
      "6 1",
      "6 data-reader",
      "6 data%20engineer",
      "6 etl%2Fnightly",
      "6 4",
      "6 Data-Reader",
      "6 99",
      "6 nothing",
      "6 51",
      "6 foreign-role",
      "06 1",
      "99 1",
      "51 1",
      "newcomers 1",
      "1 1",
      "3 1",
      "5 1",
      "6 01",
    ] as const
  ).flatMap((which) => {
    const [of = "", one = ""] = which.split(" ");
    return [
      group(`groups.assign/group ${of}, role ${one}`, callOf(assignRole, role(of, one))),
      group(`groups.unassign/group ${of}, role ${one}`, callOf(unassignRole, role(of, one, "unassign"))),
    ];
  }),
  group("groups.assign/twice", callOf(assignRole), callOf(assignRole)),
  group("groups.unassign/twice", callOf(unassignRole), callOf(unassignRole)),
  group("groups.assign/and unassign", callOf(assignRole), callOf(unassignRole, role("6", "2", "unassign"))),
  group(
    "groups.assign/takes effect at once",
    callOf(assignRole, role("3", "2")),
    callOf(operations.spark, { as: "powerless" }),
    callOf(unassignRole, role("3", "2", "unassign")),
    callOf(operations.spark, { as: "powerless" }),
  ),
];

export const accessCalls: readonly Group[] = [...folders, ...objectPolicies, ...accounts, ...userCalls, ...roles];
