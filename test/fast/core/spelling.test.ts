import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { knownState, reconcile } from "../../../provider/core/diff";
import {
  anythingAsText,
  inCamelCase,
  inDeclaredForm,
  mayMeanTheSame,
  pathInCamelCase,
} from "../../../provider/core/spelling";
import { submitCommand } from "../../../provider/functions/submit-command";
import { account } from "../../../provider/resources/account";
import { command } from "../../../provider/resources/command";
import { group } from "../../../provider/resources/group";
import { groupRoles } from "../../../provider/resources/group-roles";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { packageSet } from "../../../provider/resources/package-set";
import { partitionSensor } from "../../../provider/resources/partition-sensor";
import { root } from "../../harness/engine";

describe("names as Python writes them", () => {
  test.each([
    ["in an object", { tableRefresh: { db_name: "sales", hive_table: "orders" } }],
    ["in a union", { tableRefresh: { dbName: "sales", hiveTable: "orders" }, wait: { timeout_seconds: 30 } }],
    ["with digits and capitals", { s3DistCp: { s3_sse_algorithm: "SSE-C", src_s3_endpoint: "s3.example.com" } }],
  ])("are understood %s", (_, inputs) => {
    const read = JSON.stringify(inCamelCase(submitCommand.inputs, inputs));
    expect(read).not.toContain("_");
    expect(submitCommand.inputs.safeParse(JSON.parse(read)).error?.issues ?? []).not.toContainEqual(
      expect.objectContaining({ code: "unrecognized_keys" }),
    );
  });

  test("are understood in a list", () => {
    const columns = [{ column: "day", values: ["2026-01-01"] }];
    expect(inCamelCase(partitionSensor.inputs, { columns, wait: { interval_seconds: 2 } })).toEqual({
      columns,
      wait: { intervalSeconds: 2 },
    });
  });

  test("stay where they are the user's own, or not known, or given twice", () => {
    const inputs = {
      triggers: { data_version: "7" },
      macros: [{ first_day: "Date.now" }],
      spark: { no_such_thing: "x" },
      wait: { timeout_seconds: 1, timeoutSeconds: 2 },
    };
    expect(inCamelCase(command.inputs, inputs)).toEqual(inputs);
  });

  test("name the same secret", () => {
    expect(pathInCamelCase(submitCommand.inputs, ["s3DistCp", "encryption_key"])).toEqual([
      "s3DistCp",
      "encryptionKey",
    ]);
    expect(pathInCamelCase(submitCommand.inputs, ["s3DistCp"])).toEqual(["s3DistCp"]);
  });
});

test.each([
  [groupRoles, { groupId: "262", roles: ["a"] }, { groupId: "262" }],
  [objectPolicy, { sourceId: 502 }, { sourceId: "502" }],
  [objectPolicy, policyOf(["204", 205]), policyOf(["204", 205])],
])("$type: ids have the form that the output types promise", ({ inputs }, given, promised) => {
  expect(inDeclaredForm(inputs, given)).toMatchObject(promised);
});

function policyOf(svcGroups: unknown[]) {
  return { policy: [{ access: "allow", action: ["read"], condition: { svcGroups } }] };
}

describe("a text that the platform stores in another spelling", () => {
  const seen = (definition: Parameters<typeof reconcile>[0], given: string, shown: string) =>
    reconcile(definition, { name: given }, { name: shown }, false)["name"];

  test.each([
    ["Team Blue ", "Team Blue"],
    ["R&D <1>", "R&amp;D &lt;1&gt;"],
    ["Caf\u0065\u0301", "Caf\u00e9"],
    // Some platforms keep names in small letters.
    ["Team", "team"],
    ["Team", "Teams", "Teams"],
  ])("is no drift, but another one is: %j shown as %j", (given, shown, kept = given) => {
    expect([account, group].map((definition) => seen(definition, given, shown))).toEqual([kept, kept]);
  });
});

test("what an update has taken away stays away, although the engine keeps the inputs of before", () => {
  const packages = { envId: 403, sourceType: "r_package", packages: ["aa"] };
  expect(knownState(packageSet, { ...packages, repoPackages: [] }, packages)).toEqual(packages);
  const imported = { name: "Blue", __unseen: ["defloc", "awsRegion"] };
  const given = { name: "Green", defloc: "s3://blue" };
  expect(knownState(account, given, imported)).toEqual({ ...imported, defloc: "s3://blue" });
});

test("a result that can be anything is text, as the schema says: Python's SDK accepts only dictionaries for others", () => {
  const command = { id: "7", status: "done", qlog: '{"a":1}', resolvedMacros: [{ day: 1 }], command: { query: "x" } };
  expect(anythingAsText(submitCommand.outputs, command)).toEqual({ ...command, resolvedMacros: '[{"day":1}]' });
  const { functions } = JSON.parse(readFileSync(join(root, "sdk/schema.json"), "utf8"));
  const { outputs } = functions["dataplatform:index:submitCommand"];
  expect([outputs.properties.qlog.type, outputs.properties.resolvedMacros.type]).toEqual(["string", "string"]);
});

test.each([
  ["role analyst of group 204", "role 301 of group 204", true],
  ["role analyst of group 204", "role Analyst of group 0204", true],
  ["role analyst of group 204", "role analyst of group Data Engineers", true],
  ["role analyst of group 204", "role reviewer of group 204", false],
  ["role analyst of group 204", "role analyst of group 205", false],
])("%s and %s: may be the same thing: %s", (one, other, may) => {
  expect(mayMeanTheSame(one, other)).toBe(may);
  expect(mayMeanTheSame(other, one)).toBe(may);
});
