import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  contradictionsOf,
  type Grant,
  grantIn,
  grantText,
  hasGrant,
  isNamedBeside,
  type Principal,
  visibleGrant,
  withGrant,
  withoutGrant,
} from "../../../provider/values/grant";
import { allOfFolders, type Element, type Policy } from "../../../provider/values/policy";
import { explain, type PlainPolicy, type Subject } from "../../../sdk/explain";

const actions = ["read", "update", "delete", "manage", "all"];
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const access = fc.constantFrom("allow" as const, "deny" as const);
const someActions = fc.uniqueArray(fc.constantFrom(...actions), { minLength: 1, maxLength: 3 });
const anyElement: fc.Arbitrary<Element> = fc.record(
  { access, action: someActions, condition: fc.record({ svcUsers: someIds, svcGroups: someIds }) },
  { requiredKeys: ["access"] },
);
const principal: fc.Arbitrary<Principal> = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((user) => ({ user })),
  fc.integer({ min: 1, max: 4 }).map((group) => ({ group })),
);
const grant: fc.Arbitrary<Grant> = fc
  .tuple(
    principal,
    fc.uniqueArray(fc.tuple(fc.constantFrom(...actions), access), { minLength: 1, selector: ([a]) => a }),
  )
  .map(([who, said]) => {
    const of = (wanted: string) => said.filter(([, one]) => one === wanted).map(([action]) => action);
    const [allow, deny] = [of("allow"), of("deny")];
    return { ...who, ...(allow.length > 0 && { allow }), ...(deny.length > 0 && { deny }) };
  });
/** A policy that says nothing about the principal alone, and a grant. */
const untouched = fc
  .tuple(fc.array(anyElement, { maxLength: 5 }), grant)
  .filter(([policy, wanted]) => grantIn(policy, wanted) === undefined);

/** What a grant says about an action: named actions override `all`, which does not cover `manage`. */
function saidBy({ allow = [], deny = [] }: Grant, action: string): boolean | undefined {
  if (deny.includes(action)) return false;
  if (allow.includes(action)) return true;
  if (action === "manage") return undefined;
  if (deny.includes("all")) return false;
  return allow.includes("all") ? true : undefined;
}

type Reading = (policy: Policy, subject: Subject, action: string) => boolean | undefined;

const covers = ({ action, condition }: Element, { userId, groupIds = [] }: Subject, wanted: string) => {
  const byUser = condition?.svcUsers?.includes(userId) ?? false;
  const byGroup = condition?.svcGroups?.some((id) => groupIds.includes(Number(id))) ?? false;
  const named = action?.includes(wanted) ?? false;
  const byAll = (action?.includes("all") ?? false) && wanted !== "manage";
  return { byUser, byGroup, named, fits: (!condition || byUser || byGroup) && (!action || named || byAll) };
};

/** The manual's two rules; `ofEquals` decides where it is silent. */
const byRank =
  (ofEquals: (equals: readonly Element[]) => Element | undefined): Reading =>
  (policy, subject, action) => {
    const rankOf = (one: Element): number => {
      const { byUser, named } = covers(one, subject, action);
      return (byUser ? 2 : 0) + (named ? 1 : 0);
    };
    const complete = policy.filter((one) => one.action && one.condition && covers(one, subject, action).fits);
    const best = Math.max(...complete.map(rankOf));
    const decides = ofEquals(complete.filter((one) => rankOf(one) === best));
    return decides && decides.access === "allow";
  };

const readings: Record<string, Reading> = {
  "explain, which lets a denial win among equals": (policy, subject, action) =>
    explain(policy as PlainPolicy, subject, action).allowed,
  "the first of equals wins": byRank((equals) => equals[0]),
  "the last of equals wins": byRank((equals) => equals.at(-1)),
  "an allowance wins among equals": byRank((equals) => equals.find((one) => one.access === "allow") ?? equals[0]),
  "the first element that fits decides": (policy, subject, action) => {
    const first = policy.find((one) => covers(one, subject, action).fits);
    return first && first.access === "allow";
  },
};

const askable = ["read", "update", "delete", "manage"];
const everybody: Subject[] = [1, 2, 3, 4, 9].flatMap((userId) =>
  [[], [1], [2, 3], [4, 1]].map((groupIds) => ({ userId, groupIds })),
);
const concerns = ({ user, group }: Grant, { userId, groupIds = [] }: Subject): boolean =>
  userId === user || groupIds.includes(Number(group));

