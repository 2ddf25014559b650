import { expect, test } from "vitest";
import { planIn, plannedResources, previewOf } from "../../../cli/pipeline/planned";
import { Refused } from "../../../cli/pipeline/refused";
import { judgePlan, readRules } from "../../../cli/pipeline/rules";
import { plainSecret } from "../../harness/secret-values";
import { urn } from "./planned";

/* The rules are judged on the plan and the state alone: what a program printed does not count. */

const type = "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp";
const goal = (inputDiff: object, more: object = {}) => ({ type, name: "x", custom: true, inputDiff, ...more });
const mandatory = readRules('{"all":"advisory","whole-internet":"mandatory"}');
const off = readRules('{"all":"disabled"}');
const state = [{ urn: urn("office"), type, inputs: { ipCidr: "203.0.113.7" }, outputs: { ipCidr: "203.0.113.7" } }];

const judged = (plans: object, configs = [mandatory]) =>
  judgePlan(plannedResources(planIn(JSON.stringify({ resourcePlans: plans })).resourcePlans, state), configs, new Map())
    .filter(({ rule }) => rule.name === "whole-internet")
    .map(({ level, message }) => `${level}: ${message.split(".  ")[0]!.slice(0, 50)}`);

test.each([
  ["created", { [urn("new")]: { goal: goal({ adds: { ipCidr: "0.0.0.0/0" } }), steps: ["create"] } }],
  ["changed", { [urn("office")]: { goal: goal({ updates: { ipCidr: "0.0.0.0/0" } }), steps: ["update"] } }],
  [
    "replaced",
    { [urn("office")]: { goal: goal({ updates: { ipCidr: "0.0.0.0/0" } }), steps: ["create-replacement", "replace"] } },
  ],
  ["secret", { [urn("new")]: { goal: goal({ adds: { ipCidr: plainSecret("0.0.0.0/0") } }), steps: ["create"] } }],
])("the whole internet, %s by a plan, is a mandatory violation", (_how, plans) => {
  expect(judged(plans)).toEqual([expect.stringMatching(/^mandatory: WhitelistedIp \w+: ipCidr is 0\.0\.0\.0\/0/)]);
});

test("a change that turns the rule off does not count: the stricter of both does", () => {
  const plans = { [urn("new")]: { goal: goal({ adds: { ipCidr: "0.0.0.0/0" } }), steps: ["create"] } };
  expect(judged(plans, [mandatory, off])).toHaveLength(1);
  expect(judged(plans, [off, mandatory])).toEqual([expect.stringMatching(/^mandatory/)]);
  expect(judged(plans, [readRules(undefined), mandatory])).toEqual([expect.stringMatching(/^mandatory/)]);
});

test("a rule that lacks an option is a warning, unless the change sets it", () => {
  const policy = "urn:pulumi:dev::platform::pulumi-nodejs:dynamic/dataplatform:ObjectPolicy::note";
  const plans = {
    [policy]: { goal: { type: "pulumi-nodejs:dynamic/dataplatform:ObjectPolicy", custom: true }, steps: ["create"] },
  };
  const planned = plannedResources(planIn(JSON.stringify({ resourcePlans: plans })).resourcePlans, []);
  const told = (...configs: string[]) =>
    judgePlan(
      planned,
      configs.map((text) => readRules(text)),
      new Map(),
    ).map(({ level, message }) => `${level}: ${message}`);
  const [lacking, set] = [
    '{"all":"disabled","all-to-everybody":"mandatory"}',
    '{"all":"disabled","all-to-everybody":{"enforcementLevel":"mandatory","everybodyGroups":[203]}}',
  ];
  expect(told(lacking, lacking)).toEqual([
    expect.stringMatching(/^advisory: the rule all-to-everybody cannot judge .* everybodyGroups is not set/),
  ]);
  expect(told(lacking, set)).toEqual([]);
});

test("what is removed, and what stays as it was, is not a violation", () => {
  const wide = [{ urn: urn("wide"), type, inputs: { ipCidr: "0.0.0.0/0" } }];
  const removed = plannedResources(
    planIn(JSON.stringify({ resourcePlans: { [urn("wide")]: { steps: ["delete"] } } })).resourcePlans,
    wide,
  );
  expect(judgePlan(removed, [mandatory], new Map())).toEqual([]);
  expect(judged({ [urn("office")]: { goal: goal({}), steps: ["same"] } })).toEqual([]);
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
  const plans = { [urn("new")]: { goal: goal({ adds: { ipCidr: plainSecret("canary") } }), steps: ["create"] } };
  const text = JSON.stringify(
    previewOf(plannedResources(planIn(JSON.stringify({ resourcePlans: plans })).resourcePlans, state)),
  );
  expect(text).toContain('"ipCidr":"[secret]"');
  expect(text).not.toContain("canary");
});
