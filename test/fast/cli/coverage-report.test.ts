import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as command from "../../../cli/drift";
import { readable } from "../../../cli/drift/coverage/readable";
import * as coverage from "../../../cli/drift/coverage/report";

import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { envOf, resource, table } from "./stacks";

const { countOf, exitCode, headline, percentText } = coverage;

/** Addresses of one account. */
function reportOf(
  existing: number,
  managed: number,
  more: Partial<coverage.CoverageReport> = {},
): coverage.CoverageReport {
  const summary = countOf(existing, managed);
  const kinds = [{ kind: "address" as const, ...summary }];
  const platform = "https://api.example.com";
  return {
    ...{ format: 1, report: "coverage", tool: "pulumi-dataplatform 0.1.0", checkedAt: "2024-05-01T06:00:12.345Z" },
    stacks: [{ project: "analytics", stack: "prod", resources: managed }],
    accounts: [{ platform, id: "1001", name: "Analytics", extendedApi: true, summary, kinds }],
    ...{ summary, kinds, unread: [], notes: [] },
    unmanaged: Array.from({ length: existing - managed }, (_, index): coverage.Unmanaged => {
      const what = `192.0.2.${index}`;
      const adopt = { type: "WhitelistedIp", name: "ip", id: "13", command: `pulumi import ${what}` };
      return { account: 0, kind: "address", what, id: "13", import: adopt };
    }),
    cannotBeListed: [{ what: "folders", why: "the API does not list folders", declared: 2 }],
    notCounted: [{ what: "Hive tables", why: "no resource manages them" }],
    ...more,
  };
}

describe("the percentage", () => {
  test.each([
    [3, 2, "66.6%"],
    [10_000, 9_999, "99.9%"],
    [7, 7, "100%"],
    [9, 0, "0.0%"],
    [0, 0, "-"],
  ])("of %i things, %i managed: %s", (existing, managed, text) => {
    expect(percentText(countOf(existing, managed))).toBe(text);
  });

  test.each([
    ["no minimum", 3, 1, undefined, 0],
    ["reached exactly", 4, 3, 75, 0],
    ["missed by a little", 10_000, 9_999, 100, 2],
    ["reached, although shown rounded down", 3, 2, 66.66, 0],
    ["nothing exists", 0, 0, 100, 0],
  ])("%s", (_, existing, managed, minimum, code) => {
    const report = reportOf(existing, managed, minimum === undefined ? {} : { minimum });
    expect(exitCode(report)).toBe(code);
    expect(headline(report).includes(", below")).toBe(code === 2);
    expect(exitCode({ ...report, unread: [{ what: "the users", why: "403" }] }), "an error outranks it").toBe(1);
  });
});

test("the report ends with the percentage and the next step; it is good where all is managed", () => {
  const text = table(readable(reportOf(3, 2, { minimum: 90 })));
  expect(text).toMatch(/\naddresses not managed: 1\n {2}192\.0\.2\.0 +13\n {6}pulumi import 192\.0\.2\.0\n\n/);
  expect(text).toMatch(/KIND +EXIST +MANAGED +NOT MANAGED +COVERAGE\n {2}addresses +3 +2 +1 +66\.6%\n {2}all /);
  for (const line of [
    "cannot be listed: folders: the API does not list folders; 2 resources of the stacks, not counted",
    "not counted: Hive tables",
    "analytics/prod against https://api.example.com: the only stack looked at\n",
    "Coverage 66.6%, below 90%: 2 of 3 things on the platform are in a stack\n",
    "dataplatform export --missing --stack prod ./adopt",
  ])
    expect(text).toContain(line);
  expect(readable(reportOf(3, 3))).toMatchObject({ headline: expect.stringMatching(/^Coverage 100%/), tone: "good" });
});

describe("the command", () => {
  const emulator = freshEmulator();
  const folder = testFolder();

  const env = () => envOf(emulator);
  function stateFile(name: string, ...resources: object[]): string {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
    return file;
  }

  test("state files need no pulumi; a saved report is rendered again, with another minimum too", async () => {
    const one = stateFile("one.json", resource("EnabledUser", "a", "101", { svcUserId: "101" }));
    const two = stateFile("two.json", resource("Account", "b", "1001", { name: "Analytics" }));
    const saved = join(folder, "saved.json");
    const args = ["--coverage", "--state", one, "--state", two];
    const ran = await inside(command, [...args, "--format", "json", "--output", saved], env());
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^Coverage 28\.5%: 2 of 7 things .*; report written to /);
    const report = JSON.parse(readFileSync(saved, "utf8")) as coverage.CoverageReport;
    expect(report.stacks.map(({ file }) => file)).toEqual([one, two]);
    expect(report.unmanaged[0]!.import!.command).not.toContain("--stack");
    const again = await inside(command, ["--from", saved, "--format", "markdown", "--min-coverage", "50%"]);
    expect(again).toMatchObject({ code: 2, stderr: "", stdout: expect.stringMatching(/Coverage 28\.5%, below 50%/) });
    const page = await inside(command, ["--from", saved, "--coverage", "--format", "html"]);
    expect(page.stdout).toMatch(/^<!doctype html>/);
    expect((await inside(command, [...args, "--min-coverage", "28"], env())).code).toBe(0);
  });

  test("a file that is not a state, or not a report, is a clear error that quotes nothing of it", async () => {
    const file = join(folder, "bad.json");
    for (const text of ["hidden-text {", '{"resources":["hidden-text"]}']) {
      writeFileSync(file, text);
      const ran = await inside(command, ["--coverage", "--state", file], env());
      expect(ran.stderr).toMatch(/cannot read the state .*: it is not (JSON|an exported state); write it with/);
      expect(ran.stderr).not.toContain("hidden-text");
    }
    writeFileSync(file, '{"report":"coverage","format":2}');
    expect((await inside(command, ["--from", file])).stderr).toMatch(/is not a report from "dataplatform drift/);
  });

  test("missing settings are one error", async () => {
    const ran = await inside(command, ["--coverage", "--state", stateFile("empty.json")]);
    expect(ran.stderr).toMatch(/not configured; missing:\n.*BASE_URL/);
  });
});
