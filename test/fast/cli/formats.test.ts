import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { accessPage } from "../../../cli/access/html";
import { htmlReport } from "../../../cli/report/html";
import { longestComment, markdownReport } from "../../../cli/report/markdown";
import { code, type Report, type Row } from "../../../cli/report/model";
import { terminalReport } from "../../../cli/report/terminal";
import type { OutputStream } from "../../../cli/terminal/style";
import { changedReport } from "./access-sample";

/** Everything that a report can say, and every text of it is this one; `count` rows in each section. */
function reportWith(text: string, count: number): Report {
  const lines = (["-", "+", " "] as const).map((sign) => ({ sign, text }));
  const rows = Array.from({ length: count }, (_, index): Row => {
    const name = `${text}${index}`;
    const more = [
      { remark: name, tone: "quiet" as const },
      { command: text, title: "fix" },
      { property: text, lines },
    ];
    return { tone: "bad", mark: "!", cells: [{ word: text, tone: "good" }, code(name), [text, code(text)]], more };
  });
  return {
    ...{ about: text, title: text, headline: text, tone: "warning", checkedAt: text, tool: text, lists: text },
    platforms: [text],
    facts: [text],
    legend: [text],
    notes: rows.map(() => ({ note: text, tone: "bad" })),
    sections: [
      { title: text, count: text, tone: "bad", isOpen: true, rows },
      { title: text, columns: [text, text, text, text], rows },
      { title: text, rows },
      { title: text, isAside: true, rows },
    ],
    isRanked: true,
    steps: [
      { title: text, text, command: text },
      { title: text, text },
    ],
    whole: "dataplatform drift --format html",
  };
}

/** Markdown without its fenced blocks and its code spans, in which nothing is markup. */
function outsideOfCode(text: string): string {
  return text.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, "").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

function expectComment(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longestComment);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
}

afterEach(() => vi.unstubAllEnvs());

const evil = `"><script>alert(1)</script>\`@everyone\` [x](http://evil.example)|<img src=x>\u001b[31m\u202e\u0007`;

describe("a report", () => {
  test("untrusted text controls neither the terminal nor the comment nor the page", () => {
    const report = reportWith(evil, 2);
    expect(terminalReport(report, {})).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    const comment = markdownReport(report);
    expect(outsideOfCode(comment)).not.toMatch(/<script|<img|@everyone|\]\(http/);
    expect(comment).not.toContain("\u001b");
    const page = htmlReport(report);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img");
    expect(page, "it does not end an attribute either").not.toContain('"&gt;');
    expect(page, "a command can be copied").toMatch(/<code>[^<]*&lt;script&gt;[^<]*<\/code><button/);
    expect(page).toMatch(/class="headline warning"/);
  });

  test("any words stay inside their code spans", () => {
    const pieces = fc.constantFrom("`", "``", "\n", "@you", "</details>", "a", "|", "🔥", "\\");
    const words = fc.array(pieces, { maxLength: 12 });
    fc.assert(
      fc.property(words, (parts) => {
        const text = markdownReport(reportWith(parts.join(""), 1));
        expect(outsideOfCode(text)).not.toMatch(/@you|<\/details>[^\n]/);
        expectComment(outsideOfCode(text));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["one thing with a long text", "🔥`@everyone` <script> ".repeat(2_000), 1],
    ["many things with a long text", "🔥`@everyone` <script> ".repeat(200), 2_000],
    ["many small things", "x", 20_000],
  ])("fits in a comment, and uses the space: %s", (_title, text, count) => {
    const comment = markdownReport(reportWith(text, count));
    expectComment(comment);
    if (count > 1) {
      expect(comment.length).toBeGreaterThan(20_000);
      expect(comment).toMatch(/… and \d+ more, left out to keep this short/);
    }
  });

  test("has colours on a terminal only, unless NO_COLOR is set, and truncates nothing", () => {
    const table = (output: OutputStream) => terminalReport(reportWith("a long text of several words", 1), output);
    const terminal = { isTTY: true, columns: 40 };
    expect(table({})).not.toContain("\x1b");
    expect(table(terminal)).toContain("\x1b[");
    expect(stripVTControlCharacters(table(terminal))).toBe(table({}));
    vi.stubEnv("NO_COLOR", "1");
    expect(table(terminal)).toBe(table({}));
  });
});

test("pages load nothing external", () => {
  const { platforms, ...report } = changedReport();
  const access = { ...report, platforms: platforms.map((platform) => ({ ...platform, address: "" })) };
  for (const page of [htmlReport(reportWith("a text", 2)), accessPage(access)]) {
    expect(page).not.toMatch(/\b(src|href)=|url\(|@import|https?:\/\//);
    expect(page).toContain("default-src 'none'");
  }
});

test("nor does it control the matrix of the access page", () => {
  const sample = changedReport();
  const [platform] = sample.platforms;
  const users = platform!.users.map((user) => ({ ...user, email: evil, name: evil }));
  const objects = sample.objects.map((object) => ({ ...object, object: evil, notes: [evil] }));
  const page = accessPage({ ...sample, project: evil, objects, platforms: [{ ...platform!, users, notes: [evil] }] });
  expect(page.match(/<script/g)).toEqual(accessPage(sample).match(/<script/g));
  expect(page).not.toContain("<img");
});
