import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import { type EmulatorState, type LifecycleCase, withExtendedApi } from "../harness/lifecycle";

const path = "/api/v1.2/object_policy/policy";
/** The policy of note 501 in the seed. */
const found = { access: "allow", action: ["read"], condition: { svc_groups: [203] } };
const policyOf = (state: EmulatorState, id: number): unknown =>
  state.accounts.find((account) => account.id === 1001)!.objects.find((object) => object.id === id)!.policy;
const setPolicy = (emulator: Emulator, policy: unknown, sourceId = "501", sourceType = "note"): Promise<void> =>
  request(emulator, "PUT", path, { source_id: sourceId, source_type: sourceType, policy: JSON.stringify(policy) });

const args = { sourceType: "note", sourceId: "501", user: 104, allow: ["read", "update"] };
const ours = { access: "allow", action: ["read", "update"], condition: { svc_users: [104] } };

export const life: LifecycleCase = {
  type: "ObjectGrant",
  args,
  present: (state, id) => {
    expect(policyOf(state, 501)).toEqual([found, ours]);
    expect(id).toBe("note/501/user:104");
  },
  absent: (state) => {
    expect(policyOf(state, 501)).toEqual([found]);
    expect(policyOf(state, 502)).toEqual([]);
  },
  drift: { make: (emulator) => setPolicy(emulator, [found, { ...ours, action: ["read"] }]) },
  disappear: (emulator) => setPolicy(emulator, [found]),
  changes: [
    {
      what: "actions in another order, and the id as text",
      args: { ...args, user: "104", allow: ["update", "read"] },
      expect: "same",
      calls: { "objectPolicy.set": 0 },
    },
    {
      what: "other actions",
      args: { ...args, allow: ["all"], deny: ["delete"] },
      expect: "update",
      calls: { "objectPolicy.set": 1 },
      after: (state) =>
        expect(policyOf(state, 501)).toEqual([
          { access: "allow", action: ["read", "update"], condition: { svc_users: [104] } },
          { access: "deny", action: ["delete"], condition: { svc_users: [104] } },
          found,
        ]),
    },
    {
      what: "a group instead of the user",
      args: { sourceType: "note", sourceId: "501", group: 204, allow: ["read"] },
      expect: "replace",
      after: (state) =>
        expect(policyOf(state, 501)).toEqual([
          found,
          { access: "allow", action: ["read"], condition: { svc_groups: [204] } },
        ]),
    },
    {
      what: "another object",
      args: { sourceType: "note", sourceId: "502", group: 204, deny: ["update"] },
      expect: "replace",
      after: (state) => {
        expect(policyOf(state, 501)).toEqual([found]);
        expect(policyOf(state, 502)).toEqual([
          { access: "deny", action: ["update"], condition: { svc_groups: [204] } },
        ]);
      },
    },
  ],
  bad: [
    {
      what: "no principal",
      args: { ...args, user: undefined },
      property: "user",
      says: "is missing, and so is group; set one of the two",
    },
    {
      what: "an e-mail address",
      args: { ...args, user: "ana@example.com" },
      property: "user",
      says: "an e-mail address; policies name users by the id that getUsers returns",
    },
    {
      what: "two principals",
      args: { ...args, group: 203 },
      property: "group",
      says: "is set together with user; a grant is for one of them",
    },
    {
      what: "no actions",
      args: { ...args, allow: undefined },
      property: "allow",
      says: "is missing, and so is deny",
    },
    { what: "an empty list", args: { ...args, allow: [] }, property: "allow", says: "is empty; omit it instead" },
    {
      what: "an action allowed and denied",
      args: { ...args, deny: ["update", "delete"] },
      property: "deny",
      says: "lists update, which allow lists too; choose one of the two",
    },
    {
      what: "an unknown action",
      args: { ...args, allow: ["write"] },
      property: "allow[0]",
      says: 'is "write"; expected one of "read", "update", "delete", "manage", "all"',
    },
    {
      what: "an environment, whose policy the specified API can only view",
      args: { ...args, sourceType: "environment" },
      property: "sourceType",
      says: 'is "environment", which needs the extended API; set dataplatform:extendedApi to true',
    },
    { what: "an invalid user", args: { ...args, user: -1 }, property: "user", says: "must be a positive integer" },
    { what: "no object", args: { ...args, sourceId: "" }, property: "sourceId", says: "is empty; expected an id" },
  ],
  badLater: {
    args: { ...args, allow: [{ $later: "write" }] },
    property: "allow[0]",
    says: /allow\[0\] .*expected one of/,
  },
  forbidden: { token: "user", says: "setting an object policy" },
};

const environment = { sourceType: "environment", sourceId: "401", group: 204, allow: ["read"] };
const onEnvironment = { access: "allow", action: ["read"], condition: { svc_groups: [204] } };
export const extended = withExtendedApi(life, {
  args: environment,
  present: (state, id) => {
    expect(policyOf(state, 401)).toEqual([onEnvironment]);
    expect(id).toBe("environment/401/group:204");
  },
  absent: (state) => expect(policyOf(state, 401)).toEqual([]),
  // An empty policy is drift, since it may be an answer that shows none.
  drift: { make: (emulator) => setPolicy(emulator, [], "401", "environment") },
  changes: [
    {
      what: "other actions",
      args: { ...environment, allow: ["read", "update"] },
      expect: "update",
      after: (state) => expect(policyOf(state, 401)).toEqual([{ ...onEnvironment, action: ["read", "update"] }]),
    },
  ],
});
