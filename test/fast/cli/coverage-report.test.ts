import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as command from "../../../cli/drift";
import { htmlReport } from "../../../cli/drift/coverage/html";
import { markdownReport } from "../../../cli/drift/coverage/markdown";
import { type CoverageReport, countOf, exitCode, headline, percentText } from "../../../cli/drift/coverage/report";
import { tableReport } from "../../../cli/drift/coverage/table";
import { longestComment } from "../../../cli/report/markdown-text";
import { type Emulator, startEmulator } from "../../../emulator";
import { inside } from "../../harness/command";
import { reportOf, thing } from "./coverage-sample";
import { resource } from "./drift-state";

const evil = `"><script>alert(1)</script>\`@everyone\` [x](http://e)\u001b[31m\u202e`;

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

describe("the formats", () => {
  test("the table ends with the percentage and the next step", () => {
    const text = tableReport(reportOf(3, 2, { minimum: 90 }), {});
    expect(text).toMatch(/^NOT MANAGED +WHAT +ID\naddress +192\.0\.2\.0 +13\n {4}pulumi import 192\.0\.2\.0\n\n/);
    expect(text).toMatch(
      /KIND +EXIST +MANAGED +NOT MANAGED +COVERAGE\naddresses +3 +2 +1 +66\.6%\nall +3 +2 +1 +66\.6%\n/,
    );
    expect(text).toContain(
      "cannot be listed: folders: the API does not list folders; 2 resources of the stacks, not counted",
    );
    expect(text).toContain("not counted: Hive tables");
    expect(text).toContain("analytics/prod: the only stack looked at\n");
    expect(text).toContain("Coverage 66.6%, below 90%: 2 of 3 things on the platform are in a stack\n");
    expect(text).toContain("dataplatform export --missing --stack prod ./adopt");
    const coloured = tableReport(reportOf(3, 2, { minimum: 90 }), { isTTY: true });
    expect(coloured).toContain("\x1b[");
    expect(stripVTControlCharacters(coloured)).toBe(text);
  });

  test("untrusted names control neither the terminal nor the comment nor the page", () => {
    const more = { unmanaged: [thing(evil, { note: evil })], notes: [evil], unread: [{ what: evil, why: evil }] };
    const report = reportOf(1, 0, { ...more, stacks: [{ project: evil, stack: evil, resources: 0 }] });
    expect(tableReport(report, {})).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    const page = htmlReport(report);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain("default-src 'none'");
    const outsideCode = markdownReport(report).replace(/(`+)[^\n]*?\1/g, "");
    expect(outsideCode).not.toMatch(/<script>|@everyone|\]\(http/);
  });

  test("a comment has the counts and each thing, and fits, however much there is", () => {
    const text = markdownReport(reportOf(3, 2));
    expect(text).toMatch(/^## Data platform coverage\n\n\*\*Coverage 66\.6%: 2 of 3/);
    expect(text).toContain("| addresses | 3 | 2 | 66.6% |");
    expect(text).toContain("- `192.0.2.0` (`13`): `pulumi import 192.0.2.0`");
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.string({ unit: "grapheme", maxLength: 300 }),
        (count, words) => {
          const unmanaged = Array.from({ length: count }, (_, index) => thing(`${words}${index}`, { note: words }));
          const notes = Array.from({ length: 100 }, () => words.repeat(20));
          const comment = markdownReport(reportOf(count, 0, { unmanaged, notes }));
          expect(comment.length).toBeLessThanOrEqual(longestComment);
          expect(comment.match(/<details/g)?.length).toBe(comment.match(/<\/details>/g)?.length);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("the page has a tile for each kind, and a row for each thing with its command", () => {
    const page = htmlReport(reportOf(3, 2));
    expect(page).toContain("<title>Coverage of analytics/prod</title>");
    expect(page).toMatch(/data-status="address" aria-pressed="false"><b>66\.6%<\/b> addresses, 2 of 3</);
    expect(page).toContain('<code>pulumi import 192.0.2.0</code><button type="button" class="copy">');
    expect(page).not.toMatch(/\b(src|href)=|url\(|@import/);
    expect(htmlReport(reportOf(3, 3))).toMatch(/class="headline calm"[^>]*>Coverage 100%/);
  });
});

describe("the command", () => {
  let emulator: Emulator;
  let folder: string;
  beforeAll(async () => {
    emulator = await startEmulator();
    folder = mkdtempSync(join(tmpdir(), "coverage-"));
  });
  afterAll(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true });
  });

  const env = () => ({ DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]! });
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
    const report = JSON.parse(readFileSync(saved, "utf8")) as CoverageReport;
    expect(report.stacks.map(({ file }) => file)).toEqual([one, two]);
    expect(report.unmanaged[0]!.import!.command).not.toContain("--stack");
    const again = await inside(command, ["--from", saved, "--format", "markdown", "--min-coverage", "50%"]);
    expect(again).toMatchObject({ code: 2, stderr: "", stdout: expect.stringMatching(/Coverage 28\.5%, below 50%/) });
    expect((await inside(command, ["--from", saved, "--coverage", "--format", "html"])).stdout).toMatch(
      /^<!doctype html>/,
    );
    expect((await inside(command, [...args, "--min-coverage", "28"], env())).code).toBe(0);
  });

  test.each([
    ["several stacks without it", ["--stack", "a", "--stack", "b"], /--stack can be repeated with --coverage only/],
    ["a state without it", ["--state", "x"], /--state needs --coverage/],
    ["a minimum without it", ["--min-coverage", "5"], /--min-coverage needs --coverage/],
    [
      "a minimum that is no percentage",
      ["--coverage", "--min-coverage", "101"],
      /--min-coverage is "101"; use a percentage/,
    ],
    ["--only", ["--coverage", "--only", "gone"], /--only chooses resources by their drift/],
    ["a saved report and a state", ["--coverage", "--from", "x", "--state", "y"], /cannot be combined with --state/],
    [
      "a state that is not there",
      ["--coverage", "--state", "/nowhere/x"],
      /cannot read the state \/nowhere\/x: .*pulumi stack export/,
    ],
  ])("%s is a clear error", async (_, args, says) => {
    await expect(command.run(args)).rejects.toThrow(says);
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
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/not configured; missing:\n.*BASE_URL/) });
  });
});
