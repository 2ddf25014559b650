import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answeredPolicy,
  type Element,
  encodePolicy,
  folderActionAdvice,
  isRewritten,
  policyAdvice,
  samePolicy,
} from "../../../provider/values/policy";
import { isWrittenOut } from "../../../provider/values/role-policy";

const reading: Element = { access: "allow", action: ["read"], condition: { svcUsers: [1], svcGroups: [2] } };
const denyAll: Element = { access: "deny", action: ["all"], condition: { svcUsers: [1], svcGroups: [2] } };

const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const actions = fc.uniqueArray(fc.constantFrom("read", "update", "delete", "manage", "all"), { minLength: 1 });
const element: fc.Arbitrary<Element> = fc.record(
  {
    access: fc.constantFrom("allow" as const, "deny" as const),
    action: actions,
    condition: fc.record({ svcUsers: someIds, svcGroups: someIds }, { requiredKeys: ["svcUsers"] }),
  },
  { requiredKeys: ["access"] },
);
const policy = fc.array(element, { minLength: 1, maxLength: 5 });

const reversed = <T>(items: readonly T[] | undefined): T[] | undefined => items && [...items].reverse();

describe("a policy on the wire", () => {
  test("round-trips, whatever wraps it", () => {
    fc.assert(
      fc.property(policy, (sent) => {
        const text = encodePolicy(sent);
        const array: unknown = JSON.parse(text);
        for (const answer of [
          array,
          { policy: array },
          { policy: text },
          { object_policy: { policy: array } },
          { object_policy: text },
          { status: "success", policy: { policy: text } },
        ])
          expect(answeredPolicy.parse(answer)).toEqual(sent);
      }),
    );
  });

  test("null means absent, and ids may be strings", () => {
    const answer = { policy: [{ access: "deny", action: null, condition: { svc_users: ["7"], svc_groups: null } }] };
    expect(answeredPolicy.parse(answer)).toEqual([{ access: "deny", condition: { svcUsers: [7] } }]);
  });

  test("ids that a number of JavaScript cannot hold are numbers all the same", () => {
    const condition = { svcUsers: ["9007199254740993", 7], svcGroups: ["1234567890123456"] };
    expect(encodePolicy([{ access: "allow", condition }])).toBe(
      '[{"access":"allow","condition":{"svc_users":[9007199254740993,7],"svc_groups":[1234567890123456]}}]',
    );
  });

  test.each([7, "no policy", { owner: 7 }, [[]], [null], [{ action: ["read"] }]])(
    "%j is not a valid answer",
    (answer) => expect(answeredPolicy.safeParse(answer).success).toBe(false),
  );
});

describe("equivalent policies", () => {
  test("actions and ids are sets", () => {
    fc.assert(
      fc.property(policy, (original) => {
        const reordered = original.map(({ access, action, condition }) => ({
          access,
          ...(action && { action: reversed([...action, action[0]!])! }),
          ...(condition && {
            condition: { svcUsers: reversed(condition.svcUsers), svcGroups: reversed(condition.svcGroups) },
          }),
        }));
        expect(samePolicy(original, reordered)).toBe(true);
      }),
    );
  });

  test.each<[string, Element[], Element[]]>([
    ["the order of elements", [reading, denyAll], [denyAll, reading]],
    ["another access", [reading], [{ ...reading, access: "deny" }]],
    ["another action", [reading], [{ ...reading, action: ["update"] }]],
    ["one action more", [reading], [{ ...reading, action: ["read", "update"] }]],
    ["no action", [reading], [{ access: "allow", condition: { svcUsers: [1], svcGroups: [2] } }]],
    ["another user", [reading], [{ ...reading, condition: { svcUsers: [3], svcGroups: [2] } }]],
    ["one group less", [reading], [{ ...reading, condition: { svcUsers: [1] } }]],
    ["no condition", [reading], [{ access: "allow", action: ["read"] }]],
    ["one element more", [reading], [reading, denyAll]],
  ])("%s matters", (_what, a, b) => expect([samePolicy(a, b), samePolicy(b, a)]).toEqual([false, false]));

  test("an empty list of groups equals no list", () => {
    const one: Element = { access: "allow", condition: { svcUsers: [1], svcGroups: [] } };
    expect(samePolicy([one], [{ access: "allow", condition: { svcUsers: [1] } }])).toBe(true);
  });
});

