import { describe, expect, test } from "vitest";
import { planIn, plannedResources, previewOf, unplannedResources } from "../../../cli/pipeline/planned";
import { Refused } from "../../../cli/pipeline/refused";
import { judgePlan, readRules } from "../../../cli/pipeline/rules";
import { refuseOtherForms } from "../../../cli/pipeline/secrets";
import { signatures, unknownValue } from "../../../provider/core/engine-values";
import { plainSecret } from "../../harness/secret-values";
import { urn } from "./planned";

/* The rules are judged on the plan and the state alone: what a program printed does not count. */

const type = "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp";
const goal = (inputDiff: object, more: object = {}) => ({ type, name: "x", custom: true, inputDiff, ...more });
const mandatory = readRules('{"all":"advisory","whole-internet":"mandatory"}');
const off = readRules('{"all":"disabled"}');
const state = [{ urn: urn("office"), type, inputs: { ipCidr: "203.0.113.7" }, outputs: { ipCidr: "203.0.113.7" } }];

const stateNamed = (name: string) => ({ urn: urn(name), type, inputs: { ipCidr: "203.0.113.7" } });

const plansIn = (plans: object) => planIn(JSON.stringify({ resourcePlans: plans })).resourcePlans;
const plannedHere = (plans: object, resources: Parameters<typeof plannedResources>[1] = state) =>
  plannedResources(plansIn(plans), resources);

const judged = (plans: object, configs = [mandatory]) =>
  judgePlan(plannedHere(plans), configs, new Map())
    .filter(({ rule }) => rule.name === "whole-internet")
    .map(({ level, message }) => `${level}: ${message}`);
const creating = (ipCidr: unknown) => ({ [urn("new")]: { goal: goal({ adds: { ipCidr } }), steps: ["create"] } });
const wide = { updates: { ipCidr: "0.0.0.0/0" } };
const changing = (...steps: string[]) => ({ [urn("office")]: { goal: goal(wide), steps } });

test.each([
  ["created", creating("0.0.0.0/0")],
  ["changed", changing("update")],
  ["replaced", changing("create-replacement", "replace")],
  ["secret", creating(plainSecret("0.0.0.0/0"))],
])("the whole internet, %s by a plan, is a mandatory violation", (_how, plans) => {
  expect(judged(plans)).toEqual([expect.stringMatching(/^mandatory: WhitelistedIp \w+: ipCidr is 0\.0\.0\.0\/0/)]);
});

test("a change that turns the rule off does not count: the stricter of both does", () => {
  const plans = creating("0.0.0.0/0");
  expect(judged(plans, [mandatory, off])).toHaveLength(1);
  expect(judged(plans, [off, mandatory])).toEqual([expect.stringMatching(/^mandatory/)]);
  expect(judged(plans, [readRules(undefined), mandatory])).toEqual([expect.stringMatching(/^mandatory/)]);
});

test("a rule that lacks an option is a warning, unless the change sets it", () => {
  const type = "pulumi-nodejs:dynamic/dataplatform:ObjectPolicy";
  const plans = { [`urn:pulumi:dev::platform::${type}::note`]: { goal: { type, custom: true }, steps: ["create"] } };
  const told = (...rules: unknown[]) => {
    const configs = rules.map((rule) => readRules(JSON.stringify({ all: "disabled", "all-to-everybody": rule })));
    const findings = judgePlan(plannedHere(plans, []), configs, new Map());
    return findings.map(({ level, message }) => `${level}: ${message}`);
  };
  const [lacking, set] = ["mandatory", { enforcementLevel: "mandatory", everybodyGroups: [203] }];
  const cannot = /^advisory: the rule all-to-everybody cannot judge .* everybodyGroups is not set/;
  expect(told(lacking, lacking)).toEqual([expect.stringMatching(cannot)]);
  expect(told(lacking, set)).toEqual([]);
});

