import type { extendedRoles } from "../../switches/extended/roles";
import { type Probe, type Tester, timeless, watch } from "../tester";
import { xapi } from "./paths";

type Json = Record<string, unknown>;
const policies = JSON.stringify([
  { resource: "note", action: ["read"], access: "allow" },
  { resource: "command", action: ["update", "create"], access: "allow" },
  { resource: "all", action: ["all"], access: "deny" },
]);
const list = async (t: Tester, query: Record<string, string> = {}) => timeless(await t.get(xapi.roles, { query }));
const view = async (t: Tester, role: number | string = 1) => timeless(await t.get(xapi.role(role)));
const create = async (t: Tester, body: Json = {}) =>
  timeless(await t.post(xapi.roles, { name: "keeper", policies, ...body }));
const update = async (t: Tester, role: number | string, body: Json) => timeless(await t.put(xapi.role(role), body));
const remove = async (t: Tester, role: number | string) => timeless(await t.delete(xapi.role(role), {}));
const state = (t: Tester) => {
  const { roles, groups } = t.platform.state();
  return [roles.map(({ id, name, policy }) => [id, name, policy]), groups.map((group) => group.roles)];
};
const one = (element: Json) => JSON.stringify([element]);

export const extendedRoleProbes: Record<keyof typeof extendedRoles, Probe> = {
  roleList: (t) => list(t),
  roleListPages: async (t) => {
    for (let i = 0; i < 6; i += 1) await create(t, { name: `r${i}` });
    return [await list(t), await list(t, { page: "2" })];
  },
  roleListOrder: (t) => list(t),
  roleListPolicy: (t) => list(t),
  roleListSystem: (t) => list(t),
  roleListOdd: (t) => list(t),
  roleViewEnvelope: (t) => view(t),
  roleByName: async (t) => [(await view(t, "auditor")).status, (await update(t, "auditor", { name: "x" })).status],
  rolePolicy: (t) => view(t),
  rolePolicyKept: async (t) => {
    await create(t);
    return view(t, 101);
  },
  rolePolicyForm: async (t) => (await create(t, { policies: JSON.parse(policies) })).status,
  rolePolicyEmpty: async (t) => (await create(t, { policies: "[]" })).status,
  rolePolicyNoAction: async (t) => (await create(t, { policies: one({ resource: "all", access: "allow" }) })).status,
  rolePolicyNames: async (t) =>
    (await create(t, { policies: one({ resource: "moon", action: ["all"], access: "allow" }) })).status,
  roleFields: (t) => view(t),
  roleNameTaken: async (t) => [await create(t, { name: "auditor" }), state(t)],
  roleCreateAnswer: (t) => create(t),
  roleCreateDelay: async (t) => {
    await create(t);
    return watch(t, () => list(t));
  },
  roleUpdateAnswer: (t) => update(t, 1, { name: "reader" }),
  roleUpdateRest: async (t) => [await update(t, 1, { name: "reader" }), state(t)],
  roleSystemChange: async (t) => [await update(t, 91, { name: "x" }), await remove(t, 92), state(t)],
  roleDeleteAnswer: (t) => remove(t, 3),
  roleDeleteAssigned: async (t) => [await remove(t, 1), state(t)],
  roleGroupsForm: async (t) => timeless(await t.get(xapi.roleGroups(1))),
  roleGroupsNone: async (t) => timeless(await t.get(xapi.roleGroups(3))),
};
