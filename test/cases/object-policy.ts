import { expect } from "vitest";
import { type BadInput, type LifecycleCase, replace, same, update, withExtendedApi } from "../harness/lifecycle";
import { found as inSeed, policyOf, setPolicy } from "./object-grant";

export const found = [inSeed];

export const policy = [
  { access: "allow", action: ["read", "update"], condition: { svcUsers: [102, 104], svcGroups: [204] } },
  { access: "deny", action: ["all"], condition: { svcUsers: [102, 104], svcGroups: [204] } },
];
export const onWire = [
  { access: "allow", action: ["read", "update"], condition: { svc_users: [102, 104], svc_groups: [204] } },
  { access: "deny", action: ["all"], condition: { svc_users: [102, 104], svc_groups: [204] } },
];
export const args = { sourceType: "note", sourceId: "501", policy };
const badElement = (element: unknown, property: string, says: string): BadInput => [
  { ...args, policy: [policy[0], element] },
  `policy[1].${property}`,
  says,
];
const badGroup = (id: unknown, says: string) =>
  badElement({ access: "deny", condition: { svcGroups: [id] } }, "condition.svcGroups[0]", says);
export const closed = [{ access: "deny", action: ["all", "manage"], condition: { svcGroups: [203] } }];

export const life: LifecycleCase = {
  type: "ObjectPolicy",
  args,
  present: (state, id) => expect([policyOf(state), id]).toEqual([onWire, "note/501"]),
  absent: (state) => {
    expect(policyOf(state), "restored").toEqual(found);
    expect(policyOf(state, 502), "kept").toHaveLength(1);
  },
  drift: { make: (emulator) => setPolicy(emulator, [onWire[1]]) },
  changes: [
    same(
      "actions and ids in another order",
      {
        ...args,
        policy: [
          { access: "allow", action: ["update", "read"], condition: { svcUsers: [104, 102], svcGroups: [204] } },
          { access: "deny", action: ["all"], condition: { svcUsers: [104, 102], svcGroups: [204] } },
        ],
      },
      { "objectPolicy.set": 0 },
    ),
    update(
      "another policy, without the deny-all at its end",
      { ...args, policy: [policy[0]] },
      { "objectPolicy.set": 1, "objectPolicy.view": 0 },
      (state, { text }) => {
        expect(policyOf(state)).toEqual([onWire[0]]);
        expect(text).toContain("the policy of note 501 does not end with a deny-all element");
      },
    ),
    replace(
      "another object: the first one's old policy is restored",
      { ...args, sourceId: "502", policy: closed },
      { "objectPolicy.set": 2, "objectPolicy.view": 2 },
      (state) => {
        expect(policyOf(state)).toEqual(found);
        expect(policyOf(state, 502)).toEqual([{ ...closed[0], condition: { svc_groups: [203] } }]);
      },
    ),
    update(
      "keep: nothing is sent, as the policy is the same",
      { ...args, sourceId: "502", policy: closed, onDestroy: "keep" },
      { "objectPolicy.set": 0 },
    ),
  ],
  // onDestroy is our own option, which the platform does not return.
  imported: { ...args, sourceId: "502", policy: closed },
  kept: "the policy of ID stays on the platform",
  bad: [
    badElement({ access: "deny", condition: { svc_users: [1] } }, "condition.svc_users", "is not a known property"),
    badElement({ access: "grant" }, "access", 'one of "allow", "deny"'),
    badElement({ action: ["read"] }, "access", "is required"),
    badElement({ access: "deny", condition: { svcUsers: ["two words"] } }, "condition.svcUsers[0]", "contains spaces"),
    badGroup("analysts", 'is "analysts"; expected an id, which is a number'),
    badGroup(-1, "must be a positive integer"),
    [{ ...args, sourceType: "environment" }, "sourceType", 'is "environment", which needs the extended API; set'],
    [{ ...args, sourceId: "" }, "sourceId", "is empty; expected an id"],
  ],
  badLater: {
    args: { ...args, policy: [{ access: { $later: "grant" } }] },
    says: /policy\[0\]\.access .*expected one of/,
  },
  forbidden: { token: "user", says: "setting an object policy" },
};

const environment = { sourceType: "environment", sourceId: "401", policy };
export const extended = withExtendedApi(life, {
  args: environment,
  present: (state, id) => expect([policyOf(state, 401), id]).toEqual([onWire, "environment/401"]),
  absent: (state) => expect(policyOf(state, 401)).toEqual([]),
  drift: { make: (emulator) => setPolicy(emulator, [], "401", "environment") },
  changes: [
    update("another policy", { ...environment, policy: closed }, (state) =>
      expect(policyOf(state, 401)).toHaveLength(1),
    ),
  ],
});