test("what is removed, and what stays as it was, is not a violation", () => {
  const unchanged = { [urn("office")]: { goal: goal({}), steps: ["same"] } };
  const before = [{ urn: urn("wide"), type, inputs: { ipCidr: "0.0.0.0/0" } }];
  const removed = plannedHere({ [urn("wide")]: { steps: ["delete"] } }, before);
  expect(judgePlan([...removed, ...plannedHere(unchanged)], [mandatory], new Map())).toEqual([]);
  expect(judged(unchanged)).toEqual([]);
});

describe("a plan that takes the stack's addresses off the whitelist", () => {
  const removal = { [urn("office")]: { steps: ["delete"] } };
  const other = { [urn("new")]: { goal: goal({ adds: { ipCidr: "192.0.2.1" } }), steps: ["create"] } };
  const without = "without 203.0.113.7, which its policies require";

  test.each([
    ["all of them", {}, "has nothing left on the whitelist", 0],
    ["those that the rules require", { addresses: ["203.0.113.7"] }, without, 1],
  ])("%s", (_what, option, words, besideOthers) => {
    const own = { enforcementLevel: "mandatory", ...option };
    const config = readRules(JSON.stringify({ all: "disabled", "way-back-in": own }));
    const told = (plans: object) => judgePlan(plannedHere(plans), [config], new Map()).map(({ message }) => message);
    expect(told(removal)).toEqual([expect.stringContaining(words)]);
    expect(told({ ...removal, ...other })).toHaveLength(besideOthers);
  });
});

/** An alias as the engine writes it into a plan. */
const noAlias = { URN: "", Name: "", Type: "", Project: "", Stack: "", Parent: "", NoParent: false };
const alias = (more: object) => ({ ...noAlias, ...more });
const component = "urn:pulumi:dev::platform::team:index:Team::";

test.each([
  ["its old name", { structuredAliases: [alias({ Name: "office" })] }],
  ["its old URN", { structuredAliases: [alias({ URN: urn("office") })] }],
])("what an alias renames is judged with what it has: %s", (_how, named) => {
  const [one] = plannedHere({ [urn("hq")]: { goal: goal({ updates: { adopt: true } }, named), steps: ["update"] } });
  expect(one).toMatchObject({ before: { ipCidr: "203.0.113.7" }, after: { ipCidr: "203.0.113.7", adopt: true } });
});

test.each([
  ["its name", alias({ Name: "blue" })],
  ["its URN", alias({ URN: `${component}blue` })],
])("what is inside a component that was renamed is found too, by %s", (_how, named) => {
  const inside = (name: string) => urn(name).replace("::pulumi-", "::team:index:Team$pulumi-");
  const plans = {
    [inside("green-office")]: { goal: goal({}, { parent: `${component}green` }), steps: ["same"] },
    [`${component}green`]: { goal: { structuredAliases: [named] }, steps: ["same"] },
  };
  const old = [
    { urn: inside("blue-office"), type, inputs: { ipCidr: "203.0.113.7" } },
    { urn: `${component}blue`, type: "team:index:Team" },
    { urn: urn("blue-office"), type, inputs: { ipCidr: "0.0.0.0/0" } },
  ];
  expect(plannedHere(plans, old)[0]).toMatchObject({ op: "same", after: { ipCidr: "203.0.113.7" } });
});

const named = (...names: string[]) => ({ structuredAliases: names.map((Name) => alias({ Name })) });
const update = (more: object) => ({ goal: goal(wide, more), steps: ["update"] });
const unknown = { [urn("a")]: { goal: goal({ updates: { ipCidr: unknownValue } }), steps: ["same"] } };
const noName = /the plan would (change|replace|keep) urn:.*, which the state has under no name/;
const strange = /the plan has the steps \[.*\] for urn:.*, which no version of Pulumi known here writes/;

