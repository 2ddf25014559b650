import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as drift from "../../../cli/drift";
import { leftOut, listOnly, readOnly } from "../../../cli/drift/only";
import { linesOf, readable } from "../../../cli/drift/readable";
import type { DriftReport } from "../../../cli/drift/report";
import { managedResources } from "../../../cli/pulumi/managed";
import { namesOf, refreshIn } from "../../../cli/pulumi/stack";
import { subjectOf } from "../../../cli/pulumi/subject";
import { htmlReport } from "../../../cli/report/html";
import { markdownReport } from "../../../cli/report/markdown";
import { inside } from "../../harness/command";
import { testFolder } from "../../harness/folders";
import { reportOf, resourceOf, sample } from "./sample-report";
import { encrypted, formatsOf, resource, table } from "./stacks";

const folder = testFolder();
const calm = sample.filter(({ status }) => status === "as-declared" || status === "unverifiable");

test.each([
  ["a value", 1, 2, ["- 1", "+ 2"]],
  ["a value that is not set", undefined, "x", ["- (not set)", '+ "x"']],
  ["elements of a list", ["a", "b"], ["b", "c"], ['- "a"', '+ "c"']],
  ["a duplicate element", ["a"], ["a", "a"], ['+ "a"']],
  ["only the order", [1, 2], [2, 1], ["  the order differs", "- [1,2]", "+ [2,1]"]],
  ["parts of an object", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["- a.c: 2", "+ a.c: 3"]],
  ["a secret", "[secret]", "[secret]", ["  differs (secret values)"]],
])("the lines of a difference: %s", (what, declared, actual, lines) => {
  const property = { property: "p", declared, actual, secret: what === "a secret" };
  expect(linesOf(property).map(({ sign, text }) => `${sign} ${text}`)).toEqual(lines);
});

test("the table shows every resource, the differences and the next steps; no colour without a terminal", () => {
  const text = table(readable(reportOf(sample)));
  expect(text).toMatch(/^as declared: 9\n {2}✓ WhitelistedIp +branch-1 +100\n/);
  expect(text).toMatch(/\ngone: 1\n {2}✗ WhitelistedIp +office +12 +\(a repair would recreate it\)\n/);
  expect(text).toMatch(/≠ Account +sandbox +1003 +\(a repair would replace it\)\n {6}idleSessionTimeout\n {8}- 1440\n/);
  expect(text).toContain("analytics/prod against https://api.example.com: 2 drifted, 1 gone, 1 not readable");
  expect(text).toContain("pulumi up --refresh --stack prod");
  expect(text).toContain("Or change the program to match the platform, then: pulumi refresh --stack prod");
  expect(text).not.toContain("\x1b");
});

test("in a pipeline, the advice is its repair, and no update past it", () => {
  const text = table(readable(reportOf(sample), true));
  expect(text).toContain("dataplatform pipeline repair prod");
  // A refresh of everything would take over the other drift too.
  expect(text).toMatch(/pulumi refresh --target \S+ --stack prod/);
  expect(text).not.toMatch(/pulumi (up|preview) --refresh/);
});

test("an empty stack: its full name, which the project file knows, and one sentence; where nothing differs, another", async () => {
  const calm = table(readable(reportOf(sample.filter(({ status }) => status === "as-declared"))));
  expect(calm).toContain("No drift: every readable resource is as declared");
  expect(calm).not.toContain("pulumi");
  writeFileSync(join(folder, "Pulumi.yaml"), "name: analytics\nruntime: yaml\n");
  expect(await namesOf({ cwd: folder, stack: "prod" }, [])).toEqual({ project: "analytics", stack: "prod" });
  const report = { ...reportOf([]), platforms: [], otherResources: 0 };
  expect(table(readable(report))).toBe("analytics/prod\nThe stack has no data platform resources\n");
});

const unread = sample.filter(({ status }) => ["error", "as-declared", "unverifiable"].includes(status));
const since = "show no drift since the refresh of 2024-05-01T05:58Z; 2 cannot be verified";

test.each([
  ["no drift", calm, 'No drift since the refresh of 2024-05-01T05:58Z; 2 cannot be verified; "pulumi preview" shows'],
  ["drift", sample, "Drift: 3 of 15 resources differ from the refreshed state"],
  ["an error", unread, `1 resource could not be read; 9 of the others ${since}`],
  ["nothing left", [], "The stack has no data platform resources"],
])("after a refresh every format says what it has overwritten: %s", (_, resources, words) => {
  const report = readable(reportOf(resources, { refreshedAt: "2024-05-01T05:58:01.000Z" }));
  expect(table(report)).toContain(words);
  for (const text of formatsOf(report)) {
    expect(text).toContain("it cannot see what that refresh overwrote");
    expect(text).toContain("pulumi preview --diff --stack prod");
  }
});

test.each([
  ["never run", [], undefined],
  ["an up, then a refresh that changed something", ["refresh succeeded update", "update succeeded"], 0],
  ["a refresh that dropped what is gone", ["refresh succeeded delete", "update succeeded"], 0],
  ["one that changed nothing since", ["refresh succeeded same", "refresh succeeded update", "update succeeded"], 1],
  ["a refresh that found nothing", ["refresh succeeded same", "update succeeded"], undefined],
  ["an up after the refresh", ["update succeeded", "refresh succeeded update"], undefined],
  ["an up that failed", ["update failed", "refresh succeeded update", "update succeeded"], 1],
  ["a refresh that failed halfway", ["refresh failed update", "update succeeded"], 0],
  ["only imports", ["import succeeded create"], undefined],
])("the history tells what came after the last up: %s", (_, runs, found) => {
  const history = runs.map((run, index) => {
    const [kind = "", result = "", change = "same"] = run.split(" ");
    return { kind, result, startTime: `${index}`, resourceChanges: { [change]: 1 } };
  });
  expect(refreshIn(history)).toBe(found === undefined ? undefined : `${found}`);
});