describe("a policy that the platform shows in other elements", () => {
  const alone = ({ access, action, condition }: Element): Element[] => {
    const { svcUsers = [], svcGroups = [] } = condition ?? {};
    const each = [...svcUsers.map((id) => ({ svcUsers: [id] })), ...svcGroups.map((id) => ({ svcGroups: [id] }))];
    const conditions = condition ? each.map((one) => ({ condition: one })) : [{}];
    const actions = action ? action.map((one) => ({ action: [one] })) : [{}];
    return conditions.flatMap((who) => actions.map((what) => ({ access, ...what, ...who })));
  };

  test("is the one that was sent, whether they are split or joined", () => {
    fc.assert(
      fc.property(policy, (sent) => {
        const split = sent.flatMap(alone).reverse();
        expect([isRewritten(split, sent), isRewritten(sent, split)]).toEqual([true, true]);
      }),
    );
  });

  const both: Element = { ...reading, condition: { svcUsers: [1, 3] } };
  test.each<[string, Element[]]>([
    ["a user less", alone(both).slice(1)],
    ["a user more", [...alone(both), { ...reading, condition: { svcUsers: [4] } }]],
    ["a denial of one action", [both, { access: "deny", action: ["update"], condition: { svcUsers: [1, 3] } }]],
    ["a denial of everything to one of the two", [both, { ...denyAll, condition: { svcUsers: [1] } }]],
  ])("is another one with %s", (_what, shown) => expect(isRewritten(shown, [both])).toBe(false));

  test("may end with the user interface's denial of everything", () =>
    expect(isRewritten([...alone(both), { ...denyAll, condition: { svcUsers: [1, 3] } }], [both])).toBe(true));
});

describe("advice", () => {
  test.each<[string, Element[]]>([
    ["deny-all for those listed", [reading, denyAll]],
    ["deny-all for more than those listed", [reading, { ...denyAll, condition: { svcUsers: [1, 5], svcGroups: [2] } }]],
    ["deny-all for everybody", [reading, { access: "deny", action: ["all"] }]],
    ["access alone", [reading, { access: "deny" }]],
  ])("none when it ends with %s", (_what, good) => expect(policyAdvice(good, "it")).toEqual([]));

  test.each<[string, Element[]]>([
    ["nothing", [reading]],
    ["deny-all that is not the last", [denyAll, reading]],
    ["a denial of one action", [reading, { ...denyAll, action: ["read", "update"] }]],
    ["deny-all that leaves out a group", [reading, { ...denyAll, condition: { svcUsers: [1] } }]],
    ["deny-all that leaves out a user", [reading, { ...denyAll, condition: { svcGroups: [2] } }]],
  ])("when it ends with %s", (_what, doubtful) =>
    expect(policyAdvice(doubtful, "it")).toEqual([expect.stringContaining("it does not end with a deny-all element")]),
  );

  test("about elements that repeat or contradict others", () => {
    expect(policyAdvice([reading, denyAll, { ...reading }, { ...reading, access: "deny" }, denyAll], "it")).toEqual([
      expect.stringContaining("policy[2] repeats policy[0]"),
      expect.stringContaining("policy[3] contradicts policy[0]"),
      expect.stringContaining("policy[4] repeats policy[1]"),
    ]);
  });

  test("about undocumented actions on folders", () => {
    const used: Element[] = [
      { access: "allow", action: ["read", "write", "all", "manage"] },
      { access: "deny", action: ["manage"] },
    ];
    expect(folderActionAdvice(used, "it")).toEqual([
      expect.stringContaining('it uses the action "manage", which the platform may refuse; known'),
    ]);
  });
});

describe("a platform that fills in the actions of an element without any", () => {
  const condition = { svcUsers: [1] };
  const sent: Element[] = [{ access: "allow", action: ["read"], condition }, { access: "deny" }];
  test.each([
    ["all", ["all"], true],
    ["all and manage", ["all", "manage"], true],
    ["each of them", ["read", "update", "delete"], true],
    ["only some", ["read"], false],
  ])("shows no other policy: %s", (_, action, same) => {
    expect(isRewritten([sent[0]!, { access: "deny", action }], sent)).toBe(same);
    expect(isRewritten([sent[0]!, { access: "deny", action, condition: { svcUsers: [9] } }], sent)).toBe(false);
  });

  test("nor another role", () => {
    const role = [{ resource: "app", access: "allow" as const }];
    expect(isWrittenOut([{ ...role[0]!, action: ["all"] }], role)).toBe(true);
    expect(isWrittenOut([{ ...role[0]!, action: ["create", "read", "update", "delete"] }], role)).toBe(true);
    expect(isWrittenOut([{ ...role[0]!, action: ["read"] }], role)).toBe(false);
  });
});
