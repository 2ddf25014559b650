import type { access } from "../switches/access";
import { api, at, type Probe, type Reply, statusAndBody, type Tester, watch } from "./tester";

type Json = Record<string, unknown>;
const element = (more: Json = {}) => ({
  access: "allow",
  action: ["update", "read"],
  condition: { svc_users: [14, 11] },
  ...more,
});
const note = (id: string) => ({ source_id: id, source_type: "note" });
const clean = ({ status, text }: Reply) => ({ status, text: text.replace(/\d{4}-\d\d-\d\dT[^"\\]*/g, "time") });
const view = async (t: Tester, id = "501") => clean(await t.send("GET", api.policy, note(id)));
const set = async (t: Tester, policy: unknown, id = "501") =>
  (await t.put(api.policy, { ...note(id), policy: typeof policy === "string" ? policy : JSON.stringify(policy) }))
    .status;
const setAndView = async (t: Tester, policy: unknown) => [await set(t, policy), await view(t)];
const roles = (t: Tester) => t.platform.state().groups.map((group) => group.roles.join());
const assign = async (t: Tester, group: number | string, role: number | string, body: unknown = {}) => [
  (await t.put(api.role(group, role, "assign"), body)).status,
  roles(t),
];
const account = {
  name: "sub",
  compute_type: "CUSTOMER_MANAGED",
  storage_type: "CUSTOMER_MANAGED",
  defloc: "bucket/sub",
};
const create = (t: Tester, more: Json = {}) => t.post(api.createAccount, { account: { ...account, ...more } });
const viewNew = async (t: Tester, more: Json = {}) => {
  const token = at((await create(t, more)).json, "authentication_token") as string;
  return clean(await t.get(api.account, { token }));
};
const users = async (t: Tester) => clean(await t.get(api.users)).text.replace(/"disabled_at":"[^"]*"/g, "off");
const enable = async (t: Tester, id: string) => [
  (await t.post(api.enable, { svc_user_id: id })).status,
  t.platform
    .state()
    .users.map((user) => user.state)
    .join(),
];

export const accessProbes: Record<keyof typeof access, Probe> = {
  policyForm: async (t) => (await t.put(api.policy, { ...note("501"), policy: [element()] })).status,
  policyEmpty: async (t) => [await set(t, []), t.platform.state().objects[0]?.policy],
  policyAccessAlone: (t) => set(t, [{ access: "deny" }]),
  policyNoCondition: (t) => set(t, [{ access: "deny", action: ["all"] }]),
  policyEmptyLists: (t) => set(t, [element({ condition: { svc_users: [] } })]),
  policyUserIds: async (t) => [
    await set(t, [element({ condition: { svc_users: [11] } })]),
    await set(t, [element({ condition: { svc_users: [1001] } })]),
  ],
  policyGroupIds: (t) => set(t, [element({ condition: { svc_groups: [51] } })]),
  policyIdTexts: (t) => setAndView(t, [element({ condition: { svc_users: ["11"] } })]),
  policyKept: (t) => setAndView(t, [element(), element({ action: ["all"] })]),
  setPolicyAnswer: async (t) =>
    statusAndBody(await t.put(api.policy, { ...note("501"), policy: JSON.stringify([element()]) })),
  policyView: (t) => view(t),
  policyViewNone: (t) => view(t, "502"),
  policyViewLists: (t) => view(t),
  policyViewOrder: async (t) => [
    await view(t),
    await setAndView(t, [element(), element({ action: ["all"] }), { access: "deny" }]),
  ],
  policyViewIds: (t) => view(t),
  policyViewAction: (t) => view(t),
  policyViewExtras: (t) => setAndView(t, [{ access: "deny" }]),
  policyViewSource: async (t) => (await t.get(api.policy, { query: note("501") })).status,
  policyDelay: async (t) => {
    await set(t, [element()]);
    return watch(t, () => view(t));
  },
  policyEnvironment: async (t) =>
    (await t.put(api.policy, { source_id: "42", source_type: "environment", policy: "[]" })).status,
  policySourceId: async (t) => (await view(t, "abc")).status,
  roleNumber: (t) => assign(t, 6, 4),
  roleCase: (t) => assign(t, 6, "AUDITOR"),
  roleSlash: (t) => assign(t, 6, "etl%2Fnightly"),
  roleAssigned: (t) => assign(t, 4, "data-reader"),
  roleNotAssigned: async (t) => (await t.put(api.role(6, 1, "unassign"), {})).status,
  roleBody: (t) => assign(t, 6, 1, { anything: 1 }),
  groupName: (t) => assign(t, "newcomers", 1),
  builtInGroups: (t) => assign(t, 1, 1),
  accountId: async (t) => at((await create(t)).json, "account_id"),
  accountAnswer: async (t) => (await create(t)).text,
  accountName: async (t) => (await create(t, { name: "acme" })).status,
  accountState: async (t) => at((await create(t)).json, "state"),
  accountTokenReady: async (t) => {
    const token = at((await create(t)).json, "authentication_token") as string;
    return watch(t, async () => (await t.get(api.account, { token })).status);
  },
  accountCredentialNames: async (t) => [
    (await create(t, { storage_access_key: "K" })).status,
    t.platform.state().accounts.at(-1)?.storageAccessKey,
  ],
  accountCredentials: async (t) => (await create(t, { acc_key: "BADKEY" })).status,
  accountStorage: (t) => viewNew(t),
  accountSecrets: async (t) => clean(await t.get(api.account)),
  accountRole: (t) => viewNew(t),
  accountTimeout: (t) => viewNew(t),
  accountDownscaling: async (t) => [
    (await create(t, { idle_cluster_timeout_in_secs: 300 })).status,
    t.platform.state().accounts.at(-1)?.created,
  ],
  usersEnvelope: (t) => users(t),
  usersShown: (t) => users(t),
  usersState: (t) => users(t),
  usersPages: (t) => users(t),
  usersEmailCase: (t) => users(t),
  usersOddEntry: (t) => users(t),
  pendingForm: async (t) => {
    const before = clean(await t.get(api.pending));
    for (const id of ["18", "19"]) await t.post(api.enable, { svc_user_id: id });
    return [before, clean(await t.get(api.pending))];
  },
  emailsForm: async (t) => clean(await t.get(api.emails)),
  emailsShown: async (t) => clean(await t.get(api.emails)),
  enableAnswer: async (t) => statusAndBody(await t.post(api.enable, { svc_user_id: "16" })),
  enableEnabled: (t) => enable(t, "11"),
  enablePending: (t) => enable(t, "18"),
  enableUserId: async (t) => [await enable(t, "15"), await enable(t, "1006")],
  enableEmailCase: (t) => enable(t, "Dana.Disabled@acme.example"),
  enableDelay: async (t) => {
    await enable(t, "16");
    return watch(t, async () => (await users(t)).includes("dirk"));
  },
};

export const accessCompany = {
  enableDelay: { usersShown: "enabled only" },
} as const;
