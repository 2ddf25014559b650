import { describe, expect, test } from "vitest";
import { leftIn, whitelistLines } from "../../../cli/pipeline/differences";
import { type Planned, planIn, plannedResources } from "../../../cli/pipeline/planned";
import { composed } from "../../../cli/pipeline/report";
import { changesPart, headlineOf, inComment, inFull, outputsPart } from "../../../cli/pipeline/seal-report";
import { prose } from "../../../cli/report/markdown";
import { unknownValue } from "../../../provider/core/engine-values";
import { encryptedSecret } from "../../harness/secret-values";
import { planned, urn } from "./planned";

/* What a row says is all that somebody reads before it is approved. */

const row = (one: Planned, limits = inComment) => changesPart([one], new Map(), limits).lines.slice(1).join();

describe("lists", () => {
  const told = (before: readonly unknown[], after: readonly unknown[]) =>
    row(planned({ urn: urn("a"), op: "update", before: { list: before }, after: { list: after } })).split(
      "`list`: ",
    )[1];

  const other = 'in another order: `["b","a","c","c","a"]`';

  test.each([
    ["what is added", ["a", "b"], ["a", "b", "c"], "+ `c` |"],
    ["what goes", ["a", "b", "c"], ["a", "c"], "− `b` |"],
    ["one more of the same", ["a", "b"], ["a", "b", "b"], "+ `b` |"],
    ["one less of the same", ["a", "a", "b"], ["a", "b"], "− `a` |"],
    ["only the order", ["a", "b"], ["b", "a"], '`["a","b"]` → `["b","a"]` |'],
    ["the order of what stays", ["a", "b"], ["b", "a", "c"], '+ `c`, and in another order: `["b","a","c"]` |'],
    ["order and number", ["a", "b"], ["b", "a", "c", "c", "a"], `+ \`c\` + \`c\` + \`a\`, and ${other} |`],
  ])("%s", (_what, before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  test("a deny that comes before its allow now does not hide behind a third", () => {
    const [allow, deny, third] = ["allow", "deny", "audit"].map((access) => ({ access, action: ["read"] }));
    expect(told([allow, deny], [deny, allow, third])).toContain('another order: `[{"access":"deny"');
  });
});

describe("types that are not ours", () => {
  const posing = planned({
    urn: "urn:pulumi:dev::platform::x:y:WhitelistedIp::office2",
    type: "x:y:WhitelistedIp",
    isCustom: false,
    after: { ipCidr: "203.0.113.9" },
  });

  test("are shown as they are; a component with one of our types is said to be one, and whitelists nothing", () => {
    expect(row(posing)).toMatch(/^\| create \| component `x:y:WhitelistedIp` `office2` \|/);
    expect(row({ ...posing, isCustom: true })).toMatch(/^\| create \| `x:y:WhitelistedIp` /);
    const type = "dataplatform:index:WhitelistedIp";
    const one = { ...posing, urn: posing.urn.replace("x:y:WhitelistedIp", type), type };
    expect(row(one)).toMatch(/^\| create \| component `WhitelistedIp` /);
    expect(whitelistLines([one])).toEqual([]);
    expect(whitelistLines([{ ...one, isCustom: true }])).toHaveLength(1);
    const repaired = { ...one, isCustom: true, op: "create", before: one.after ?? {} };
    expect(whitelistLines([repaired]), "what a repair creates again").toHaveLength(1);
  });
});

test("outputs of the stack are listed as the plan allows them to become, secrets masked", () => {
  const urn = "urn:pulumi:dev::platform::pulumi:pulumi:Stack::platform-dev";
  const old = { gone: "x", kept: 1, ids: ["a", "b"], key: encryptedSecret("v1:canary1"), url: "https://a" };
  const outputDiff = {
    adds: { "new|er": unknownValue },
    deletes: ["gone"],
    updates: { ids: ["a", "b", "c"], key: encryptedSecret("v1:canary2"), url: "https://b" },
  };
  const plan = { [urn]: { goal: { type: "pulumi:pulumi:Stack", custom: false, outputDiff }, steps: ["same"] } };
  const { resourcePlans } = planIn(JSON.stringify({ resourcePlans: plan }));
  const all = plannedResources(resourcePlans, [{ urn, type: "pulumi:pulumi:Stack", outputs: old }]);
  expect(outputsPart(all).lines.slice(1)).toEqual([
    "| `gone` | removed |",
    "| `ids` | + `c` |",
    "| `key` | `[secret]` → `[secret]` |",
    "| `url` | `https://a` → `https://b` |",
    "| `new\\|er` | `known after the update` |",
  ]);
  expect(headlineOf(all)).toBe("No changes, except for 5 outputs of the stack.");
  expect(outputsPart([planned({ urn })]).lines).toEqual([]);
});

test("the whole report leaves nothing out: ids of imports and names", () => {
  const long = `${"x".repeat(500)}/end`;
  const [importing, named] = [
    planned({ urn: urn("a"), op: "import", importId: long }),
    planned({ urn: urn(long), after: { [`${long}-property`]: 1 }, provider: urn(`${long}-provider`) }),
  ];
  expect(row(importing, inFull)).toContain(`${long}\``);
  for (const end of ["/end`", "/end-property`", "/end-provider`"]) expect(row(named, inFull)).toContain(end);
  // What is taken over is what people approve.
  expect(row(importing)).toContain(`${long}\``);
});

test("neither mathematics nor letters from right to left change how our own words are read", () => {
  expect(prose("$\\color{red}x$")).not.toContain("$");
  const arabic = "\u0645\u0631\u062d\u0628\u0627";
  expect(prose(arabic)).toBe(`\u2068${arabic}\u2069`);
  expect(row(planned({ urn: urn(arabic), after: { a: 1 } }))).toContain(`\`\u2068${arabic}\u2069\``);
});

describe("what a removal leaves behind", () => {
  const type = "pulumi-nodejs:dynamic/dataplatform:DataStore";
  const urn = `urn:pulumi:dev::p::${type}::sales`;
  const outputs = { assignedName: "sales", dbPasswd: encryptedSecret("y") };
  const exported = { deployment: { resources: [{ urn, type, id: "601", outputs }] } };
  const config = [["dataplatform:baseUrl", "https://api.example.com"]] as const;
  const told = (op: string, plain: readonly (readonly [string, string])[]) =>
    composed([], [], [changesPart([planned({ urn, op })], leftIn(exported, plain))]);

  test("is said beside what is deleted or replaced, if the API that it goes by cannot remove it", () => {
    const stays = /\| .*data store 601 \(sales\) stays on the platform: the API cannot remove it/;
    for (const op of ["delete", "replace"]) expect(told(op, config)).toMatch(stays);
    expect(told("update", config)).not.toMatch(stays);
    for (const other of [[...config, ["dataplatform:extendedApi", "true"]] as const, []])
      expect(told("delete", other)).not.toContain("stays");
  });

  test.each([
    [{ originalPolicy: [] }, "ObjectPolicy", /puts back the policy .* changed it since: &#91;&#93; \|/],
    [{ onDestroy: "clear", originalPolicy: [] }, "ObjectPolicy", /sets the policy &#91;&#93; \|/],
    [{}, "ObjectPolicy", /the one before it is not known \|/],
    [{ onDestroy: "keep" }, "ObjectPolicy", /stays on the platform as last set/],
    [{ roles: ["a", "b"] }, "GroupRoles", /unassigns a, b, also what the group had before \|/],
    [{ roles: ["a", "b"], alreadyAssigned: ["b"] }, "GroupRoles", /unassigns a \|/],
    [{ roles: encryptedSecret("a") }, "GroupRoles", /what it sets is a secret in the state \|/],
    [{ location: encryptedSecret("y") }, "Folder", /stays on the platform at &#91;secret&#93;,/],
  ])("what a delete does then: %j of %s", (outputs, name, says) => {
    const type = `dataplatform:index:${name}`;
    const one = { urn: `urn:pulumi:dev::p::${type}::it`, type, id: "1", outputs };
    const inputs = { sourceType: "note", sourceId: "501", ...outputs };
    const left = leftIn({ deployment: { resources: [{ ...one, inputs }] } }, config);
    expect(composed([], [], [changesPart([planned({ urn: one.urn, op: "delete" })], left)])).toMatch(says);
  });
});
