import { afterEach, expect, test, vi } from "vitest";
import { accessPart } from "../../../cli/pipeline/access-part";
import { hiddenGates } from "../../../cli/pipeline/hidden";
import { approvalVariable } from "../../../cli/pipeline/place";
import { type Planned, planIn, plannedResources } from "../../../cli/pipeline/planned";
import { forTerminal } from "../../../cli/pipeline/report";
import { withoutPlannedValues } from "../../../cli/pipeline/violation";
import { forRunner, printable } from "../../../cli/terminal/style";
import { plainSecret } from "../../harness/secret-values";
import { planned, table, urn } from "./planned";

/* What a comment would not show, or would show as something else. */

const address = "dataplatform:index:WhitelistedIp";
const whitelist = (...all: Planned[]) => accessPart({ stdout: "", stderr: "" }, all).lines[0];

afterEach(() => vi.unstubAllEnvs());

const create = (type: string, after: Planned["after"]) => planned({ urn: urn("a"), type, after });
const store = "dataplatform:index:DataStore";
const provider = "pulumi:providers:dataplatform";

test.each([
  ["an address", create(address, { ipCidr: plainSecret("66.66.66.66") }), "ipCidr"],
  ["one of several", create("dataplatform:index:IpWhitelist", { addresses: [plainSecret("0.0.0.0/0")] }), "addresses"],
  ["a whole object that has a secret", create("dataplatform:index:Command", { s3DistCp: plainSecret({}) }), "s3DistCp"],
  ["the platform", create(provider, { baseUrl: plainSecret("https://evil.example.com") }), "baseUrl"],
])("a value that is no secret of the platform is not hidden without an approval: %s", (_what, one, name) => {
  const [gate = "", ...others] = hiddenGates([one], "key");
  expect(others).toEqual([]);
  expect(gate).toContain(`hidden: ${name} of WhitelistedIp a: marked as a secret`);
  expect(gate).not.toMatch(/66\.66|0\.0\.0\.0|evil/);
  const digest = /DATAPLATFORM_APPROVED_RULES to (\w{32}),/.exec(gate)![1]!;
  vi.stubEnv(approvalVariable, digest);
  expect(hiddenGates([one], "key")).toEqual([]);
  const other = { ...one, after: { [name]: plainSecret("another") } };
  expect(hiddenGates([other], "key")).toHaveLength(1);
  // Who has no key cannot find the value by trying.
  expect(hiddenGates([one], "another key")[0]).not.toContain(digest);
});

test.each([
  ["secrets of the platform", create(store, { dbPasswd: plainSecret("x"), dbHost: "db.example.com" })],
  ["inside an object", create("dataplatform:index:Command", { s3DistCp: { encryptionKey: plainSecret("x") } })],
  ["the token", create(provider, { apiToken: plainSecret("x") })],
  ["what stays", planned({ urn: urn("a"), type: address, op: "update", before: hidden(), after: hidden() })],
  ["what is not ours", create("random:index:Pet", { prefix: plainSecret("x") })],
])("hidden for good reasons: %s", (_what, one) => {
  expect(hiddenGates([one])).toEqual([]);
});

function hidden() {
  return { ipCidr: plainSecret("203.0.113.7") };
}

test("protection is shown with every change, and the provider that a program declares", () => {
  const change = { op: "update", before: { adopt: true }, wasProtected: true };
  expect(table(planned({ urn: urn("a"), type: address, ...change }))).toContain("`protect`: true → false");
  const through = "urn:pulumi:dev::platform::pulumi:providers:dataplatform::partner";
  expect(table(planned({ urn: urn("a"), provider: through }))).toContain("through provider `partner`");
  const other = through.replace("partner", "default_7");
  const one = planned({ urn: urn("a"), provider: other });
  // By its name alone, it could be the engine's.
  expect(table(one, planned({ urn: other, op: "same", isMade: false }))).toContain("through provider `default_7`");
  expect(table(one, planned({ urn: other, op: "same", isMade: true }))).not.toContain("through");
});

test.each([
  ["deleted", "delete", { retainOnDelete: true }],
  ["replaced", "replace", { retainOnDelete: true }],
  ["deleted with something else", "delete", { deletedWith: urn("b") }],
])("what stays on the platform is not shown as removed: %s", (_what, op, retained) => {
  const before = { ipCidr: "203.0.113.7" };
  const after = op === "delete" ? undefined : { ipCidr: "203.0.113.9" };
  const one = planned({ urn: urn("a"), type: address, op, before, after, retained });
  const other = planned({ urn: urn("b"), op: "delete", after: undefined });
  expect(whitelist(one, other)).not.toContain("− `203.0.113.7`");
  expect(whitelist(one, other)).toContain("no longer declared, and stays: `203.0.113.7`");
  expect(table(one, other)).toContain("stays on the platform: `");
  if ("deletedWith" in retained) expect(whitelist(one)).toContain("− `203.0.113.7`");
});

test("aliases that multiply are refused, and at once", () => {
  const structuredAliases = Array.from({ length: 9 }, (_, index) => ({ Name: `n${index}`, Type: `t:${index}:x` }));
  const type = "x:y:Z";
  const plans: Record<string, object> = {};
  for (let [depth, parent] = [0, ""]; depth < 10; depth++) {
    const goal = { type, custom: false, parent, structuredAliases };
    parent = `urn:pulumi:dev::platform::${`${type}$`.repeat(depth)}${type}::c${depth}`;
    plans[parent] = { goal, steps: ["create"] };
  }
  const { resourcePlans } = planIn(JSON.stringify({ resourcePlans: plans }));
  expect(() => plannedResources(resourcePlans, [])).toThrow("has more aliases, with those of its parents");
});

test("what the engine and a program print is no command to the runner", () => {
  const filter = withoutPlannedValues();
  const text = ["::add-", "mask::x\n  ::error::y\nsome ##[group]z\n\u001b[0Ksection_start:1:a\n"].map(filter).join("");
  expect(text).not.toMatch(/^\s*::|##\[/m);
  expect(text).not.toContain("\u001b");
  expect(text).toContain("add-mask::x");
  expect(forTerminal("::add-mask::x\n<br>##[add-mask]y")).toBe(": :add-mask::x\n; ## [add-mask]y");
  // What some reader takes for the end of a line, and what some reader takes for a blank.
  for (const end of "\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029")
    for (const blank of ["", " ", "\t", "\u0085", "\ufeff", "\u200b"])
      expect(forRunner(`a${end}${blank}::error::y${end}`)).toBe(`a${end}${blank}: :error::y${end}`);
  expect(forRunner("a ::b\tc::d e::")).toBe("a ::b\tc::d e::");
});

test.each(["\u3164", "\u2800", "\u034f", "\ufe0f", "\u{e0100}", "\u115f"])("nobody takes %j for nothing", (blank) => {
  expect(printable(`admin${blank}`)).toMatch(/^admin\\u/);
});
