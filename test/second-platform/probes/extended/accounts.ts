import type { extendedAccounts } from "../../switches/extended/accounts";
import { api, type Probe, type Tester, timeless, watch } from "../tester";
import { xapi } from "./paths";

type Json = Record<string, unknown>;
const users = async (t: Tester) => timeless(await t.get(api.users));
const disable = async (t: Tester, id: string) => [
  timeless(await t.post(xapi.disable, { svc_user_id: id })),
  t.platform.state().users.map((user) => user.state),
];
const invite = async (t: Tester, more: Json = {}) => [
  timeless(await t.post(xapi.invite, { invitee_email: "New@acme.example", account: "101", ...more })),
  t.platform.state().users.map((user) => [user.email, user.state, user.groups]),
];
const edit = async (t: Tester, body: Json, path = api.account) => [
  timeless(await t.put(path, body)),
  timeless(await t.get(api.account)),
];
const keys = { acc_key: "K", secret: "S", defloc: "s3://b/p" };
const role = { access_mode: "IAM_ROLES", role_arn: "arn:x" };
const add = async (t: Tester, body: Json, path = xapi.whitelist2) => {
  const { status, text } = await t.post(path, { ip_cidr: "192.0.2.5", ...body });
  return [status, text, t.platform.state().whitelist.map((entry) => [entry.ip, entry.description])];
};
const lists = async (t: Tester) => [timeless(await t.get(api.whitelist)), timeless(await t.get(xapi.whitelist2))];

export const extendedAccountProbes: Record<keyof typeof extendedAccounts, Probe> = {
  userToken: async (t) => [await users(t), timeless(await t.get(api.users, { token: t.platform.tokens.systemUser }))],
  userGroups: async (t) => {
    await t.delete(xapi.group("analysts"));
    await t.put(xapi.memberChange(3, "13", "remove"), {});
    return users(t);
  },
  userFields: (t) => users(t),
  userName: (t) => users(t),
  disableAnswer: async (t) => (await disable(t, "13"))[0],
  disableDisabled: (t) => disable(t, "15"),
  disablePending: (t) => disable(t, "18"),
  disableSelf: (t) => disable(t, "admin@acme.example"),
  disableDelay: async (t) => {
    await disable(t, "13");
    return watch(t, () => users(t));
  },
  inviteAnswer: async (t) => (await invite(t))[0],
  inviteState: (t) => invite(t),
  inviteRepeat: (t) => invite(t, { invitee_email: "guest@acme.example" }),
  inviteGroups: (t) => invite(t, { groups: "analysts,nothing" }),
  inviteEmail: (t) => invite(t),
  inviteAccount: async (t) => [
    await invite(t, { account: 101 }),
    timeless(await t.post(xapi.invite, { invitee_email: "second@acme.example" })),
  ],
  accountEditAnswer: async (t) => (await edit(t, keys))[0],
  accountEditBody: async (t) => [
    await edit(t, role, xapi.account2),
    await edit(t, { account: { ...role, role_arn: "arn:y" } }, xapi.account2),
  ],
  accountEditCut: (t) => edit(t, { name: "renamed" }),
  accountEditKeys: (t) => edit(t, { secret: "S", storage_access_key: "other" }),
  accountEditEmpty: (t) => edit(t, {}),
  accountEditChecked: (t) => edit(t, { defloc: "s3://b/p" }),
  accountEditDelay: async (t) => {
    await t.put(api.account, keys);
    return watch(t, async () => timeless(await t.get(api.account)));
  },
  accountEmails: async (t) => [
    await edit(t, { notification_email_list: "a@x.example,b@x.example" }),
    await edit(t, { notification_email_list: ["c@x.example"] }),
  ],
  accountEditRole: (t) => edit(t, role),
  whitelistMessage2: (t) => add(t, {}),
  whitelistDescription: async (t) => {
    await add(t, { description: "office" });
    return lists(t);
  },
  whitelistDescriptionLong: (t) => add(t, { description: "d".repeat(256) }),
  whitelistDescription1: (t) => add(t, { description: "office" }, api.whitelist),
  whitelistRepeatDescription: (t) => add(t, { ip_cidr: "203.0.113.10", description: "office" }),
  whitelistDelete2: async (t) => timeless(await t.delete(`${xapi.whitelist2}/1`)),
};

export const accountCompany = {
  accountEditKeys: { accountEditChecked: "not checked" },
} as const;