describe.each(Object.entries(readings))("a grant, if %s", (_, reading) => {
  test("gives the principal what it says, unless an element of others names the same principal and action", () =>
    fc.assert(
      fc.property(untouched, ([policy, wanted]) => {
        fc.pre(contradictionsOf(policy, wanted).length === 0);
        const after = withGrant(policy, wanted);
        const subject =
          wanted.user === undefined
            ? { userId: 9, groupIds: [Number(wanted.group)] }
            : { userId: Number(wanted.user), groupIds: [1, 2] };
        for (const action of askable) {
          const said = saidBy(wanted, action);
          if (said !== undefined) expect(reading(after, subject, action)).toBe(said);
        }
      }),
    ));

  test("changes nothing for anybody else", () =>
    fc.assert(
      fc.property(untouched, ([policy, wanted]) => {
        const after = withGrant(policy, wanted);
        for (const subject of everybody.filter((one) => !concerns(wanted, one)))
          for (const action of askable) expect(reading(after, subject, action)).toBe(reading(policy, subject, action));
      }),
    ));
});

describe("a grant and its policy", () => {
  test("with, then without: the policy from before, element by element", () =>
    fc.assert(
      fc.property(untouched, ([policy, wanted]) => {
        const namedBefore = isNamedBeside(policy, wanted);
        const after = withGrant(policy, wanted);
        expect(hasGrant(after, wanted)).toBe(true);
        expect(withGrant(after, wanted)).toBe(after);
        expect(withoutGrant(after, wanted, { namedBefore })).toEqual(policy);
      }),
    ));

  test("an import takes over all that names the principal alone, and loses nothing", () =>
    fc.assert(
      fc.property(fc.array(anyElement, { maxLength: 5 }), principal, (policy, who) => {
        const found = grantIn(policy, who);
        fc.pre(found !== undefined);
        expect(withGrant(policy, found!)).toEqual(policy);
        expect(grantIn(withoutGrant(policy, found!, { namedBefore: true }), who)).toBeUndefined();
      }),
    ));

  test("survives a platform that splits, sorts, reverses or writes out all", () =>
    fc.assert(
      fc.property(untouched, ([policy, wanted]) => {
        const after = withGrant(policy, wanted);
        const split = after.flatMap((one) => one.action?.map((name) => ({ ...one, action: [name] })) ?? [one]);
        const writtenOut = after.map((one) =>
          one.action
            ? { ...one, action: one.action.flatMap((name) => (name === "all" ? askable.slice(0, 3) : [name])) }
            : one,
        );
        for (const rewritten of [split, after.toReversed(), split.toReversed(), writtenOut])
          expect(hasGrant(rewritten, wanted)).toBe(true);
      }),
    ));
});

const P = { user: 7 };
const element = (access: Element["access"], action: string[], ...svcUsers: number[]): Element => ({
  access,
  action,
  condition: { svcUsers },
});
const [allowP, allowQ, allowBoth] = [[7], [8], [8, 7]].map((who) => element("allow", ["read"], ...who)) as [
  Element,
  Element,
  Element,
];
const denyAll = (...svcUsers: number[]) => element("deny", ["all"], ...svcUsers);
const denyGroup: Element = { access: "deny", action: ["read"], condition: { svcGroups: [3] } };
const ofGroupToo: Element = { access: "allow", action: ["read"], condition: { svcUsers: [8], svcGroups: [7] } };
const narrowed = { ...allowP, condition: { svcUsers: [7], svc_roles: ["a"] } } as Element;
/** As a platform may show them: with a name beside each id. */
const named = { ...allowP, condition: { svcUsers: [7], svc_user_emails: ["p@example.com"] } } as Element;
const namedBoth = { ...allowBoth, condition: { svcUsers: [8, 7], user_names: "q,p", svc_roles: ["a"] } } as Element;
const namedGroup = {
  ...ofGroupToo,
  condition: { svcUsers: [8], svcGroups: [7], svcGroupNames: { 7: "ops" }, svc_user_logins: ["q"] },
} as Element;
const wider = element("allow", ["read", "delete"], 7, 8);
const more = element("allow", ["read", "update"], 7);
const updateP = element("allow", ["update"], 7);
const read: Grant = { ...P, allow: ["read"] };
const readAndUpdate: Grant = { ...P, allow: ["read", "update"] };

