import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as accessHtml from "../../../cli/access/html";
import * as accessMarkdown from "../../../cli/access/markdown";
import * as accessTable from "../../../cli/access/table";
import { textReport } from "../../../cli/doctor/report";
import * as coverageHtml from "../../../cli/drift/coverage/html";
import * as coverageMarkdown from "../../../cli/drift/coverage/markdown";
import * as coverageTable from "../../../cli/drift/coverage/table";
import * as driftHtml from "../../../cli/drift/html";
import * as driftMarkdown from "../../../cli/drift/markdown";
import type { ResourceReport } from "../../../cli/drift/report";
import * as driftTable from "../../../cli/drift/table";
import type { AccountMismatch } from "../../../cli/platform/accounts";
import { longestComment } from "../../../cli/report/markdown-text";
import type { OutputStream as Output } from "../../../cli/terminal/style";
import { changedReport } from "./access-sample";
import * as coverage from "./coverage-sample";
import * as drift from "./sample-report";

/** Renderers of a report whose every text is this one; `count` things of each kind. */
interface Rendered {
  table(output: Output): string;
  markdown(): string;
  html(): string;
}

/** Names of accounts come from the platform, and are in the headline. They are not long. */
const mismatchWith = (text: string): AccountMismatch => ({
  platform: text.slice(0, 200),
  token: { id: "1002", name: text.slice(0, 200) },
  resourceAccounts: ["1001"],
  urns: [],
});

function driftWith(text: string, count: number): Rendered {
  const properties = [{ property: "p", declared: [text, 1], actual: [text, text], secret: false }];
  const statuses: Partial<ResourceReport>[] = [
    { status: "drifted", properties },
    { status: "gone", lost: text },
    { status: "error", reason: text },
    { status: "as-declared" },
  ];
  const resources = Array.from({ length: count }, (_, index) =>
    statuses.map((more) => drift.resourceOf("ObjectPolicy", `${text}${index}`, `${text}${index}`, more)),
  ).flat();
  const report = drift.reportOf(resources, {
    platforms: [text],
    project: text,
    accountMismatches: [mismatchWith(text)],
  });
  return {
    table: (output) => driftTable.tableReport(report, output),
    markdown: () => driftMarkdown.markdownReport(report),
    html: () => driftHtml.htmlReport(report),
  };
}

function coverageWith(text: string, count: number): Rendered {
  const report = coverage.reportOf(count, 0, {
    unmanaged: Array.from({ length: count }, (_, index) => coverage.thing(`${text}${index}`, { note: text })),
    notes: Array.from({ length: Math.min(count, 100) }, () => text),
    unread: [{ what: text, why: text }],
    stacks: [{ project: text, stack: text, resources: 0 }],
  });
  return {
    table: (output) => coverageTable.tableReport(report, output),
    markdown: () => coverageMarkdown.markdownReport(report),
    html: () => coverageHtml.htmlReport(report),
  };
}

function accessWith(text: string, count: number): Rendered {
  const sample = changedReport();
  const [platform] = sample.platforms;
  const users = platform!.users.map((user) => ({ ...user, email: text }));
  const [change] = sample.changes!;
  const report = {
    ...sample,
    project: text,
    notes: [text],
    platforms: [{ ...platform!, address: text, users, notes: [text] }],
    accountMismatches: [mismatchWith(text)],
    changes: Array.from({ length: count }, (_, index) => ({ ...change!, object: `${text}${index}` })),
  };
  return {
    table: (output) => accessTable.tableReport(report, output),
    markdown: () => accessMarkdown.markdownReport(report),
    html: () => accessHtml.htmlReport(report),
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

describe.each([
  ["drift", driftWith],
  ["coverage", coverageWith],
  ["access", accessWith],
])("the report on %s", (_, rendered) => {
  test("untrusted text controls neither the terminal nor the comment nor the page", () => {
    const evil = `"><script>alert(1)</script>\`@everyone\` [x](http://evil.example)|<img src=x>\u001b[31m\u202e\u0007`;
    const { table, markdown, html } = rendered(evil, 2);
    expect(table({})).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(outsideOfCode(markdown())).not.toMatch(/<script|<img|@everyone|\]\(http/);
    expect(markdown()).not.toContain("\u001b");
    expect(html().match(/<script/g)).toEqual(
      rendered("plain", 2)
        .html()
        .match(/<script/g),
    );
    expect(html()).not.toContain("<img");
    expect(html()).toContain("default-src 'none'");
  });

  test("any words stay inside their code spans", () => {
    const words = fc.array(fc.constantFrom("`", "``", "\n", "@you", "</details>", "a", "|", "🔥", "\\"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, (parts) => {
        const text = rendered(parts.join(""), 1).markdown();
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
    const comment = rendered(text, count).markdown();
    expectComment(comment);
    if (count > 1) {
      expect(comment.length).toBeGreaterThan(20_000);
      expect(comment).toMatch(/… and \d+ more, left out to keep this short/);
    }
  });

  test("has colours on a terminal only, unless NO_COLOR is set, and truncates nothing", () => {
    const { table } = rendered("a long text of several words", 1);
    const terminal = { isTTY: true, columns: 40 };
    expect(table({})).not.toContain("\x1b");
    expect(table(terminal)).toContain("\x1b[");
    expect(stripVTControlCharacters(table(terminal))).toBe(table({}));
    vi.stubEnv("NO_COLOR", "1");
    expect(table(terminal)).toBe(table({}));
  });
});

test("nor do the findings of the doctor control the terminal", () => {
  const evil = "\u001b[31m\u202e\u0007";
  const text = textReport([{ area: "Stack", what: evil, verdict: "problem", says: `${evil}\nmore`, fix: evil }], {});
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