test("the markdown starts with the summary, collapses the details, and shows differences as a diff", () => {
  const text = markdownReport(readable(reportOf(sample)));
  expect(text).toMatch(/^## Data platform drift: `analytics\/prod`\n\n\*\*Drift: 3 of 15 resources differ/);
  expect(text).toContain("2 drifted, 1 gone, 1 not readable, 2 not verifiable, 9 as declared.");
  expect(text).toContain(" against `https://api.example.com` by ");
  expect(text.indexOf("<details")).toBeGreaterThan(text.indexOf("What to do next"));
  expect(text).toContain("  ```diff\n    idleSessionTimeout:\n  - 1440\n  + 10800\n");
  expect(text.match(/<details/g)).toHaveLength(5);
  expect(text.match(/the API cannot show a data store/g), "once for both").toHaveLength(1);
});

describe("a report in a file", () => {
  const file = (report: DriftReport): string => {
    const path = join(folder, "report.json");
    writeFileSync(path, JSON.stringify(report));
    return path;
  };

  test.each([
    ["drift and an error", sample, 1],
    ["drift", sample.filter(({ status }) => status !== "error"), 2],
    ["none", calm, 0],
    ["nothing at all", [], 0],
  ])("%s is rendered again, with its own exit code", async (_, resources, code) => {
    const report = reportOf(resources);
    const rendered = await inside(drift, ["--from", file(report), "--format", "json"]);
    expect(rendered.stderr).toBe("");
    expect(JSON.parse(rendered.stdout)).toEqual(JSON.parse(JSON.stringify(report)));
    expect(rendered.code).toBe(code);
  });

  test("with --only, the exit code still covers the whole stack", async () => {
    const ran = await inside(drift, ["--from", file(reportOf(sample)), "--format", "json", "--only", "gone"]);
    expect(ran.code).toBe(1);
    const { only, summary, resources } = JSON.parse(ran.stdout) as DriftReport;
    expect([only, summary.resources, resources.map(({ name }) => name)]).toEqual([["gone"], 15, ["office"]]);
  });
});

describe("a report with only differences", () => {
  const whole = reportOf(sample);
  const report = listOnly(whole, readOnly(["differences"]));

  test("is asked for by statuses", () => {
    expect([readOnly([]), readOnly(["gone, drifted", "gone"])]).toEqual([undefined, ["drifted", "gone"]]);
    for (const value of ["changed", "gone,", ""])
      expect(() => readOnly([value])).toThrow(/--only is ".*"; use one of differences, drifted, gone, error/);
  });

  test("lists those, and counts everything", () => {
    expect(report.resources.map(({ status }) => status)).toEqual(["drifted", "drifted", "gone", "error"]);
    expect(report.summary).toEqual(whole.summary);
    expect(report.only).toEqual(["drifted", "gone", "error"]);
    expect(leftOut(report)).toBe("11 resources not listed (only drifted, gone, not readable)");
    for (const text of formatsOf(readable(report))) expect(text).toContain(leftOut(report));
    expect(leftOut(whole)).toBeUndefined();
    expect(leftOut(listOnly(reportOf(report.resources), ["drifted", "gone", "error"]))).toBeUndefined();
  });

  test("its page disables tiles that have nothing to list; filtered again, it keeps what is in both", () => {
    const page = htmlReport(readable(report));
    const tile = (title: string) => new RegExp(`<button[^>]*><b>\\d+</b> ${title}</button>`).exec(page)![0];
    expect(tile("as declared")).toContain("disabled");
    expect(tile("gone")).not.toContain("disabled");
    const again = listOnly(report, ["gone", "as-declared"]);
    expect(again).toMatchObject({ only: ["gone"], resources: [{ name: "office" }] });
  });
});

describe("a resource that is gone", () => {
  test.each([
    ["WhitelistedIp", { ipCidr: "203.0.113.7" }, "203.0.113.7"],
    ["IpWhitelist", { addresses: ["192.0.2.1", "192.0.2.2"] }, "192.0.2.1, 192.0.2.2"],
    ["IpWhitelist", { addresses: ["1", "2", "3", "4", "5", "6", "7"] }, "1, 2, 3, 4, 5 and 2 more"],
    ["EnabledUser", { svcUserId: "107", email: "ana@example.com" }, "user 107 (ana@example.com)"],
    ["EnabledUser", { svcUserId: "ana@example.com", email: "ana@example.com" }, "user ana@example.com"],
    ["ObjectPolicy", { sourceType: "note", sourceId: "501" }, "note 501"],
    ["GroupRoleAssignment", { groupId: 204, role: "analyst" }, "role analyst of group 204"],
    ["WhitelistedIp", { ipCidr: encrypted("203.0.113.7") }, "[secret]"],
    ["WhitelistedIp", {}, "WhitelistedIp 12"],
    ["FutureThing", { a: 1 }, "FutureThing 12"],
  ])("%s %j is called %j", (type, inputs, words) => {
    expect(subjectOf(managedResources([resource(type, "n", "12", inputs)])[0]!)).toBe(words);
  });

  test("is named in the row", () => {
    const more = { status: "gone", repair: "create", lost: "203.0.113.7" } as const;
    const [text, comment] = formatsOf(readable(reportOf([resourceOf("WhitelistedIp", "office", "12", more)])));
    expect(text).toMatch(/✗ WhitelistedIp +office +12 +lost 203\.0\.113\.7 +\(a repair would recreate it\)\n/);
    expect(comment).toContain("- WhitelistedIp `office` `12` lost `203.0.113.7` (a repair would recreate it)");
  });
});
