import { expect, test } from "vitest";
import { unknownYet } from "../../../policies";
import { casesOf, ruleOf } from "./cases";
import { messages, resource } from "./resource";

const policy = (...elements: unknown[]) => resource("ObjectPolicy", { policy: elements }, { isProtected: true });
const allow = (action: unknown, condition?: unknown) => ({
  access: "allow",
  ...(action ? { action } : {}),
  ...(condition ? { condition } : {}),
});
const objectGrant = (given: Record<string, unknown>) =>
  resource("ObjectGrant", { sourceType: "note", sourceId: "502", ...given });
const folderGrant = (given: Record<string, unknown>) =>
  resource("FolderGrant", { type: "notes", location: "Common", ...given });
const folderPolicy = (given: Record<string, unknown>) =>
  resource("FolderPolicy", { type: "notes", location: "Common", ...given });
const deny = (condition?: unknown) => ({ access: "deny", action: ["all"], ...(condition ? { condition } : {}) });

casesOf("deny-the-rest", [
  ["nothing denied", [policy(allow(["read"]))], ["it policy"]],
  ["not everybody denied", [policy(allow(["read"], { svcUsers: [1, 2] }), deny({ svcUsers: [1] }))], ["it policy"]],
  [
    "everybody denied",
    [policy(allow(["read"], { svcUsers: [1] }), deny({ svcUsers: ["1"] })), policy(allow(["read"]), deny())],
    [],
  ],
  ["an empty policy", [policy()], ["it policy"]],
  [
    "what destroy sets",
    [resource("FolderPolicy", { policy: [deny()], destroyPolicy: [allow(["read"])] })],
    ["it destroyPolicy"],
  ],
  [
    "unknown parts",
    [policy(allow(["read"]), unknownYet), policy(allow(unknownYet)), resource("ObjectPolicy", { policy: unknownYet })],
    [],
  ],
]);

casesOf("all-to-everybody", [
  ["all without a condition", [policy(allow(["all"]))], ["it policy[0]"]],
  ["no action, presumably every one", [policy(deny(), allow(undefined))], ["it policy[1]"]],
  ["an empty condition", [policy(allow(["all"], { svcUsers: [], svcGroups: [] }))], ["it policy[0]"]],
  ["some actions, some users, or a denial", [policy(allow(["read"]), allow(["all"], { svcGroups: [1] }), deny())], []],
  [
    "unknown who",
    [
      policy(
        allow(["all"], unknownYet),
        allow(["all"], { svcGroups: unknownYet }),
        allow(["all"], { svcUsers: [unknownYet] }),
      ),
    ],
    [],
  ],
  ["unknown what", [policy(allow(unknownYet), allow([unknownYet]), unknownYet)], []],
  [
    "a grant, and an element, for a group that everybody is in",
    [
      objectGrant({ group: 203, allow: ["all", "manage"] }),
      folderGrant({ group: "203", allow: ["all"] }),
      policy(allow(["all"], { svcGroups: [204, "0203"] })),
    ],
    ["it allow", "it allow", "it policy[0]"],
    { options: { everybodyGroups: [203] } },
  ],
  ["the actions that all stands for", [policy(allow(["read", "update", "delete"]))], ["it policy[0]"]],
  [
    "one action in each element",
    [policy(allow(["read"]), allow(["update"], { svcGroups: [7] }), allow(["update"]), allow(["delete"]))],
    ["it policy[3]"],
  ],
  [
    "in a folder, where all stands for others",
    [
      folderPolicy({ policy: [allow(["read", "write"])] }),
      folderGrant({ group: "everyone", allow: ["write", "read"] }),
      folderPolicy({ policy: [allow(["read", "update", "delete"])] }),
    ],
    ["it policy[0]", "it allow"],
  ],
  ["in a grant", [objectGrant({ group: "everyone", allow: ["delete", "update", "read"] })], ["it allow"]],
  [
    "a policy, and another one that destroy sets, are not one",
    [resource("ObjectPolicy", { policy: [allow(["read"])], destroyPolicy: [allow(["update", "delete"])] })],
    [],
  ],
  ["a part of them, and unknown ones", [policy(allow(["read", "update"]), allow([unknownYet]))], []],
  ["a group that is called everyone", [objectGrant({ group: "everyone", allow: ["all"] })], ["it allow"]],
  [
    "grants of less, to fewer, of unknown actions and to unknown groups",
    [
      objectGrant({ group: 203, allow: ["read"], deny: ["all"] }),
      objectGrant({ group: 204, allow: ["all"] }),
      objectGrant({ user: 104, allow: ["all"] }),
      objectGrant({ group: 203, allow: unknownYet }),
      folderGrant({ group: unknownYet, allow: ["all"] }),
    ],
    [],
    { options: { everybodyGroups: [203] } },
  ],
]);

casesOf("manage-by-groups", [
  [
    "everybody, and single users",
    [policy(allow(["manage"]), allow(["read", "manage"], { svcUsers: [1], svcGroups: [2] }))],
    ["it policy[0]", "it policy[1]"],
  ],
  ["no action, presumably every one", [policy(allow(undefined, { svcUsers: [1] }))], ["it policy[0]"]],
  ["groups, whichever", [policy(allow(["manage"], { svcGroups: [2] }))], []],
  [
    "other groups than those named",
    [policy(allow(["manage"], { svcGroups: [2, "3"] }))],
    ["it policy[0]"],
    { options: { groups: [3] } },
  ],
  [
    "the groups named, as numbers or text",
    [policy(allow(["manage"], { svcGroups: [2, "3"] }))],
    [],
    { options: { groups: ["2", 3] } },
  ],
  [
    "all does not include it",
    [policy(allow(["all"], { svcUsers: [1] })), objectGrant({ user: 1, allow: ["all"] })],
    [],
  ],
  [
    "grants, and policies of folders",
    [
      objectGrant({ user: 104, allow: ["read", "manage"] }),
      folderGrant({ group: 204, allow: ["manage"] }),
      objectGrant({ group: 3, allow: ["manage"] }),
      objectGrant({ user: 104, allow: ["read"], deny: ["manage"] }),
      resource("FolderPolicy", { policy: [allow(["manage"], { svcGroups: [3] }), allow(["manage"])] }),
    ],
    ["it allow", "it allow", "it policy[1]"],
    { options: { groups: [3] } },
  ],
  [
    "a group that everybody is in, although any group may have it",
    [objectGrant({ group: 203, allow: ["all", "manage"] }), objectGrant({ group: 204, allow: ["manage"] })],
    ["it allow"],
    { options: { everybodyGroups: [203] } },
  ],
  [
    "unknown groups",
    [policy(allow(["manage"], { svcGroups: [unknownYet] }), allow(["manage"], unknownYet))],
    [],
    { options: { groups: [3] } },
  ],
]);

casesOf("protected-policies", [
  [
    "without and with protect",
    [resource("FolderPolicy", {}), resource("ObjectPolicy", {}, { isProtected: true })],
    ["it has"],
  ],
]);
casesOf("protected-data", [
  [
    "without and with protect",
    [resource("Account"), resource("DataStore"), resource("Account", {}, { isProtected: true }), resource("Folder")],
    ["it has", "it has"],
  ],
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
