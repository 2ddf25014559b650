import { expect, test } from "vitest";
import { z } from "zod";
import { checkInputs } from "../../../provider/core/check";
import { unknownValue } from "../../../provider/core/engine-values";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { command } from "../../../provider/resources/command";
import { folder } from "../../../provider/resources/folder";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { objectGrant } from "../../../provider/resources/object-grant";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { packageSet } from "../../../provider/resources/package-set";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";

const reasonsOf = (definition: Parameters<typeof checkInputs>[0], inputs: Record<string, unknown>) =>
  checkInputs(definition, inputs).map(({ property, reason }) => `${property} ${reason}`);

test("advice is given for what is new, not with every run", () => {
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const life = new Lifecycle(whitelistedIp, { log, client: () => Promise.reject(new Error("not asked")) } as never);
  const inputs = { ipCidr: "0.0.0.0/0" };
  life.check(inputs);
  expect(warnings).toHaveLength(1);
  life.check(inputs, { old: { ...inputs, createdAt: "today" } });
  expect(warnings).toHaveLength(1);
  life.check(inputs, { old: { ipCidr: "203.0.113.7" } });
  expect(warnings).toHaveLength(2);
});

test.each([
  "Calling __str__ on an Output[T] is not supported.\n\nTo get the value of an Output[T] as an Output[str]…",
  "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value…",
])("an output that was put into a text is named, once: %s", (text) => {
  const says =
    "is an Output that was put into a text; pass the output itself, or use apply (pulumi.Output.concat / pulumi.interpolate)";
  expect(reasonsOf(whitelistedIp, { ipCidr: `${text}/32` })).toEqual([`ipCidr ${says}`]);
  const policy = [{ access: "allow", action: ["read"], condition: { svcUsers: [text] } }];
  expect(reasonsOf(objectPolicy, { sourceType: "none", sourceId: "501", policy })).toEqual([
    `policy[0].condition.svcUsers[0] ${says}`,
    expect.stringMatching(/^sourceType is "none"; expected one of/),
  ]);
});

test.each(["numpy", { $: 1 }, unknownValue])("a changed input that cannot be compared is no crash: %j", (packages) => {
  const old = { envId: 403, sourceType: "python_package", packages: ["pandas"] };
  const { failures } = new Lifecycle(packageSet, { log: console } as never).check({ ...old, packages }, { old });
  expect(failures.map(({ property }) => property)).toEqual(packages === unknownValue ? [] : ["packages"]);
});

test.each([
  [ipWhitelist, { addreses: [], addresses: ["10.0.0.1"] }, "addreses is not a known property; did you mean addresses?"],
  [folder, { folder_id: "1" }, "folder_id is not a known property; did you mean folderId?"],
  [folder, { foldr_id: "1" }, "foldr_id is not a known property; did you mean folderId (in Python folder_id)?"],
  [command, { spark: { sql: "x", langauge: "sql" } }, "spark.langauge is not a known property; did you mean language?"],
  [command, { s3DistCp: { src: "a", dst: "b" } }, "s3DistCp.dst is not a known property; did you mean dest?"],
  [
    objectPolicy,
    { sourceType: "note", sourceId: "1", policy: [{ access: "deny", condition: { svc_users: [1] } }] },
    "policy[0].condition.svc_users is not a known property; did you mean svcUsers?",
  ],
  [
    packageSet,
    { envId: 403, sourceType: "python_package", packages: ["numpy", { nam: "pandas" }] },
    "packages[1].nam is not a known property; did you mean name?",
  ],
  [
    command,
    { spark: { sql: "x" }, wait: { seconds: 5 } },
    "expected one of timeoutSeconds, intervalSeconds, timeout, interval",
  ],
])("misspelled properties suggest the intended name, at any depth", (definition, inputs, says) => {
  expect(reasonsOf(definition, inputs).join("\n")).toContain(says);
});

test.each([
  [ipWhitelist, { adresses: ["10.0.0.1"] }, ["adresses is not a known property; did you mean addresses?"]],
  [
    objectPolicy,
    { sourceType: "note", sourceId: "1", policy: [{ acces: "deny" }], onDestory: "keep" },
    [
      "onDestory is not a known property; did you mean onDestroy?",
      "policy[0].acces is not a known property; did you mean access?",
    ],
  ],
  [
    objectGrant,
    { sourceType: "note", sourceId: "1", usr: 5, alow: ["read"] },
    ["usr is not a known property; did you mean user?", "alow is not a known property; did you mean allow?"],
  ],
  [command, { sprk: { sql: "x" } }, ["sprk is not a known property; did you mean spark?"]],
])("a misspelt property is one error: the one that was meant is not missing too", (definition, inputs, reasons) => {
  expect(reasonsOf(definition, inputs)).toEqual(reasons);
});

test.each([
  [objectPolicy, { sourceType: "clustr", sourceId: "1", policy: [] }, "sourceType"],
  [groupRoles, { groupId: 204, roles: ["analyst"], exclusive: "yes" }, "exclusive"],
  [whitelistedIp, { ipCidr: "10.0.0.1", description: 5 }, "description"],
])("a wrong value is one error, and not about the extended API", (definition, inputs, property) => {
  const host = { client: () => expect.unreachable(), log: { info() {}, warn() {} } };
  const { failures } = new Lifecycle(definition, host).check(inputs);
  expect(failures.map(({ property: name }) => name)).toEqual([property]);
  expect(failures[0]!.reason).not.toContain("extended API");
});

test.each([
  [{ groupId: 205.5, role: "analyst" }, ["groupId must be an integer or a string, but is 205.5"]],
  [{ groupId: -1, role: "analyst" }, ["groupId must be a positive integer"]],
])("a value that fits no alternative is told once what they are: %j", (inputs, reasons) => {
  expect(reasonsOf(groupRoleAssignment, inputs)).toEqual(reasons);
});

test("another value is meant only if it begins alike", () => {
  const inputs = z.object({ region: z.enum(["ca-central-1", "us-east-1"]) });
  const expected = 'expected one of "ca-central-1", "us-east-1"';
  expect(reasonsOf({ inputs }, { region: "eu-central-1" })).toEqual([`region is "eu-central-1"; ${expected}`]);
  expect(reasonsOf({ inputs }, { region: "us-eats-1" })).toEqual([
    `region is "us-eats-1"; ${expected}; did you mean "us-east-1"?`,
  ]);
});

test("a number instead of a string says how to write it", () => {
  const inputs = z.object({ name: z.string() });
  expect(reasonsOf({ inputs }, { name: 501 })).toEqual(['name must be a string, but is 501; write it as "501"']);
  expect(reasonsOf({ inputs }, { name: ["a"] })).toEqual(["name must be a string, but is an array"]);
});
