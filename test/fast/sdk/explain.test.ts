import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, type PlainPolicy } from "../../../sdk/explain";

const user = 1;
const group = 10;
const who = { userId: user, groupIds: [group] };
const named = fc.constantFrom("read" as const, "update" as const, "delete" as const);
const access = fc.constantFrom("allow" as const, "deny" as const);
const opposite = (of: "allow" | "deny"): "allow" | "deny" => (of === "allow" ? "deny" : "allow");
const forUser = { svcUsers: [user] };
const forGroup = { svcGroups: [group] };

/** Elements about other users or actions: they must not matter, wherever they are. */
const unrelated: fc.Arbitrary<PlainPolicy[number]> = fc.record({
  access,
  action: fc.constantFrom(["all" as const], ["read" as const], ["update" as const, "delete" as const]),
  condition: fc.constantFrom({ svcUsers: [2] }, { svcGroups: [20] }, { svcUsers: [3], svcGroups: [30] }),
});
/** The elements in any order, among unrelated ones. */
const among = (...elements: PlainPolicy): fc.Arbitrary<PlainPolicy> =>
  fc
    .array(unrelated, { maxLength: 3 })
    .chain((others) => fc.shuffledSubarray([...others, ...elements], { minLength: others.length + elements.length }));

function always(make: (action: "read" | "update" | "delete", access: "allow" | "deny") => PlainPolicy): void {
  const cases = fc.tuple(named, access).chain(([action, wins]) => {
    const elements = make(action, wins);
    return among(...elements).map((policy) => ({ action, wins, policy, winner: elements[0] }));
  });
  fc.assert(
    fc.property(cases, ({ action, wins, policy, winner }) => {
      const { allowed, by, element } = explain(policy, who, action);
      expect(allowed).toBe(wins === "allow");
      expect(element).toEqual(winner);
      expect(policy[by!]).toBe(element);
    }),
  );
}

describe("what the API's manual says", () => {
  test.each([
    ["a user", forUser],
    ["a group", forGroup],
  ])("a named action takes precedence over all, for %s", (_, condition) =>
    always((action, wins) => [
      { access: wins, action: [action], condition },
      { access: opposite(wins), action: ["all"], condition },
    ]),
  );
  test("a rule for the user takes precedence over one for a group, both ways", () =>
    always((action, wins) => [
      { access: wins, action: [action], condition: forUser },
      { access: opposite(wins), action: [action], condition: forGroup },
    ]));
  test("all means read, update and delete", () =>
    always((_action, wins) => [{ access: wins, action: ["all"], condition: forGroup }]));
  test("all does not mean manage", () => {
    const policy: PlainPolicy = [{ access: "allow", action: ["all"], condition: forUser }];
    expect(explain(policy, who, "manage").allowed).toBeUndefined();
    const managed: PlainPolicy = [...policy, { access: "allow", action: ["manage"], condition: forGroup }];
    expect(explain(managed, who, "manage")).toMatchObject({ allowed: true, by: 1 });
  });
});

/** The policy, in any order and among unrelated elements, is undecided, and the reason says why. */
function expectUndecided(elements: PlainPolicy, action: string, why: RegExp): void {
  fc.assert(
    fc.property(among(...elements), (policy) => {
      const { reason, ...rest } = explain(policy, who, action);
      expect(rest).toEqual({ allowed: undefined, by: undefined, element: undefined });
      expect(reason).toMatch(why);
    }),
  );
}

describe("where the manual is silent, nothing is decided", () => {
  test.each([
    ["allow", "deny"],
    ["deny", "allow"],
  ] as const)("a group's named action (%s) against the user's all (%s)", (ofGroup, ofUser) => {
    expectUndecided(
      [
        { access: ofGroup, action: ["read"], condition: forGroup },
        { access: ofUser, action: ["all"], condition: forUser },
      ],
      "read",
      /^element \d .* says all, but element \d .* names the action; the API's manual does not say which of the two/,
    );
  });
  test("decided if both agree", () => {
    const policy: PlainPolicy = [
      { access: "allow", action: ["read"], condition: forGroup },
      { access: "allow", action: ["all"], condition: forUser },
    ];
    expect(explain(policy, who, "read").allowed).toBe(true);
  });
  test.each<[string, PlainPolicy[number], string, RegExp]>([
    ["no condition", { access: "deny", action: ["read"] }, "read", /has no condition: whether it denies read/],
    ["no action", { access: "allow", condition: forUser }, "read", /has no action: whether it allows read/],
    ["access alone", { access: "deny" }, "manage", /has no condition and no action: whether/],
  ])("an element with %s", (_title, element, action, why) =>
    expectUndecided([element], action, RegExp(`${why.source} .* would be a guess`)),
  );
  test("the user is not named", () => {
    fc.assert(
      fc.property(fc.array(unrelated), named, (policy, action) => {
        const { reason, ...rest } = explain(policy, who, action);
        expect(rest).toEqual({ allowed: undefined, by: undefined, element: undefined });
        expect(reason).toBe(
          `no element covers ${action} for user 1, and the API's manual does not say what applies then`,
        );
      }),
    );
  });
});

describe("what this package guesses, and says so", () => {
  test("an element without a condition or an action comes last", () => {
    always((action, wins) => [
      { access: wins, action: [action], condition: forGroup },
      { access: opposite(wins), action: [action] },
    ]);
    always((_action, wins) => [{ access: wins, action: ["all"], condition: forGroup }, { access: opposite(wins) }]);
    expect(
      explain([{ access: "allow", action: ["all"], condition: forGroup }, { access: "deny" }], who, "read").reason,
    ).toMatch(/; that it takes precedence over element 1, which has no condition and no action, is a guess$/);
  });
  test("between equals, deny wins", () => {
    const [one, other] = [10, 11].map((id) => ({ action: ["read" as const], condition: { svcGroups: [id] } }));
    const policies = among({ access: "allow", ...one! }, { access: "deny", ...other! });
    fc.assert(
      fc.property(policies, (policy) => {
        const { allowed, reason } = explain(policy, { userId: user, groupIds: [10, 11] }, "read");
        expect(allowed).toBe(false);
        expect(reason).toMatch(/; that a denial overrides element \d is a guess$/);
      }),
    );
  });
  test("for all: read, update and delete together", () => {
    const allowAll: PlainPolicy = [{ access: "allow", action: ["all"], condition: forUser }];
    expect(explain(allowAll, who, "all")).toMatchObject({ allowed: true, by: 0 });
    const mostly: PlainPolicy = [...allowAll, { access: "deny", action: ["delete"], condition: forUser }];
    expect(explain(mostly, who, "all")).toMatchObject({ allowed: false, by: 1 });
    expect(explain([{ access: "allow", action: ["read"], condition: forUser }], who, "all").allowed).toBeUndefined();
    // On folders, it also covers write and any other action.
    const reason = expect.stringMatching(/; that all covers write is a guess$/);
    expect(explain(allowAll, who, "write")).toMatchObject({ allowed: true, by: 0, reason });
  });
});

test("the reason names the element, the user, the action, and what was overruled", () => {
  const policy: PlainPolicy = [
    { access: "deny", action: ["all"], condition: { svcUsers: [2], svcGroups: [10] } },
    { access: "allow", action: ["read"], condition: forGroup },
  ];
  expect(explain(policy, who, "read").reason).toBe(
    "element 1 allows read: it names group 10 of user 1 and names the action; it takes precedence over element 0",
  );
  expect(explain(policy, { userId: 2 }, "update").reason).toBe("element 0 denies update: it names user 2 and says all");
});
