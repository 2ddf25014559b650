import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { assertAccess } from "../../../sdk/assert-access";
import { explain, type PlainPolicy } from "../../../sdk/explain";
import { PreparedPolicy } from "../../../sdk/prepared-policy";
import { anyPolicy } from "./any-policy";

const policy: PlainPolicy = [
  { access: "allow", action: ["read"], condition: { svcGroups: [204] } },
  { access: "deny", action: ["all"], condition: { svcUsers: [105], svcGroups: [204] } },
];

describe("assertAccess", () => {
  test("is silent if the policy means what is expected", () => {
    assertAccess(policy, { user: 104, groups: [203, 204], action: "read", allowed: true });
    assertAccess(policy, { user: 104, groups: [203, 204], action: "delete", allowed: false });
    assertAccess(policy, { user: 104, groups: [204], action: "manage", allowed: undefined });
  });

  test("throws with the element that decides", () => {
    expect(() => assertAccess(policy, { user: 104, groups: [203, 204], action: "delete", allowed: true })).toThrow(
      'delete for user 104 of groups 203, 204 is denied, expected allowed: element 1 denies delete: it names group 204 of user 104 and says all. The element: {"access":"deny","action":["all"],"condition":{"svcUsers":[105],"svcGroups":[204]}}',
    );
  });

  test.each([true, false])("not said is neither allowed nor denied: expected %s", (allowed) => {
    expect(() => assertAccess(policy, { user: 101, action: "read", allowed })).toThrow(
      `read for user 101 is not said by the API's manual, expected ${allowed ? "allowed" : "denied"}: no element covers read for user 101, and the API's manual does not say what applies then`,
    );
  });
});

test("ids are the same as numbers and as text", () => {
  const asText = [
    { access: "deny", action: ["read"], condition: { svcUsers: ["104"], svcGroups: ["204"] } },
  ] as unknown as PlainPolicy;
  assertAccess(asText, { user: 104, action: "read", allowed: false });
  assertAccess(asText, { user: 1, groups: [204], action: "read", allowed: false });
});

describe("assertAccess, given something wrong", () => {
  test("a misspelt action is an error that lists the actions, not an access that nothing covers", () => {
    expect(() => assertAccess(policy, { user: 104, action: "reed", allowed: undefined })).toThrow(
      'assertAccess: "reed" is not an action; use one of read, update, delete, manage, write, all, or one that the policy names',
    );
    // Folders may have actions that the manual does not show.
    const folder: PlainPolicy = [{ access: "allow", action: ["publish"], condition: { svcUsers: [104] } }];
    assertAccess(folder, { user: 104, action: "publish", allowed: true });
  });

  test("and the compiler finds it where it knows the policy", () => {
    const literal = [{ access: "allow" as const, action: ["read" as const], condition: { svcGroups: [204] } }];
    // @ts-expect-error: not an action
    expect(() => assertAccess(literal, { user: 104, action: "reed", allowed: undefined })).toThrow("not an action");
    assertAccess([{ access: "allow", action: ["read"], condition: { svcGroups: [204] } }], {
      groups: [204],
      action: "read",
      allowed: true,
    });
  });

  test("a group alone stands for its members; neither a user nor a group is an error", () => {
    assertAccess(policy, { groups: [204], action: "read", allowed: true });
    expect(() => assertAccess(policy, { groups: [204], action: "delete", allowed: true })).toThrow(
      "delete for a member of group 204 is denied, expected allowed: element 1 denies delete: it names group 204 of a member and says all",
    );
    expect(() => assertAccess(policy, { action: "read", allowed: undefined })).toThrow("neither a user nor a group");
  });
});

describe("the example in docs/explain.md", () => {
  const page = readFileSync(join(__dirname, "../../../docs/explain.md"), "utf8");
  const [example = ""] = [...page.matchAll(/```typescript\n([\s\S]*?)```/g)]
    .map(([, code = ""]) => code)
    .filter((code) => code.includes("assertAccess"));
  const run = (code: string) => {
    const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
    new Function("require", "exports", outputText)(() => ({ assertAccess }), {});
  };

  test("runs", () => run(example));
  test("throws what the page says", () => {
    const [, message = ""] = /```text\n(.*)\n```/.exec(page) ?? [];
    expect(() => run(example.replace('"delete", allowed: false', '"delete", allowed: true'))).toThrow(message);
    expect(message).toContain("element 1 denies delete");
  });
});

const ids = [1, 2, 3, 4, 5, 6];

test("one prepared policy decides for every user what explain does, in any order of users", () => {
  fc.assert(
    fc.property(
      anyPolicy(ids, ids),
      fc.array(fc.record({ userId: fc.constantFrom(...ids), groupIds: fc.subarray(ids) })),
      (made, users) => {
        const prepared = new PreparedPolicy(made);
        for (const user of users)
          for (const action of ["read", "update", "delete", "manage", "all"]) {
            const { reason, group, ...decision } = prepared.classOf(user).decide(action);
            expect({ ...decision, reason: reason(`user ${user.userId}`) }).toEqual(explain(made, user, action));
            if (group !== undefined) expect(decision.element?.condition?.svcGroups).toContain(group);
          }
      },
    ),
  );
});
