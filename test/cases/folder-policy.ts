import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import { type EmulatorState, type LifecycleCase, withExtendedApi } from "../harness/lifecycle";

export const policyOf = (state: EmulatorState, id: number): unknown =>
  state.accounts.find((account) => account.id === 1001)!.folders.find((folder) => folder.id === id)!.policy;

export const policy = [
  { access: "allow", action: ["read", "write"], condition: { svcUsers: [102], svcGroups: [204, 206] } },
  { access: "deny" },
];
export const args = { type: "notes", location: "Common/reports", policy };
const withElement = (element: unknown) => ({ ...args, policy: [element] });

export const life: LifecycleCase = {
  type: "FolderPolicy",
  args,
  present: (state, id) => {
    expect(policyOf(state, 701)).toEqual([
      { access: "allow", action: ["read", "write"], condition: { svc_users: [102], svc_groups: [204, 206] } },
      { access: "deny" },
    ]);
    expect(id).toBe("notes/Common/reports");
  },
  absent: (state) => expect([policyOf(state, 701), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
  changes: [
    {
      what: "ids and actions in another order",
      args: {
        ...args,
        policy: [
          { access: "allow", action: ["write", "read"], condition: { svcUsers: [102], svcGroups: [206, 204] } },
          { access: "deny" },
        ],
      },
      expect: "same",
      calls: { "folders.policy": 0 },
    },
    {
      what: "an undocumented action, and what destroy does",
      args: { ...args, policy: [{ access: "deny", action: ["all", "manage"] }], onDestroy: "clear" },
      expect: "update",
      calls: { "folders.policy": 1 },
      after: (state, { text }) => {
        expect(policyOf(state, 701)).toEqual([{ access: "deny", action: ["all", "manage"] }]);
        expect(text).toContain('the policy of folder Common/reports uses the action "manage"');
      },
    },
    {
      what: "another folder: the first is cleared",
      args: { type: "notebook_dashboards", location: "Common/boards", policy: [{ access: "deny" }], name: "boards" },
      expect: "replace",
      calls: { "folders.policy": 2 },
      after: (state) => expect([policyOf(state, 701), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
    },
  ],
  kept: "the policy of folder ID stays on the platform as last set",
  bad: [
    [withElement({ access: "deny", action: [""] }), "policy[0].action[0]", "is empty; expected an action"],
    [withElement({ access: "grant" }), "policy[0].access", 'one of "allow", "deny"'],
    [withElement({ access: "deny", actions: ["read"] }), "policy[0]", 'has no property "actions"'],
    [{ ...args, type: "note" }, "type", 'is "note"; expected one of "notes", "notebook_dashboards"'],
    [{ type: "notes", policy }, "location", "is required"],
    [{ ...args, location: "" }, "location", 'is empty; expected a location such as "Common/reports"'],
    [{ ...args, location: "/" }, "location", "does not name a folder"],
    [{ ...args, location: "a//b" }, "location", "contains an empty folder name"],
    [{ ...args, name: "" }, "name", "is empty; omit it"],
    [{ ...args, onDestroy: "revert" }, "onDestroy", "expected one of"],
    [
      { ...args, onDestroy: "restore" },
      "onDestroy",
      'is "restore", which needs the extended API; set dataplatform:extendedApi to true',
    ],
    [{ ...args, onDestroy: "set" }, "destroyPolicy", 'is required when onDestroy is "set"'],
    [{ ...args, destroyPolicy: policy }, "destroyPolicy", 'only when onDestroy is "set", but it is "keep"'],
  ],
  badLater: {
    args: { ...args, policy: [{ access: { $later: "grant" } }] },
    property: "policy[0].access",
    says: /policy\[0\]\.access .*expected one of/,
  },
  forbidden: { token: "powerless", says: "system-user or system-admin, or a user with manage permission on folders" },
};

const setBySomebody = (emulator: Emulator, elements: readonly object[]) =>
  request(emulator, "PUT", "/api/v1.2/folders/policy", {
    location: "Common/reports",
    source_type: "Folder",
    type: "notes",
    policy: JSON.stringify(elements),
  });
const earlier = [{ access: "allow", action: ["read"], condition: { svc_groups: [204] } }];

export const extended = withExtendedApi(life, {
  args: { ...args, onDestroy: "restore" },
  prepare: (emulator) => setBySomebody(emulator, earlier),
  absent: (state) => expect(policyOf(state, 701)).toEqual(earlier),
  drift: { make: (emulator) => setBySomebody(emulator, [{ access: "deny" }]) },
  changes: [
    {
      what: "another policy",
      args: { ...args, policy: [{ access: "deny", action: ["all"] }], onDestroy: "restore" },
      expect: "update",
      after: (state) => expect(policyOf(state, 701)).toEqual([{ access: "deny", action: ["all"] }]),
    },
  ],
  imported: { ...args, policy: [{ access: "deny", action: ["all"] }] },
});
