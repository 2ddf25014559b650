import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import {
  accountIn,
  type EmulatorState,
  type LifecycleCase,
  replace,
  same,
  update,
  withExtendedApi,
} from "../harness/lifecycle";

const path = "/api/v1.2/object_policy/policy";
/** The policy of note 501 in the seed. */
export const found = { access: "allow", action: ["read"], condition: { svc_groups: [203] } };
export const policyOf = (state: EmulatorState, id = 501): unknown =>
  accountIn(state).objects.find((object) => object.id === id)!.policy;
export const setPolicy = (emulator: Emulator, policy: unknown, sourceId = "501", sourceType = "note"): Promise<void> =>
  request(emulator, "PUT", path, { source_id: sourceId, source_type: sourceType, policy: JSON.stringify(policy) });

export const args = { sourceType: "note", sourceId: "501", user: 104, allow: ["read", "update"] };
export const ours = { access: "allow", action: ["read", "update"], condition: { svc_users: [104] } };
export const id = "note/501/user:104";

/** Notes that no other resource of the same stack manages. */
async function addNotes(emulator: Emulator): Promise<void> {
  const note = { source_type: "note", name: "own" };
  await request(emulator, "PUT", "/_emulator/state/objects", { ...note, id: 541, policy: [found] });
  await request(emulator, "PUT", "/_emulator/state/objects", { ...note, id: 542 });
}
const own = { ...args, sourceId: "541" };
const ofGroup = (access: string, ...action: string[]) => ({ access, action, condition: { svc_groups: [204] } });

export const life: LifecycleCase = {
  type: "ObjectGrant",
  args: own,
  prepare: addNotes,
  present: (state, shownId) => expect([policyOf(state, 541), shownId]).toEqual([[found, ours], "note/541/user:104"]),
  absent: (state) => expect([policyOf(state, 541), policyOf(state, 542)]).toEqual([[found], []]),
  drift: { make: (emulator) => setPolicy(emulator, [found, { ...ours, action: ["read"] }], "541") },
  disappear: (emulator) => setPolicy(emulator, [found], "541"),
  changes: [
    same(
      "actions in another order, and the id as text",
      { ...own, user: "104", allow: ["update", "read"] },
      { "objectPolicy.set": 0 },
    ),
    update("other actions", { ...own, allow: ["all"], deny: ["delete"] }, { "objectPolicy.set": 1 }, (state) =>
      expect(policyOf(state, 541)).toEqual([ours, { ...ours, access: "deny", action: ["delete"] }, found]),
    ),
    replace(
      "a group instead of the user",
      { sourceType: "note", sourceId: "541", group: 204, allow: ["read"] },
      (state) => expect(policyOf(state, 541)).toEqual([found, ofGroup("allow", "read")]),
    ),
    replace("another object", { sourceType: "note", sourceId: "542", group: 204, deny: ["update"] }, (state) =>
      expect([policyOf(state, 541), policyOf(state, 542)]).toEqual([[found], [ofGroup("deny", "update")]]),
    ),
  ],
  bad: [
    [{ ...args, user: undefined }, "user", "is missing, and so is group; set one of the two"],
    [
      { ...args, user: "ana@example.com" },
      "user",
      /e-mail address; expected the user's id, a number, .* getUsers returns/,
    ],
    [{ ...args, group: 203 }, "group", "is set together with user; a grant is for one of them"],
    [{ ...args, allow: undefined }, "allow", "is missing, and so is deny"],
    [{ ...args, allow: [] }, "allow", "is empty; omit it instead"],
    [{ ...args, deny: ["update", "delete"] }, "deny", "lists update, which allow lists too; choose one of the two"],
    [{ ...args, sourceType: "environment" }, "sourceType", 'is "environment", which needs the extended API; set'],
    [{ ...args, user: -1 }, "user", "must be a positive integer"],
    [{ ...args, sourceId: "" }, "sourceId", "is empty; expected an id"],
  ],
  badLater: { args: { ...args, allow: [{ $later: "write" }] }, says: /allow\[0\] .*expected one of/ },
  forbidden: { token: "user", says: "setting an object policy" },
};

const environment = { sourceType: "environment", sourceId: "401", group: 204, allow: ["read"] };
const onEnvironment = ofGroup("allow", "read");
export const extended = withExtendedApi(life, {
  args: environment,
  present: (state, shownId) =>
    expect([policyOf(state, 401), shownId]).toEqual([[onEnvironment], "environment/401/group:204"]),
  absent: (state) => expect(policyOf(state, 401)).toEqual([]),
  // An empty policy is drift, since it may be an answer that shows none.
  drift: { make: (emulator) => setPolicy(emulator, [], "401", "environment") },
  changes: [
    update("other actions", { ...environment, allow: ["read", "update"] }, (state) =>
      expect(policyOf(state, 401)).toEqual([{ ...onEnvironment, action: ["read", "update"] }]),
    ),
  ],
});
