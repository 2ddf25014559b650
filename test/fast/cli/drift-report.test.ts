import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as drift from "../../../cli/drift";
import { linesOf } from "../../../cli/drift/lines";
import { markdownReport } from "../../../cli/drift/markdown";
import type { DriftReport, ResourceReport } from "../../../cli/drift/report";
import { tableReport } from "../../../cli/drift/table";
import { longestComment } from "../../../cli/report/markdown-text";
import { inside } from "../../harness/command";
import { root } from "../../harness/engine";
import { reportOf, resourceOf, sample } from "./sample-report";

const calm = sample.filter(({ status }) => status === "as-declared" || status === "unverifiable");
/** Characters that control a terminal, except line ends. */
const controlCharacters = /[^\P{Cc}\n]|\u202e/u;
const escapes = "\x1b[31mred\x1b[0m\u202e\u0007";

describe("lines of a difference", () => {
  test.each([
    ["a value", 1, 2, ["- 1", "+ 2"]],
    ["a value that is not set", undefined, "x", ["- (not set)", '+ "x"']],
    ["elements of a list", ["a", "b"], ["b", "c"], ['- "a"', '+ "c"']],
    ["a duplicate element", ["a"], ["a", "a"], ['+ "a"']],
    ["only the order", [1, 2], [2, 1], ["  the order differs", "- [1,2]", "+ [2,1]"]],
    ["parts of an object", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["- a.c: 2", "+ a.c: 3"]],
    ["text with terminal control characters", escapes, "", [expect.not.stringMatching(controlCharacters), '+ ""']],
  ])("%s", (_, declared, actual, lines) => {
    const property = { property: "p", declared, actual, secret: false };
    expect(linesOf(property).map(({ sign, text }) => `${sign} ${text}`)).toEqual(lines);
  });
  test("a secret only says that it differs", () => {
    const property = { property: "p", declared: "[secret]", actual: "[secret]", secret: true };
    expect(linesOf(property)).toEqual([{ sign: " ", text: "differs (secret values)" }]);
  });
});

describe("the table", () => {
  test("shows every resource, the differences and the next steps; no colour without a terminal", () => {
    const text = tableReport(reportOf(sample), {});
    expect(text).toMatch(/^STATUS +TYPE +NAME +ID\n/);
    expect(text).toMatch(/✗ gone +WhitelistedIp +office +12\n/);
    expect(text).toMatch(/≠ drifted +Account +sandbox +1003\n {4}idleSessionTimeout\n {6}- 1440\n {6}\+ 10800\n/);
    expect(text).toContain("analytics/prod against https://api.example.com: 2 drifted, 1 gone, 1 not readable");
    expect(text).toContain("pulumi up --refresh --stack prod");
    expect(text).not.toContain("\x1b");
  });
  test("uses colour on a terminal, truncates nothing, and honours NO_COLOR", () => {
    const text = tableReport(reportOf(sample), { isTTY: true, columns: 40 });
    expect(text).toContain("\x1b[31m");
    expect(stripVTControlCharacters(text)).toBe(tableReport(reportOf(sample), {}));
    vi.stubEnv("NO_COLOR", "1");
    expect(tableReport(reportOf(sample), { isTTY: true, columns: 40 })).not.toContain("\x1b");
    vi.unstubAllEnvs();
  });
  test("untrusted names cannot control the terminal", () => {
    const resources = [resourceOf("WhitelistedIp", escapes, escapes, { reason: escapes })];
    expect(tableReport(reportOf(resources), {})).not.toMatch(controlCharacters);
  });
});

describe("the markdown", () => {
  test("starts with the summary, collapses the details, and shows differences as a diff", () => {
    const text = markdownReport(reportOf(sample));
    expect(text).toMatch(/^## Data platform drift: `analytics\/prod`\n\n\*\*Drift: 3 of 15 resources differ/);
    expect(text).toContain("| drifted | 2 |");
    expect(text.indexOf("<details")).toBeGreaterThan(text.indexOf("What to do next"));
    expect(text).toContain("  ```diff\n    idleSessionTimeout:\n  - 1440\n  + 10800\n");
    expect(text.match(/<details/g)).toHaveLength(5);
    expect(text.match(/<\/details>/g)).toHaveLength(5);
    expect(text.match(/the API cannot show a data store/g), "once for both").toHaveLength(1);
  });

  const huge = "🔥`@everyone` <script> ".repeat(2_000);
  const large = (status: ResourceReport["status"], count: number): ResourceReport[] =>
    Array.from({ length: count }, (_, index) =>
      resourceOf("ObjectPolicy", `${status}-${index}-${index % 7 === 0 ? huge : ""}`, `note/${index}`, {
        status,
        ...(status === "drifted"
          ? {
              properties: [{ property: "policy", declared: [huge, index], actual: [index, huge, huge], secret: false }],
            }
          : {}),
        ...(status === "error" ? { reason: `${huge}${index}` } : {}),
      }),
    );

  test.each([
    [
      "5,000 of each status",
      [...large("drifted", 5_000), ...large("gone", 5_000), ...large("error", 5_000), ...large("as-declared", 5_000)],
    ],
    ["one that is very large", large("drifted", 1)],
    [
      "many small ones",
      Array.from({ length: 20_000 }, (_, i) => resourceOf("WhitelistedIp", `ip-${i}`, String(i), {})),
    ],
  ])("fits in a comment: %s", (_, resources) => {
    const text = markdownReport(reportOf(resources, { platforms: resources.slice(0, 50).map(({ name }) => name) }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestComment);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    if (resources.length > 1_000) {
      expect(text, "the available space is used").toSatisfy((whole: string) => whole.length > 20_000);
      expect(text).toMatch(/… and \d+ more, left out to keep this short/);
    }
  });

  test("any names and values stay inside their code spans, and the whole fits", () => {
    const words = fc.array(fc.constantFrom("`", "``", "\n", "@you", "</details>", "a", "|", "🔥", "\\"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, words, (left, right) => {
        const [name, value] = [left.join(""), right.join("")];
        const properties = [{ property: "p", declared: value, actual: [value], secret: false }];
        const text = markdownReport(reportOf([resourceOf("T", name, value, { status: "drifted", properties })]));
        expect(outsideOfCode(text)).not.toMatch(/@you|<\/details>[^\n]/);
        expect(outsideOfCode(text).match(/<\/details>/g)).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

/** Markdown without its fenced blocks and its code spans. */
function outsideOfCode(text: string): string {
  return text.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, "").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

describe("a report in a file", () => {
  let folder: string;
  const file = (report: DriftReport): string => {
    const path = join(folder, "report.json");
    writeFileSync(path, JSON.stringify(report));
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "drift-report-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

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
    expect(readFileSync(output, "utf8")).toContain("| as declared | 9 |");
  });

  test.each([
    [["--format", "pdf"], /--format is "pdf"; use one of table, json, markdown, html/],
    [["--wings"], /--wings/],
    [["--from", "/nowhere.json"], /cannot read the report \/nowhere\.json/],
    [["--from", join(root, "package.json")], /is not a report from "dataplatform drift --format json"/],
    [["--from", "x", "--stack", "dev"], /cannot be combined with --stack/],
    [["--cwd", "/nowhere"], /the folder \/nowhere does not exist; set --cwd/],
  ])("%j is a clear error", async (args, says) => {
    await expect(drift.run(args)).rejects.toThrow(says);
  });

  test("no pulumi on PATH is a clear error", async () => {
    const ran = await inside(drift, ["--cwd", folder], { PATH: folder });
    expect(ran).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/pulumi is not on PATH; install it/),
    });
  });
});
