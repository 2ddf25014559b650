import { expect } from "vitest";
import { type LifecycleCase, replace, same, update, withExtendedApi } from "../harness/lifecycle";
import { policyOf, setPolicy } from "./folder-grant";

export const policy = [
  { access: "allow", action: ["read", "write"], condition: { svcUsers: [102], svcGroups: [204, 206] } },
  { access: "deny" },
];
export const onWire = [
  { access: "allow", action: ["read", "write"], condition: { svc_users: [102], svc_groups: [204, 206] } },
  { access: "deny" },
];
export const args = { type: "notes", location: "Common/reports", policy };
const withElement = (element: unknown) => ({ ...args, policy: [element] });

export const life: LifecycleCase = {
  type: "FolderPolicy",
  args,
  present: (state, id) => expect([policyOf(state), id]).toEqual([onWire, "notes/Common/reports"]),
  absent: (state) => expect([policyOf(state), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
  changes: [
    same(
      "ids and actions in another order",
      {
        ...args,
        policy: [
          { access: "allow", action: ["write", "read"], condition: { svcUsers: [102], svcGroups: [206, 204] } },
          { access: "deny" },
        ],
      },
      { "folders.policy": 0 },
    ),
    update(
      "an undocumented action, and what destroy does",
      { ...args, policy: [{ access: "deny", action: ["all", "manage"] }], onDestroy: "clear" },
      { "folders.policy": 1 },
      (state, { text }) => {
        expect(policyOf(state)).toEqual([{ access: "deny", action: ["all", "manage"] }]);
        expect(text).toContain('the policy of folder Common/reports uses the action "manage"');
      },
    ),
    replace(
      "another folder: the first is cleared",
      { type: "notebook_dashboards", location: "Common/boards", policy: [{ access: "deny" }], name: "boards" },
      { "folders.policy": 2 },
      (state) => expect([policyOf(state), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
    ),
  ],
  kept: "the policy of folder ID stays on the platform as last set",
  bad: [
    [withElement({ access: "deny", action: [""] }), "policy[0].action[0]", "is empty; expected an action"],
    [withElement({ access: "grant" }), "policy[0].access", 'one of "allow", "deny"'],
    [{ ...args, location: "" }, "location", 'is empty; expected a location such as "Common/reports"'],
    [{ ...args, name: "" }, "name", "is empty; omit it"],
    [{ ...args, onDestroy: "restore" }, "onDestroy", 'is "restore", which needs the extended API; set'],
    [{ ...args, onDestroy: "set" }, "destroyPolicy", 'is required when onDestroy is "set"'],
    [{ ...args, destroyPolicy: policy }, "destroyPolicy", 'only when onDestroy is "set", but it is "keep"'],
  ],
  badLater: { args: withElement({ access: { $later: "grant" } }), says: /policy\[0\]\.access .*expected one of/ },
  forbidden: { token: "powerless", says: "system-user or system-admin, or a user with manage permission on folders" },
};

export const earlier = [{ access: "allow", action: ["read"], condition: { svc_groups: [204] } }];

export const extended = withExtendedApi(life, {
  args: { ...args, onDestroy: "restore" },
  prepare: (emulator) => setPolicy(emulator, earlier),
  absent: (state) => expect(policyOf(state)).toEqual(earlier),
  drift: { make: (emulator) => setPolicy(emulator, [{ access: "deny" }]) },
  changes: [
    update(
      "another policy",
      { ...args, policy: [{ access: "deny", action: ["all"] }], onDestroy: "restore" },
      (state) => expect(policyOf(state)).toEqual([{ access: "deny", action: ["all"] }]),
    ),
  ],
  imported: { ...args, policy: [{ access: "deny", action: ["all"] }] },
});