test.each<[string, Policy, Policy]>([
  ["before the closing deny-all, which is not edited", [allowQ, denyAll(8)], [allowQ, allowP, denyAll(8)]],
  ["before a deny-all that names the principal", [denyAll(7, 8), allowQ], [allowP, denyAll(7, 8), allowQ]],
  [
    "before an element that denies a group, which the user may be in",
    [allowQ, denyGroup, denyAll(8)],
    [allowQ, allowP, denyGroup, denyAll(8)],
  ],
  ["beside an element of several principals, which is not edited", [allowBoth], [allowBoth, allowP]],
])("a grant stands %s", (_, before, after) => expect(withGrant(before, read)).toEqual(after));

test.each<[string, Policy, Grant, readonly string[] | undefined, string[][]]>([
  ["with what it stands for", [denyAll(7, 8)], { allow: ["all"] }, undefined, [["all", "read", "update", "delete"]]],
  ["of folders for read and write", [denyAll(7, 8)], { allow: ["all"] }, allOfFolders, [["all", "read", "write"]]],
  ["out, with an exception", [], { allow: ["all"], deny: ["delete"] }, undefined, [["read", "update"], ["delete"]]],
])("all is written %s", (_, before, said, all, actions) =>
  expect(
    withGrant(before, { ...P, ...said }, all)
      .slice(0, actions.length)
      .map(({ action }) => action),
  ).toEqual(actions),
);

test.each<[string, Policy, Grant, Policy, boolean?]>([
  ["which the platform has merged: it goes alone", [allowBoth], read, [allowQ]],
  ["which it has split by action, then merged", [allowBoth, updateP], readAndUpdate, [allowQ]],
  ["and an element that says more, which was not merged from it", [wider], read, [wider]],
  ["and a closing deny-all that was added since", [allowP, denyAll(7)], read, []],
  ["and one of several, which lets go of it", [allowP, allowQ, denyAll(7, 8)], read, [allowQ, denyAll(8)]],
  ["and one that named it before", [allowP, allowQ, denyAll(7, 8)], read, [allowQ, denyAll(7, 8)], true],
  ["and an element of several that named it before", [allowBoth, allowP], read, [allowBoth], true],
  ["of a group, beside a user", [ofGroupToo], { group: 7, allow: ["read"] }, [allowQ]],
  ["and what others have added since", [more], read, [updateP]],
  ["and a condition that the manual does not know", [narrowed], read, [narrowed]],
  ["which the platform shows with names", [named, allowQ], read, [allowQ]],
  ["of several, which the platform shows with names", [namedGroup], { group: 7, allow: ["read"] }, [allowQ]],
  ["and an element of several with names and something else", [namedBoth], read, [namedBoth]],
])("without a grant %s", (_, policy, given, left, namedBefore = false) =>
  expect(withoutGrant(policy, given, { namedBefore })).toEqual(left),
);

test.each<[string, Policy, Grant, boolean]>([
  ["merged with others", [allowBoth], read, true],
  ["split by action, then merged", [allowBoth, updateP], readAndUpdate, true],
  ["in an element of several that says more", [wider], read, false],
  ["beside a closing deny-all", [allowP, denyAll(7)], read, true],
  [
    "with ids as text, and lists without entries",
    [{ ...allowP, condition: { svcUsers: ["7"], svcGroups: [], svc_roles: [] } } as unknown as Element],
    read,
    true,
  ],
])("a policy holds a grant %s", (_, policy, given, isThere) => expect(hasGrant(policy, given)).toBe(isThere));

test.each<[string, Policy, Grant | undefined]>([
  ["taken away", [allowQ], undefined],
  ["changed", [{ ...allowP, access: "deny" }], { ...P, deny: ["read"] }],
  ["extended", [more], readAndUpdate],
])("what is seen of a grant that was %s", (_, policy, seen) => expect(visibleGrant(policy, read)).toEqual(seen));

test.each<[string, Element]>([
  ["a condition that the manual does not know", narrowed],
  ["names of others", { ...allowP, condition: { svcUsers: [7], svc_group_names: ["ops"] } } as Element],
  ["more names than ids", { ...allowP, condition: { svcUsers: [7], svc_user_names: ["p", "q"] } } as Element],
  ["what only begins like names", { ...allowP, condition: { svcUsers: [7], user_agents: ["curl"] } } as Element],
  ["no actions", { access: "allow", condition: { svcUsers: [7] } }],
])("an element with %s is not a grant", (_, one) => expect(grantIn([one], P)).toBeUndefined());

test("a grant in words", () =>
  expect(grantText({ ...readAndUpdate, deny: ["delete"] })).toBe("allow read, update; deny delete"));

test("an element of others that says the opposite is named", () =>
  expect(contradictionsOf([allowQ, element("deny", ["read"], 7, 8), denyAll(7, 8)], read)).toEqual([1]));
