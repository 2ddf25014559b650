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
const element: fc.Arbitrary<Element> = fc.record(
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
  .tuple(fc.array(element, { maxLength: 5 }), grant)
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
      fc.property(fc.array(element, { maxLength: 5 }), principal, (policy, who) => {
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
const allowP: Element = { access: "allow", action: ["read"], condition: { svcUsers: [7] } };
const allowQ: Element = { access: "allow", action: ["read"], condition: { svcUsers: [8] } };
const allowBoth: Element = { access: "allow", action: ["read"], condition: { svcUsers: [8, 7] } };
const denyAll = (...svcUsers: number[]): Element => ({ access: "deny", action: ["all"], condition: { svcUsers } });
const read: Grant = { ...P, allow: ["read"] };

describe("the place of a grant", () => {
  test("before the closing deny-all, which is not edited", () =>
    expect(withGrant([allowQ, denyAll(8)], read)).toEqual([allowQ, allowP, denyAll(8)]));

  test("before a deny-all that names the principal", () =>
    expect(withGrant([denyAll(7, 8), allowQ], read)).toEqual([allowP, denyAll(7, 8), allowQ]));

  test("before an element that denies a group, which the user may be in", () => {
    const denyGroup: Element = { access: "deny", action: ["read"], condition: { svcGroups: [3] } };
    expect(withGrant([allowQ, denyGroup, denyAll(8)], read)).toEqual([allowQ, allowP, denyGroup, denyAll(8)]);
  });

  test("all is written with what it stands for where a deny-all names the principal too", () =>
    expect(withGrant([denyAll(7, 8)], { ...P, allow: ["all"] })[0]?.action).toEqual([
      "all",
      "read",
      "update",
      "delete",
    ]));

  test("all of folders stands for read and write", () =>
    expect(withGrant([denyAll(7, 8)], { ...P, allow: ["all"] }, allOfFolders)[0]?.action).toEqual([
      "all",
      "read",
      "write",
    ]));

  test("all with an exception is written out", () =>
    expect(withGrant([], { ...P, allow: ["all"], deny: ["delete"] }).map(({ action }) => action)).toEqual([
      ["read", "update"],
      ["delete"],
    ]));
});

describe("elements of several principals", () => {
  test("are not edited: the grant is an element of its own", () => {
    const after = withGrant([allowBoth], read);
    expect(after).toEqual([allowBoth, allowP]);
    expect(withoutGrant(after, read, { namedBefore: true })).toEqual([allowBoth]);
  });

  test("a platform that merges: the grant is there, and goes alone", () => {
    expect(hasGrant([allowBoth], read)).toBe(true);
    expect(withoutGrant([allowBoth], read)).toEqual([allowQ]);
  });

  test("a platform that splits by action, then merges", () => {
    const other: Element = { access: "allow", action: ["update"], condition: { svcUsers: [7] } };
    const wanted = { ...P, allow: ["read", "update"] };
    expect(hasGrant([allowBoth, other], wanted)).toBe(true);
    expect(withoutGrant([allowBoth, other], wanted)).toEqual([allowQ]);
  });

  test("an element that says more than the grant was not merged from it", () => {
    const wider: Element = { access: "allow", action: ["read", "delete"], condition: { svcUsers: [7, 8] } };
    expect(hasGrant([wider], read)).toBe(false);
    expect(withoutGrant([wider], read)).toEqual([wider]);
  });

  test("a closing deny-all that was added since lets go of the principal", () => {
    expect(hasGrant([allowP, denyAll(7)], read)).toBe(true);
    expect(withoutGrant([allowP, denyAll(7)], read)).toEqual([]);
    expect(withoutGrant([allowP, allowQ, denyAll(7, 8)], read)).toEqual([allowQ, denyAll(8)]);
    expect(withoutGrant([allowP, allowQ, denyAll(7, 8)], read, { namedBefore: true })).toEqual([allowQ, denyAll(7, 8)]);
  });

  test("a group and a user in one element: only ours goes", () => {
    const merged: Element = { access: "allow", action: ["read"], condition: { svcUsers: [8], svcGroups: [7] } };
    expect(withoutGrant([merged], { group: 7, allow: ["read"] })).toEqual([
      { access: "allow", action: ["read"], condition: { svcUsers: [8] } },
    ]);
  });
});

describe("what a policy holds of a grant", () => {
  test("taken away, changed, extended", () => {
    expect(visibleGrant([allowQ], read)).toBeUndefined();
    expect(visibleGrant([{ ...allowP, access: "deny" }], read)).toEqual({ ...P, deny: ["read"] });
    expect(visibleGrant([{ ...allowP, action: ["read", "update"] }], read)).toEqual({
      ...P,
      allow: ["read", "update"],
    });
  });

  test("what others have added since stays when the grant goes", () =>
    expect(withoutGrant([{ ...allowP, action: ["read", "update"] }], read)).toEqual([
      { ...allowP, action: ["update"] },
    ]));

  test("ids are compared by meaning, and lists without entries say nothing", () => {
    const shown = { ...allowP, condition: { svcUsers: ["7"], svcGroups: [], svc_roles: [] } } as Element;
    expect(hasGrant([shown], read)).toBe(true);
  });

  test("a condition that the manual does not know is not ours to edit", () => {
    const narrowed = { ...allowP, condition: { svcUsers: [7], svc_roles: ["a"] } } as Element;
    expect(grantIn([narrowed], P)).toBeUndefined();
    expect(withoutGrant([narrowed], read)).toEqual([narrowed]);
  });

  test("an element without actions is not a grant", () =>
    expect(grantIn([{ access: "allow", condition: { svcUsers: [7] } }], P)).toBeUndefined());

  test("in words", () =>
    expect(grantText({ ...P, allow: ["read", "update"], deny: ["delete"] })).toBe("allow read, update; deny delete"));
});

test("an element of others that says the opposite is named", () => {
  const denyBoth: Element = { access: "deny", action: ["read"], condition: { svcUsers: [7, 8] } };
  expect(contradictionsOf([allowQ, denyBoth, denyAll(7, 8)], read)).toEqual([1]);
});
