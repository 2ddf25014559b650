import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, type PlainPolicy } from "../../sdk/explain";

const user = 1;
const group = 10;
const who = { userId: user, groupIds: [group] };
const named = fc.constantFrom("read" as const, "update" as const, "delete" as const);
const access = fc.constantFrom("allow" as const, "deny" as const);
const opposite = (of: "allow" | "deny"): "allow" | "deny" => (of === "allow" ? "deny" : "allow");
const forUser = { svcUsers: [user] };
const forGroup = { svcGroups: [group] };

/** Elements that concern somebody else, or another action: they must not matter, wherever they stand. */
const stranger: fc.Arbitrary<PlainPolicy[number]> = fc.record({
  access,
  action: fc.constantFrom(["all" as const], ["read" as const], ["update" as const, "delete" as const]),
  condition: fc.constantFrom({ svcUsers: [2] }, { svcGroups: [20] }, { svcUsers: [3], svcGroups: [30] }),
});
/** The elements in any order, among any strangers. */
const among = (...elements: PlainPolicy): fc.Arbitrary<PlainPolicy> =>
  fc
    .array(stranger, { maxLength: 3 })
    .chain((others) => fc.shuffledSubarray([...others, ...elements], { minLength: others.length + elements.length }));

function always(make: (action: "read" | "update" | "delete", access: "allow" | "deny") => PlainPolicy): void {
  fc.assert(
    fc.property(
      fc
        .tuple(named, access)
        .chain(([action, wins]) =>
          among(...make(action, wins)).map((policy) => ({ action, wins, policy, winner: make(action, wins)[0] })),
        ),
      ({ action, wins, policy, winner }) => {
        const { allowed, by, element } = explain(policy, who, action);
        expect(allowed).toBe(wins === "allow");
        expect(element).toEqual(winner);
        expect(policy[by!]).toBe(element);
      },
    ),
  );
}

describe("what the API's manual says", () => {
  test("a named action goes before all, for a user", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forUser },
      { access: opposite(wins), action: ["all"], condition: forUser },
    ]));
  test("a named action goes before all, for a group", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forGroup },
      { access: opposite(wins), action: ["all"], condition: forGroup },
    ]));
  test("a user explicitly allowed is allowed though a group is restricted, and the reverse", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forUser },
      { access: opposite(wins), action: [action], condition: forGroup },
    ]));
  test("the same with all", () =>
    always((_action, wins) => [
      { access: wins, action: ["all"], condition: forUser },
      { access: opposite(wins), action: ["all"], condition: forGroup },
    ]));
  test("all means read, update and delete", () =>
    always((_action, wins) => [{ access: wins, action: ["all"], condition: forGroup }]));
  test("all does not mean manage", () => {
    const policy: PlainPolicy = [{ access: "allow", action: ["all"], condition: forUser }];
    expect(explain(policy, who, "manage").allowed).toBeUndefined();
    expect(
      explain([...policy, { access: "allow", action: ["manage"], condition: forGroup }], who, "manage"),
    ).toMatchObject({
      allowed: true,
      by: 1,
    });
  });
});

describe("what this package decided where the manual is silent", () => {
  test("all is the lowest: a named action of a group goes before all of the user", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forGroup },
      { access: opposite(wins), action: ["all"], condition: forUser },
    ]));
  test("what names nobody comes after what names a group", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forGroup },
      { access: opposite(wins), action: [action] },
    ]));
  test("access alone comes last, and also concerns manage", () => {
    always((_action, wins) => [{ access: wins, action: ["all"], condition: forGroup }, { access: opposite(wins) }]);
    expect(explain([{ access: "deny" }], who, "manage")).toMatchObject({ allowed: false, by: 0 });
  });
  test("among equals a denial wins", () => {
    fc.assert(
      fc.property(
        among(
          { access: "allow", action: ["read"], condition: forGroup },
          { access: "deny", action: ["read"], condition: { svcGroups: [11] } },
        ),
        (policy) => {
          expect(explain(policy, { userId: user, groupIds: [10, 11] }, "read").allowed).toBe(false);
        },
      ),
    );
  });
  test("nobody is named: not decided", () => {
    fc.assert(
      fc.property(fc.array(stranger), named, (policy, action) => {
        const { reason, ...rest } = explain(policy, who, action);
        expect(rest).toEqual({ allowed: undefined, by: undefined, element: undefined });
        expect(reason).toBe(
          `no element concerns ${action} by user 1, and the API's manual does not say what holds then`,
        );
      }),
    );
  });
  test("asked for all: read, update and delete together", () => {
    const allowAll: PlainPolicy = [{ access: "allow", action: ["all"], condition: forUser }];
    expect(explain(allowAll, who, "all")).toMatchObject({ allowed: true, by: 0 });
    expect(
      explain([...allowAll, { access: "deny", action: ["delete"], condition: forGroup }], who, "all"),
    ).toMatchObject({
      allowed: false,
      by: 1,
    });
    expect(explain([{ access: "allow", action: ["read"], condition: forUser }], who, "all").allowed).toBeUndefined();
  });
  test("on folders, all also means write and whatever else is asked", () => {
    const policy: PlainPolicy = [{ access: "allow", action: ["all"], condition: forGroup }];
    expect(explain(policy, who, "write")).toMatchObject({ allowed: true, by: 0 });
  });
});

test("the reason names the element, the person, the action, and what was overruled", () => {
  const policy: PlainPolicy = [
    { access: "deny", action: ["all"], condition: { svcUsers: [1], svcGroups: [10] } },
    { access: "allow", action: ["read"], condition: forGroup },
  ];
  expect(explain(policy, who, "read").reason).toBe(
    "element 1 allows read: it names group 10 of user 1 and names the action; that goes before element 0",
  );
  expect(explain(policy, { userId: 1 }, "update").reason).toBe("element 0 denies update: it names user 1 and says all");
});