test.each<[string, RegExp, object]>([
  ["no alias", noName, { [urn("hq")]: update({}) }],
  ["an alias of two", noName, { [urn("hq")]: update(named("a", "b")) }],
  ["an alias that the engine does not read", noName, { [urn("hq")]: update({ aliases: [urn("a")] }) }],
  ["two with one alias", noName, { [urn("hq")]: update(named("a")), [urn("hq2")]: update(named("a")) }],
  ["one out of the way", strange, { [urn("hq")]: update(named("a")), [urn("b")]: { goal: goal({}), steps: [] } }],
  ["a word that allows an update", strange, { [urn("hq")]: { ...update(named("a")), steps: ["delete-replaced"] } }],
  ["steps that exclude each other", strange, { [urn("a")]: { goal: goal(wide), steps: ["same", "update"] } }],
  ["no goal", /does not say what becomes of urn:/, { [urn("a")]: { steps: ["update"] } }],
  ["a part that is said to be unknown", /stays as it is, and that a part of it is not known/, unknown],
])("a plan that would be judged in part is refused: %s", (_how, why, plans) => {
  expect(() => plannedHere(plans, ["a", "b"].map(stateNamed))).toThrow(why);
});

test("one that was replaced before, and is still to be deleted, goes with the next plan", () => {
  const plans = { [urn("a")]: { goal: goal({}), steps: ["same", "delete-replaced"] } };
  const pending = { ...stateNamed("a"), delete: true };
  expect(plannedHere(plans, [stateNamed("a"), pending])).toMatchObject([{ op: "same" }]);
  expect(() => plannedHere(plans, [stateNamed("a")])).toThrow(strange);
});

test.each([[[]], [["update"]]])("what a program imports is listed as that: %j", (steps) => {
  const plans = { [urn("new")]: { goal: goal({ adds: { ipCidr: "203.0.113.9" } }, { id: "12" }), steps } };
  expect(plannedHere(plans)).toMatchObject([{ op: "import", importId: "12", after: { ipCidr: "203.0.113.9" } }]);
});

describe("what the engine marks because JSON has no type for it", () => {
  const { value: _, ...secret } = plainSecret("x");
  const [key] = Object.keys(secret) as [string];
  const bytes = (text: string) => ({ [key]: "803fd3297a5875dc03ca845dda5d2a98", value: btoa(text) });
  const other = "urn:pulumi:dev::p::aws:s3/bucketObject:BucketObject::o";
  const check = (value: unknown, form: "ciphertext" | "value" = "ciphertext", who = urn("a")) =>
    refuseOtherForms({ [who]: { goal: { inputDiff: { adds: { a: [value] } } } } }, form);

  test("is accepted as an encrypted secret, in the files of others, and in what a stack exports, not in a provider", () => {
    check({ ...secret, ciphertext: "v1:x" });
    check(plainSecret(["x"]), "value");
    check({ [key]: signatures.archive, assets: { a: { [key]: signatures.asset, text: "x" } } }, "ciphertext", other);
    const value = { [key]: signatures.resource, urn: urn("b"), id: "x" };
    const named = (type: string) => `urn:pulumi:dev::p::${type}::x`;
    check(value, "ciphertext", named("pulumi:pulumi:Stack"));
    expect(() => check(value, "ciphertext", named("pulumi:providers:dataplatform"))).toThrow(Refused);
  });

  test.each([
    ["a secret that is not encrypted", { ...secret, plaintext: '"x"' }],
    ["a secret with its value", { ...secret, value: "x" }],
    ["a secret with two", { ...secret, ciphertext: "v1:x", plaintext: '"x"' }],
    ["a text as bytes", bytes("198.51.100.66")],
    ["a number as bits", { [key]: "8ad145fe-0d11-4827-bfd7-1abcbf086f5c", value: "4069800000000000" }],
    ["a mark as bytes", { [key]: bytes(signatures.secret), plaintext: bytes(`"${unknownValue}"`), address: "x" }],
    ["a resource", { [key]: signatures.resource, urn: urn("b"), id: "204" }],
    ["an unknown mark", { [key]: "x" }],
    ["none", { [key]: null }],
  ])("is refused as %s", (_name, value) => {
    expect(() => check(value)).toThrow(Refused);
    // Inside of a secret, too.
    expect(() => check(plainSecret([value]), "value")).toThrow(Refused);
  });
});

