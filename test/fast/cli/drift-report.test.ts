import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as drift from "../../../cli/drift";
import { linesOf } from "../../../cli/drift/lines";
import { readable } from "../../../cli/drift/readable";
import type { DriftReport } from "../../../cli/drift/report";
import { refreshIn } from "../../../cli/pulumi/history";
import { namesOf } from "../../../cli/pulumi/stack";
import { markdownReport } from "../../../cli/report/markdown";
import { inside } from "../../harness/command";
import { testFolder } from "../../harness/folders";
import { formatsOf, table } from "./rendered";
import { reportOf, sample } from "./sample-report";

const folder = testFolder();
const calm = sample.filter(({ status }) => status === "as-declared" || status === "unverifiable");

/** Markdown and HTML each have their own. */
const withoutEscapes = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("\\", "");

describe("lines of a difference", () => {
  test.each([
    ["a value", 1, 2, ["- 1", "+ 2"]],
    ["a value that is not set", undefined, "x", ["- (not set)", '+ "x"']],
    ["elements of a list", ["a", "b"], ["b", "c"], ['- "a"', '+ "c"']],
    ["a duplicate element", ["a"], ["a", "a"], ['+ "a"']],
    ["only the order", [1, 2], [2, 1], ["  the order differs", "- [1,2]", "+ [2,1]"]],
    ["parts of an object", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["- a.c: 2", "+ a.c: 3"]],
  ])("%s", (_, declared, actual, lines) => {
    const property = { property: "p", declared, actual, secret: false };
    expect(linesOf(property).map(({ sign, text }) => `${sign} ${text}`)).toEqual(lines);
  });
  test("a secret only says that it differs", () => {
    const property = { property: "p", declared: "[secret]", actual: "[secret]", secret: true };
    expect(linesOf(property)).toEqual([{ sign: " ", text: "differs (secret values)" }]);
  });
});

test("the table shows every resource, the differences and the next steps; no colour without a terminal", () => {
  const text = table(readable(reportOf(sample)));
  expect(text).toMatch(/^as declared: 9\n {2}✓ WhitelistedIp +branch-1 +100\n/);
  expect(text).toMatch(/\ngone: 1\n {2}✗ WhitelistedIp +office +12 +\(a repair would recreate it\)\n/);
  expect(text).toMatch(
    /≠ Account +sandbox +1003 +\(a repair would replace it\)\n {6}idleSessionTimeout\n {8}- 1440\n {8}\+ 10800\n/,
  );
  expect(text).toContain("analytics/prod against https://api.example.com: 2 drifted, 1 gone, 1 not readable");
  expect(text).toContain("pulumi up --refresh --stack prod");
  expect(text).toContain("Or change the program to match the platform, then: pulumi refresh --stack prod");
  expect(text).not.toContain("\x1b");
});

test("in a pipeline, the advice is its repair, and no update past it", () => {
  const text = table(readable(reportOf(sample), true));
  expect(text).toContain("dataplatform pipeline repair prod");
  expect(text).not.toMatch(/pulumi (up|preview) --refresh/);
});

test("an empty stack: its full name, which the project file knows, and one sentence", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: analytics\nruntime: yaml\n");
  expect(await namesOf({ cwd: folder, stack: "prod" }, [])).toEqual({ project: "analytics", stack: "prod" });
  const report = { ...reportOf([]), platforms: [], otherResources: 0 };
  expect(table(readable(report))).toBe("analytics/prod\nThe stack has no data platform resources\n");
});

test("where nothing differs, there is nothing to do", () => {
  const report = reportOf(sample.filter(({ status }) => status === "as-declared"));
  for (const text of formatsOf(readable(report))) {
    expect(text).toContain("No drift: every readable resource is as declared");
    expect(text).not.toMatch(/pulumi up|What to do next/);
  }
});

test.each([
  ["no drift", calm, 'No drift since the refresh of 2024-05-01T05:58Z; "pulumi preview" shows'],
  ["drift", sample, "Drift: 3 of 15 resources differ from the refreshed state"],
  [
    "an error",
    sample.filter(({ status }) => ["error", "as-declared", "unverifiable"].includes(status)),
    /1 resource could not be read; \d+ of the others show no drift since the refresh of 2024-05-01T05:58Z; \d+ cannot be verified/,
  ],
  ["nothing left", [], "The stack has no data platform resources"],
])("after a refresh every format says what it has overwritten: %s", (_, resources, words) => {
  const report = reportOf(resources, { refreshedAt: "2024-05-01T05:58:01.000Z" });
  for (const text of formatsOf(readable(report)).map(withoutEscapes)) {
    expect(text).toMatch(words);
    expect(text).toContain("it cannot see what that refresh overwrote");
    expect(text).toContain("pulumi preview --diff --stack prod");
    expect(text).not.toContain("No drift: every readable resource");
  }
});

test.each([
  ["never run", [], undefined],
  ["an up, then a refresh that changed something", ["refresh succeeded update", "update succeeded"], 0],
  ["a refresh that dropped what is gone", ["refresh succeeded delete", "update succeeded"], 0],
  [
    "a refresh that changed nothing since",
    ["refresh succeeded same", "refresh succeeded update", "update succeeded"],
    1,
  ],
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
  expect(text.match(/<\/details>/g)).toHaveLength(5);
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

  test("--output writes it, and says so on stderr", async () => {
    const output = join(folder, "report.md");
    const written = await inside(drift, ["--from", file(reportOf(calm)), "--format", "markdown", "-o", output]);
    expect(written).toEqual({ code: 0, stdout: "", stderr: expect.stringMatching(/^No drift: .*report\.md\n$/) });
    expect(readFileSync(output, "utf8")).toContain("2 not verifiable, 9 as declared.");
  });
});
