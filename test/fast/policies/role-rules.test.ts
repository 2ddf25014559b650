import { unknownYet } from "../../../policies";
import { casesOf, resource, urnOf } from "./cases";

const assigned = (role: unknown, groupId: unknown = 204, name = "it", dependencies = {}) =>
  resource("GroupRoleAssignment", { role, groupId }, { name, dependencies });
const groupRoles = (roles: unknown, groupId: unknown = 204, dependencies = {}) =>
  resource("GroupRoles", { roles, groupId }, { dependencies });
const group = (roles: unknown, name: unknown = "team") => resource("Group", { roles, name });
const members = (of: unknown) => resource("GroupMembership", { group: of, users: ["ana@example.com"] });
const admin = "system-admin";
casesOf("system-admin", [
  ["a role of an assignment", "it role", assigned(admin)],
  ["of the roles of a group, and of a group", "it roles[0], it roles[1]", groupRoles([admin]), group(["x", admin])],
  ["membership of the group", "it group", members(admin)],
  ["other roles and groups", "", assigned("analyst"), groupRoles(["analyst"]), members(204)],
  [
    "unknown ones",
    "",
    assigned(unknownYet),
    ...[unknownYet, [unknownYet]].flatMap((one) => [group(one), groupRoles(one)]),
  ],
  ["in other letters", "it role", assigned("System-Admin")],
]);
casesOf("system-admin", [["by id", "it role, it group", assigned(309), members(201)]], {
  options: { roles: ["309"], groups: [201] },
});
const ofAdmins = [assigned(admin), groupRoles([admin]), group([admin], "admins")];
casesOf("system-admin", [["in a group that may have it", "", ...ofAdmins]], {
  options: { allowedGroups: [204, "admins"] },
});
const byId = [assigned("307"), groupRoles(["analyst", "307"]), members(201)];
casesOf(
  "system-admin",
  [["by an id, where it is mandatory and knows none", "it role, it roles[1], it group", ...byId]],
  {
    level: "mandatory",
  },
);
const others = [assigned("303"), assigned("307"), members(204)];
casesOf("system-admin", [["by an id, where it knows some", "it role", ...others]], {
  level: "mandatory",
  options: { roles: [admin, 307], groups: ["201"] },
});

const role = (name: string, ...policies: unknown[]) => resource("Role", { name, policies }, { name });
const may = (what: string, ...actions: string[]) => ({
  access: "allow",
  resource: what,
  action: actions.length > 0 ? actions : undefined,
});
const root = may("all", "all");
const denied = { access: "deny", resource: "svc_user", action: ["all"] };
const runner = role("runner", may("command", "create"));
const keeper = role("keeper", may("svc_user", "update"));
const reader = role("reader", may("command", "read"), may("svc_user", "read"));
const toTeam = { groupId: [urnOf("Group", "it")] };
const bothRoles = [runner.urn, keeper.urn];
const groupWith = (roles: unknown, sources: readonly string[], name = "a") =>
  resource("Group", { roles, name }, { name, dependencies: { roles: sources } });
const separateDuties: Parameters<typeof casesOf>[1] = [
  ["a group with two roles", "it roles[1]", group(["runner", "keeper"])],
  ["two assignments to one group", "b role", assigned("runner", 204, "a"), assigned("keeper", "204", "b")],
  ["assignments to two groups", "", assigned("runner", 204), assigned("keeper", 205)],
  ["the roles of a group, and an assignment to it", "b role", groupRoles(["runner"]), assigned("keeper", 204, "b")],
  ["an assignment to a group of the stack by its name", "b role", group(["runner"]), assigned("keeper", "team", "b")],
  ["by its unknown id", "b role", group(["runner"]), assigned("keeper", unknownYet, "b", toTeam)],
  [
    "the roles of a group by its unknown id",
    "it roles[0]",
    group(["runner"]),
    groupRoles(["keeper"], unknownYet, toTeam),
  ],
  ["roles of the stack by their unknown ids", "a roles", groupWith([unknownYet, unknownYet], bothRoles)],
  ["by their ids", "a roles", groupWith(["301", "302"], bothRoles)],
  ["an unknown list of them", "a roles", groupWith(unknownYet, bothRoles)],
  ["one by its name, one by its id", "a roles", groupWith(["runner", "302"], bothRoles)],
  ["in two resources", "b role", groupRoles(["runner"]), assigned(302, 204, "b", { role: [keeper.urn] })],
  ["the same role by its name and its id", "", groupWith(["runner", "301"], [runner.urn])],
  ["a name that is computed from another role", "", groupWith(["runner"], bothRoles)],
  ["unknown roles and groups", "", group(unknownYet), assigned("keeper", unknownYet), assigned(unknownYet)],
];
casesOf("separate-duties", [
  ["one role with both", "both policies", role("both", may("command", "create"), may("svc_user"))],
  ["one role with everything", "root policies", role("root", root)],
  ["one that denies a part, and unknown ones", "", role("most", root, denied), role("later", unknownYet)],
  ["roles with one of them, or with less", "", runner, keeper, reader],
  ...separateDuties.map(([about, reported, ...given]) => [about, reported, runner, keeper, ...given] as const),
]);
casesOf("separate-duties", [["roles that the options name", "it role", assigned("301"), assigned("hr")]], {
  options: { commandRoles: [301], userRoles: ["hr"] },
});

const twoWays = [assigned("analyst", 204, "a"), assigned("303", 204, "b"), group([301, "analyst"])];
casesOf("roles-named-one-way", [
  ["both ways", "b role, it roles[0]", ...twoWays],
  ["both ways in one resource", "it roles[1]", groupRoles(["analyst", "303"])],
  ["one way", "", assigned("303"), group([301])],
  ["the other way", "", assigned("analyst"), assigned(unknownYet), group(["analyst"])],
]);
