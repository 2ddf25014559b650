import { expect, test } from "vitest";
import { unknownYet } from "../../../policies";
import { casesOf, messages, resource, ruleOf } from "./cases";

const policy = (...elements: unknown[]) => resource("ObjectPolicy", { policy: elements }, { isProtected: true });
const folderPolicy = (...elements: unknown[]) => resource("FolderPolicy", { policy: elements });
const objectGrant = (given: Record<string, unknown>) => resource("ObjectGrant", given);
const folderGrant = (given: Record<string, unknown>) => resource("FolderGrant", given);
const allow = (action: unknown, condition?: unknown) => ({ access: "allow", action, condition });
const deny = (condition?: unknown) => ({ access: "deny", action: ["all"], condition });
const all = (to: object) => ({ ...to, allow: ["all"] });
const twoPolicies = (type: string, before: unknown, after: unknown) =>
  resource(type, { policy: [before], destroyPolicy: [after] });

casesOf("deny-the-rest", [
  ["nothing denied", "it policy", policy(allow(["read"]))],
  ["not everybody denied", "it policy", policy(allow(["read"], { svcUsers: [1, 2] }), deny({ svcUsers: [1] }))],
  ["everybody denied, as text", "", policy(allow(["read"], { svcUsers: [1] }), deny({ svcUsers: ["1"] }))],
  ["everybody denied, by no condition", "", policy(allow(["read"]), deny())],
  ["an empty policy", "it policy", policy()],
  ["what destroy sets", "it destroyPolicy", twoPolicies("FolderPolicy", deny(), allow(["read"]))],
  ["an unknown element, and an unknown action", "", policy(allow(["read"]), unknownYet), policy(allow(unknownYet))],
  ["an unknown policy", "", resource("ObjectPolicy", { policy: unknownYet })],
]);

const some = allow(["all"], { svcGroups: [1] });
const folderOfAll = folderPolicy(allow(["read", "write"]));
casesOf("all-to-everybody", [
  ["all without a condition", "it policy[0]", policy(allow(["all"]))],
  ["no action, presumably every one", "it policy[1]", policy(deny(), allow(undefined))],
  ["an empty condition", "it policy[0]", policy(allow(["all"], { svcUsers: [], svcGroups: [] }))],
  ["some actions, some users, or a denial", "", policy(allow(["read"]), some, deny())],
  ["unknown who", "", policy(...[unknownYet, { svcGroups: unknownYet }].map((who) => allow(["all"], who)))],
  ["an unknown user", "", policy(allow(["all"], { svcUsers: [unknownYet] }))],
  ["unknown what", "", policy(allow(unknownYet), allow([unknownYet]), unknownYet)],
  ["the actions that all stands for", "it policy[0]", policy(allow(["read", "update", "delete"]))],
  ["one in each element", "it policy[3]", policy(allow(["read"]), some, allow(["update"]), allow(["delete"]))],
  ["those of a folder, where all stands for others", "it policy[0]", folderOfAll],
  ["those of an object in a folder", "", folderPolicy(allow(["read", "update", "delete"]))],
  ["those of a folder in a grant", "it allow", folderGrant({ group: "everyone", allow: ["write", "read"] })],
  ["those in a grant", "it allow", objectGrant({ group: "everyone", allow: ["delete", "update", "read"] })],
  [
    "a policy, and another that destroy sets",
    "",
    twoPolicies("ObjectPolicy", allow(["read"]), allow(["update", "delete"])),
  ],
  ["a part of them, and unknown ones", "", policy(allow(["read", "update"]), allow([unknownYet]))],
  ["a group that is called everyone", "it allow", objectGrant({ group: "everyone", allow: ["all"] })],
]);

const everybody = { options: { everybodyGroups: [203] } };
casesOf(
  "all-to-everybody",
  [
    ["a grant for a group that everybody is in", "it allow", objectGrant({ group: 203, allow: ["all", "manage"] })],
    ["one for a folder, with the id as text", "it allow", folderGrant({ group: "203", allow: ["all"] })],
    ["an element for it", "it policy[0]", policy(allow(["all"], { svcGroups: [204, "0203"] }))],
    ["a grant of less", "", objectGrant({ group: 203, allow: ["read"], deny: ["all"] })],
    ["of unknown actions", "", objectGrant({ group: 203, allow: unknownYet })],
    ["to another group, and to a user", "", ...[{ group: 204 }, { user: 104 }].map(all).map(objectGrant)],
    ["to an unknown group", "", folderGrant({ group: unknownYet, allow: ["all"] })],
  ],
  everybody,
);

const groupsManage = policy(allow(["manage"], { svcGroups: [2, "3"] }));
casesOf("manage-by-groups", [
  ["everybody", "it policy[0]", policy(allow(["manage"]))],
  ["single users", "it policy[0]", policy(allow(["read", "manage"], { svcUsers: [1], svcGroups: [2] }))],
  ["no action, presumably every one", "it policy[0]", policy(allow(undefined, { svcUsers: [1] }))],
  ["groups, whichever", "", policy(allow(["manage"], { svcGroups: [2] }))],
  ["all does not include it", "", policy(allow(["all"], { svcUsers: [1] })), objectGrant(all({ user: 1 }))],
]);
const third = { options: { groups: [3] } };
const folderManagers = folderPolicy(allow(["manage"], { svcGroups: [3] }), allow(["manage"]));
casesOf(
  "manage-by-groups",
  [
    ["other groups than those named", "it policy[0]", groupsManage],
    ["a grant to a user", "it allow", objectGrant({ user: 104, allow: ["read", "manage"] })],
    ["a grant to another group", "it allow", folderGrant({ group: 204, allow: ["manage"] })],
    ["a grant to one that is named", "", objectGrant({ group: 3, allow: ["manage"] })],
    ["a denial", "", objectGrant({ user: 104, allow: ["read"], deny: ["manage"] })],
    ["the policy of a folder", "it policy[1]", folderManagers],
    ["unknown groups", "", policy(allow(["manage"], { svcGroups: [unknownYet] }), allow(["manage"], unknownYet))],
  ],
  third,
);
casesOf("manage-by-groups", [["the groups named, as numbers or text", "", groupsManage]], {
  options: { groups: ["2", 3] },
});
const anyGroup = [203, 204].map((group) => objectGrant({ group, allow: ["all", "manage"] }));
casesOf("manage-by-groups", [["any group but one that everybody is in", "it allow", ...anyGroup]], everybody);

casesOf("protected-policies", [
  ["without protect", "it has", resource("FolderPolicy")],
  ["with it", "", resource("ObjectPolicy", {}, { isProtected: true })],
]);
casesOf("protected-data", [
  ["without protect", "it has, it has", resource("Account"), resource("DataStore"), resource("Folder")],
  ["with it", "", resource("Account", {}, { isProtected: true })],
]);

test("what is not protected is described as what it is", () => {
  const [account] = messages(ruleOf("protected-data"), [resource("Account")]);
  expect(account).toMatch(/loses its token, .* on the TeamEnvironment if it is part of one/);
  const [store] = messages(ruleOf("protected-data"), [resource("DataStore")]);
  expect(store).toMatch(/^DataStore it: has no protect\. .*data store/);
  expect(store).not.toMatch(/account|token/);
  // A rename keeps the policy: docs/moving.md.
  expect(messages(ruleOf("protected-policies"), [resource("ObjectPolicy")])[0]).not.toContain("rename");
});