test("what a plan leaves out is judged with the rest", () => {
  const resources = ["a", "b"].map(stateNamed);
  const left = unplannedResources(plansIn({ [urn("a")]: { goal: goal({}), steps: ["same"] } }), resources);
  expect(left).toMatchObject([{ urn: urn("b"), op: "same", after: { ipCidr: "203.0.113.7" }, isProtected: false }]);
});

test("protection that is taken away is a change, and what is retained stays", () => {
  const old = { ...stateNamed("a"), protect: true, retainOnDelete: true };
  const [unprotected] = plannedHere({ [urn("a")]: { goal: goal({}, { protect: false }), steps: ["same"] } }, [old]);
  expect(unprotected).toMatchObject({ op: "protect", wasProtected: true, isProtected: false });
  const deleted = plannedHere({ [urn("a")]: { steps: ["delete"] } }, [old]);
  expect(JSON.stringify(previewOf(deleted))).toContain('"retainOnDelete":true');
});

test.each([
  ["default_0_2_0", { baseUrl: "https://api.example.com", apiToken: plainSecret("t"), version: "0.2.0" }, true],
  ["default_0_2_0", { baseUrl: "http://api.example.com" }, false],
  ["default_0_2_0", { baseUrl: plainSecret("http://evil.example.com") }, false],
  ["default_eu", { baseUrl: "https://api.example.com" }, false],
  ["mine", {}, false],
  ["default", { "dataplatform:baseUrl": "https://api.example.com", "platform:addresses": "[1]" }, true],
  ["default", { "dataplatform:baseUrl": "http://evil.example.com" }, false],
  // A program's own has a parent, which the engine compares.
  ["default_1", {}, false, "urn:pulumi:dev::platform::pulumi:pulumi:Stack::platform-dev"],
])("a provider named %s with %j is one that the engine makes: %s", (name, adds, isMade, parent = "") => {
  const provider = `urn:pulumi:dev::platform::pulumi:providers:dataplatform::${name}`;
  const plans = { [provider]: { goal: { custom: true, inputDiff: { adds }, parent }, steps: ["create"] } };
  const config = [["dataplatform:baseUrl", "https://api.example.com"]] as const;
  expect(plannedResources(plansIn(plans), [], config)).toMatchObject([{ isMade }]);
});

const planned = (plan: string): string => `{"resourcePlans":{${JSON.stringify(urn("office"))}:${plan}}}`;

test.each([
  "",
  "[]",
  "{}",
  '{"resourcePlans":null}',
  '{"resourcePlans":{"not a urn":{}}}',
  // The engine reads these as if they were spelled as usual.
  '{"resourcePlans":{},"ResourcePlans":{}}',
  planned('{"steps":["same"],"Steps":["delete"]}'),
  planned('{"goal":{"inputDiff":{},"InputDiff":{"adds":{"ipCidr":"0.0.0.0/0"}}},"steps":["update"]}'),
  planned('{"goal":{"type":"dataplatform:index:DataStore"},"steps":["same"]}'),
])("%j is not a plan", (text) => {
  expect(() => plannedResources(planIn(text).resourcePlans, [])).toThrow(Refused);
});

test.each([
  ["{", /is not JSON/],
  ["[]", /is not an object/],
  ['{"whole-intrenet":"mandatory"}', /names a rule that does not exist: whole-intrenet/],
  ['{"whole-internet":"off"}', /gives whole-internet a level that does not exist/],
  ['{"whole-internet":{"min":1}}', /sets an option that whole-internet does not have: min/],
])("rules that cannot be read are refused: %s", (text, why) => {
  expect(() => readRules(text)).toThrow(why);
});

test("what access is told about the plan has no secrets", () => {
  const text = JSON.stringify(previewOf(plannedHere(creating(plainSecret("canary")))));
  expect(text).toContain('"ipCidr":"[secret]"');
  expect(text).not.toContain("canary");
});
