import fc from "fast-check";
import { expect, test } from "vitest";
import { allows, type Policy } from "../../../emulator/policy";
import { explain, type PlainPolicy } from "../../../sdk/explain";
import { anyPolicy } from "./any-policy";

/** Few ids, so that elements overlap. User 106 of the seed has only the permissions of a policy, and is in group 203. */
const users = [106, 107];
const groups = [203, 204];
const policies = anyPolicy(users, groups);
const subjects = fc.record({ userId: fc.constantFrom(...users), groupIds: fc.subarray(groups) });

/** As sent to the API. */
const onTheWire = (policy: PlainPolicy): Policy =>
  policy.map(({ condition, ...rest }) => ({
    ...(rest as Policy[number]),
    ...(condition && {
      condition: {
        ...(condition.svcUsers && { svc_users: [...condition.svcUsers] }),
        ...(condition.svcGroups && { svc_groups: [...condition.svcGroups] }),
      },
    }),
  }));

// The specification has no operation on a note, cluster or scheduler, so the emulator never enforces object policies;
// its rule for them is `allows`, which it enforces for `manage` on folders (below).
test("explain never contradicts the emulator's rule; all is read, update and delete together", () => {
  const decided = { true: 0, false: 0, undefined: 0 };
  const actions = fc.constantFrom("read", "update", "delete", "manage", "all");
  fc.assert(
    fc.property(policies, subjects, actions, (policy, subject, action) => {
      const { allowed } = explain(policy, subject, action);
      decided[`${allowed}`] += 1;
      const rule = (one: string) => allows(onTheWire(policy), { id: subject.userId, groups: subject.groupIds }, one);
      const meant = action === "all" ? ["read", "update", "delete"] : [action];
      if (allowed !== undefined) expect(meant.every(rule)).toBe(allowed);
    }),
    { numRuns: 2000 },
  );
  // The property must not hold merely because nothing is ever decided.
  expect(Math.min(...Object.values(decided))).toBeGreaterThan(200);
});
