import type { extendedGroups } from "../../switches/extended/groups";
import { api, type Probe, type Tester, timeless, watch } from "../tester";
import { xapi } from "./paths";

type Json = Record<string, unknown>;
const list = async (t: Tester, query: Record<string, string> = {}) => timeless(await t.get(xapi.groups, { query }));
const view = async (t: Tester, group: number | string = 4) => timeless(await t.get(xapi.group(group)));
const create = async (t: Tester, body: Json) => timeless(await t.post(xapi.groups, { name: "team", ...body }));
const update = async (t: Tester, group: number | string, body: Json) => timeless(await t.put(xapi.group(group), body));
const remove = async (t: Tester, group: number | string) => timeless(await t.delete(xapi.group(group)));
const users = async (t: Tester, group: number | string = 4) => timeless(await t.get(xapi.groupUsers(group)));
const change = async (t: Tester, who: string, verb: "add" | "remove" = "add", group: number | string = 6) =>
  timeless(await t.put(xapi.memberChange(group, who, verb), {}));
const state = (t: Tester) => {
  const { groups, users: all } = t.platform.state();
  return [groups.map(({ id, name, roles }) => [id, name, roles]), all.map((user) => [user.id, user.groups])];
};

export const extendedGroupProbes: Record<keyof typeof extendedGroups, Probe> = {
  groupList: (t) => list(t),
  groupListPages: async (t) => {
    for (let i = 0; i < 6; i += 1) await create(t, { name: `g${i}` });
    return [await list(t), await list(t, { page: "2" })];
  },
  groupListOrder: (t) => list(t),
  groupListBuiltIn: (t) => list(t),
  groupListOdd: (t) => list(t),
  groupFields: (t) => view(t),
  groupViewEnvelope: (t) => view(t),
  groupViewMembers: async (t) => [await view(t, 4), await view(t, 6)],
  groupViewKeys: (t) => view(t),
  groupByName: async (t) => [
    (await view(t, "analysts")).status,
    (await update(t, "analysts", { name: "x" })).status,
    (await users(t, 4)).status,
  ],
  groupNumber: async (t) => {
    await create(t, { name: "6" });
    await create(t, { name: "777" });
    return [await change(t, "13", "add", 6), await change(t, "14", "add", "777"), state(t)];
  },
  groupNameCase: async (t) => [await users(t, "ANALYSTS"), await create(t, { name: "Analysts" })],
  groupNameKept: async (t) => [await create(t, { name: " My Team " }), state(t)],
  groupNameTaken: async (t) => [await create(t, { name: "analysts" }), state(t)],
  groupCreateAnswer: (t) => create(t, {}),
  groupCreateDelay: async (t) => {
    await create(t, {});
    return watch(t, () => list(t));
  },
  groupLists: async (t) => [
    (await create(t, { name: "a", members: "11,12", roles: "1" })).status,
    (await create(t, { name: "b", members: ["admin@acme.example"], roles: ["auditor", 1] })).status,
    state(t),
  ],
  groupUpdateAnswer: (t) => update(t, 6, { name: "old hands" }),
  groupUpdateMembers: async (t) => [
    await update(t, 5, { members: "11" }),
    await update(t, 4, { members: "11", roles: "2" }),
    state(t),
  ],
  groupDeleteAnswer: (t) => remove(t, 6),
  groupDeleteMembers: async (t) => [await remove(t, 4), state(t)],
  groupDeleteBuiltIn: async (t) => [await remove(t, 1), await update(t, 1, { name: "x" })],
  memberIds: async (t) => [await change(t, "15"), await change(t, "1001"), state(t)],
  memberEmails: async (t) => [await change(t, "ana.lyst@acme.example"), state(t)],
  memberUnknown: async (t) => [
    await change(t, "11,999,12"),
    await create(t, { members: "13", roles: "nothing" }),
    state(t),
  ],
  memberPresent: (t) => change(t, "14", "add", 4),
  memberAbsent: (t) => change(t, "11", "remove", 4),
  memberDelay: async (t) => {
    await change(t, "11", "add", 4);
    return watch(t, () => users(t));
  },
  memberComma: async (t) => [await change(t, "11%2C12"), state(t)],
  removeUsersAnswer: (t) => change(t, "14", "remove", 4),
  groupUsersForm: (t) => users(t),
  groupUsersNone: (t) => users(t, 6),
  groupUsersShown: (t) => users(t, 3),
  groupUsersIds: (t) => users(t),
  groupRolesForm: async (t) => timeless(await t.get(xapi.groupRoles(5))),
  groupRolesDelay: async (t) => {
    await t.put(api.role(6, 1, "assign"), {});
    return watch(t, async () => timeless(await t.get(xapi.groupRoles(6))));
  },
  groupRolesNone: async (t) => timeless(await t.get(xapi.groupRoles(6))),
};

export const groupCompany = {
  groupViewKeys: { groupViewMembers: "ids" },
} as const;
