import { unknownYet } from "../../../policies";
import { casesOf } from "./cases";
import { resource, urnOf } from "./resource";

const assigned = (role: unknown, groupId: unknown = 204, name = "it", dependencies = {}) =>
  resource("GroupRoleAssignment", { role, groupId }, { name, dependencies });
const groupRoles = (roles: unknown, groupId: unknown = 204, dependencies = {}) =>
  resource("GroupRoles", { roles, groupId }, { dependencies });
const group = (roles: unknown, name: unknown = "team") => resource("Group", { roles, name });
casesOf("system-admin", [
  [
    "a role of an assignment, of the roles of a group, and of a group",
    [assigned("system-admin"), groupRoles(["system-admin"]), group(["analyst", "system-admin"])],
    ["it role", "it roles[0]", "it roles[1]"],
  ],
  [
    "membership of the group",
    [resource("GroupMembership", { group: "system-admin", users: ["ana@example.com"] })],
    ["it group"],
  ],
  [
    "other roles, groups and unknown ones",
    [
      assigned("analyst"),
      assigned(unknownYet),
      group(unknownYet),
      group([unknownYet]),
      groupRoles(unknownYet),
      groupRoles([unknownYet, "analyst"]),
      resource("GroupMembership", { group: 204 }),
    ],
    [],
  ],
  [
    "by id",
    [assigned(309), resource("GroupMembership", { group: 201 })],
    ["it role", "it group"],
    { options: { roles: ["309"], groups: [201] } },
  ],
  [
    "in a group that may have it",
    [assigned("system-admin"), groupRoles(["system-admin"]), group(["system-admin"], "admins")],
    [],
    { options: { allowedGroups: [204, "admins"] } },
  ],
  ["in other letters", [assigned("System-Admin")], ["it role"]],
  [
    "by an id, where the rule is mandatory and knows no ids",
    [assigned("307"), groupRoles(["analyst", "307"]), resource("GroupMembership", { group: 201 })],
    ["it role", "it roles[1]", "it group"],
    { level: "mandatory" },
  ],
  [
    "by an id, where it knows some",
    [assigned("303"), assigned("307"), resource("GroupMembership", { group: 204 })],
    ["it role"],
    { level: "mandatory", options: { roles: ["system-admin", 307], groups: ["201"] } },
  ],
]);

const role = (name: string, ...policies: unknown[]) => resource("Role", { name, policies }, { name });
const may = (what: string, ...action: string[]) => ({
  access: "allow",
  resource: what,
  ...(action.length > 0 && { action }),
});
const runner = role("runner", may("command", "create"));
const keeper = role("keeper", may("svc_user", "update"));
const team = urnOf("Group", "it");
const bothRoles = [runner.urn, keeper.urn];
const groupWith = (roles: unknown, sources: readonly string[], name: string) =>
  resource("Group", { roles, name }, { name, dependencies: { roles: sources } });
casesOf("separate-duties", [
  ["one role with both", [role("both", may("command", "create"), may("svc_user"))], ["both policies"]],
  [
    "one role with everything, unless it denies a part",
    [
      role("root", may("all", "all")),
      role("most", may("all", "all"), { access: "deny", resource: "svc_user", action: ["all"] }),
    ],
    ["root policies"],
  ],
  [
    "roles with one of them, or with less",
    [runner, keeper, role("reader", may("command", "read"), may("svc_user", "read"))],
    [],
  ],
  ["a group with two roles", [runner, keeper, group(["runner", "keeper"])], ["it roles[1]"]],
  [
    "two assignments to one group",
    [runner, keeper, assigned("runner", 204, "a"), assigned("keeper", "204", "b")],
    ["b role"],
  ],
  [
    "assignments to a group of the stack, whose id is unknown",
    [runner, keeper, group(["runner"]), assigned("keeper", unknownYet, "b", { groupId: [team] })],
    ["b role"],
  ],
  [
    "the roles of a group, and an assignment to it",
    [runner, keeper, groupRoles(["runner"], 204), assigned("keeper", 204, "b")],
    ["b role"],
  ],
  [
    "the roles of a group of the stack, whose id is unknown",
    [runner, keeper, group(["runner"]), groupRoles(["keeper"], unknownYet, { groupId: [team] })],
    ["it roles[0]"],
  ],
  [
    "roles of the stack by their ids, before and after they are known",
    [
      runner,
      keeper,
      groupWith([unknownYet, unknownYet], bothRoles, "a"),
      groupWith(["301", "302"], bothRoles, "b"),
      groupWith(unknownYet, bothRoles, "c"),
      groupWith(["runner", "302"], bothRoles, "d"),
    ],
    ["a roles", "b roles", "c roles", "d roles"],
  ],
  [
    "one by its id and one by its name, in two resources",
    [runner, keeper, groupRoles(["runner"], 204), assigned(302, 204, "b", { role: [keeper.urn] })],
    ["b role"],
  ],
  ["the same role by its name and its id", [runner, keeper, groupWith(["runner", "301"], [runner.urn], "a")], []],
  ["a name that is computed from another role", [runner, keeper, groupWith(["runner"], bothRoles, "a")], []],
  [
    "an assignment to a group of the stack by its name",
    [runner, keeper, group(["runner"]), assigned("keeper", "team", "b")],
    ["b role"],
  ],
  ["assignments to two groups", [runner, keeper, assigned("runner", 204), assigned("keeper", 205)], []],
  [
    "roles that the options name",
    [assigned("301"), assigned("hr")],
    ["it role"],
    { options: { commandRoles: [301], userRoles: ["hr"] } },
  ],
  [
    "unknown roles and groups",
    [
      runner,
      keeper,
      group(unknownYet),
      assigned("keeper", unknownYet),
      role("later", unknownYet),
      assigned(unknownYet),
    ],
    [],
  ],
]);

casesOf("roles-named-one-way", [
  [
    "both ways",
    [assigned("analyst", 204, "a"), assigned("303", 204, "b"), group([301, "analyst"])],
    ["b role", "it roles[0]"],
  ],
  ["both ways in one resource", [groupRoles(["analyst", "303"])], ["it roles[1]"]],
  ["one way", [assigned("303"), group([301])], []],
  ["the other way", [assigned("analyst"), assigned(unknownYet), group(["analyst"])], []],
]);
