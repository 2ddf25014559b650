import { describe, expect, test } from "vitest";
import {
  answeredRolePolicy,
  encodeRolePolicy,
  type RoleElement,
  sameRolePolicy,
} from "../../../provider/values/role-policy";

const allow = (resource: string, ...action: string[]): RoleElement => ({ resource, action, access: "allow" });
const deny = (resource: string, ...action: string[]): RoleElement => ({ resource, action, access: "deny" });

test.each<[string, RoleElement[], RoleElement[]]>([
  [
    "in another order",
    [allow("note", "read"), allow("command", "all")],
    [allow("command", "all"), allow("note", "read")],
  ],
  ["with actions in another order", [allow("note", "read", "update")], [allow("note", "update", "read")]],
  ["spread over elements", [allow("note", "read", "update")], [allow("note", "update"), allow("note", "read")]],
  ["with an empty list of actions", [allow("note")], [{ resource: "note", access: "allow" }]],
  ["denying elsewhere", [allow("note", "read"), deny("role", "all")], [deny("role", "all"), allow("note", "read")]],
])("two role policies mean the same %s", (_, a, b) => {
  expect([sameRolePolicy(a, b), sameRolePolicy(b, a)]).toEqual([true, true]);
});

test.each<[string, RoleElement[], RoleElement[]]>([
  ["in access", [allow("note", "read")], [deny("note", "read")]],
  ["in resource", [allow("note", "read")], [allow("folder", "read")]],
  ["in an action", [allow("note", "read")], [allow("note", "read", "update")]],
  ["without actions", [allow("note", "all")], [allow("note")]],
  [
    "in the order of allow and deny",
    [allow("note", "all"), deny("note", "delete")],
    [deny("note", "delete"), allow("note", "all")],
  ],
  [
    "in the order of allow and deny for all",
    [allow("all", "all"), deny("note", "all")],
    [deny("note", "all"), allow("all", "all")],
  ],
])("two role policies differ %s", (_, a, b) => {
  expect([sameRolePolicy(a, b), sameRolePolicy(b, a)]).toEqual([false, false]);
});

describe("policies on the wire", () => {
  const policies = [allow("command", "create", "read"), { resource: "note", access: "deny" as const }];
  const sent =
    '[{"resource":"command","action":["create","read"],"access":"allow"},{"resource":"note","access":"deny"}]';
  test("are encoded once", () => expect(encodeRolePolicy(policies)).toBe(sent));
  test.each([
    ["JSON text", sent],
    ["an array", JSON.parse(sent)],
    [
      "actions as text",
      [
        { resource: "command", action: "create, read", access: "Allow" },
        { resource: "note", action: "", access: "deny" },
      ],
    ],
    [
      "null actions",
      [
        { resource: "command", action: ["create", "read"], access: "allow", id: 7 },
        { resource: "note", action: null, access: "deny" },
      ],
    ],
  ])("are read from %s", (_, value) => expect(answeredRolePolicy.parse(value)).toEqual(policies));
  test.each([undefined, null, "", "none", {}, [{ resource: "note" }], [{ resource: "note", access: "perhaps" }]])(
    "%j shows none",
    (value) => expect(answeredRolePolicy.parse(value)).toBeUndefined(),
  );
});
