import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { accessPage } from "../../../cli/access/html";
import { readable as readableAccess } from "../../../cli/access/readable";
import { readable as readableConformance } from "../../../cli/conform/readable";
import { readable as readableFindings } from "../../../cli/doctor/report";
import { readable as readableCoverage } from "../../../cli/drift/coverage/readable";
import { readable as readableDrift } from "../../../cli/drift/readable";
import type { ResourceReport } from "../../../cli/drift/report";
import type { AccountMismatch } from "../../../cli/platform/accounts";
import { readable as readableRehearsal } from "../../../cli/rehearse/readable";
import { htmlReport } from "../../../cli/report/html";
import { longestComment, markdownReport } from "../../../cli/report/markdown";
import type { Report } from "../../../cli/report/model";
import { terminalReport } from "../../../cli/report/terminal";
import type { OutputStream } from "../../../cli/terminal/style";
import { changedReport } from "./access-sample";
import * as coverage from "./coverage-sample";
import * as drift from "./sample-report";

/** Every text of the report is this one; `count` things of each kind. */
type Sample = (text: string, count: number) => { readonly report: Report; readonly page?: () => string };

/** Names of accounts come from the platform, and are in the headline. They are not long. */
const mismatchWith = (text: string): AccountMismatch => ({
  platform: text.slice(0, 200),
  token: { id: "1002", name: text.slice(0, 200) },
  resourceAccounts: ["1001"],
  urns: [],
});

const driftWith: Sample = (text, count) => {
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
  return { report: readableDrift(report) };
};

const coverageWith: Sample = (text, count) => {
  const report = coverage.reportOf(count, 0, {
    unmanaged: Array.from({ length: count }, (_, index) => coverage.thing(`${text}${index}`, { note: text })),
    notes: Array.from({ length: Math.min(count, 100) }, () => text),
    unread: [{ what: text, why: text }],
    stacks: [{ project: text, stack: text, resources: 0 }],
  });
  return { report: readableCoverage(report) };
};

const accessWith: Sample = (text, count) => {
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
  return { report: readableAccess(report), page: () => accessPage(report) };
};

const rehearsalWith: Sample = (text, count) => {
  const urn = `urn:pulumi:dev::shop::dataplatform:index:Folder::${text}`;
  const message = { urn, message: text };
  const call = { operation: "x", method: "POST", path: text, body: { text }, status: 200 };
  const report = {
    format: 1 as const,
    tool: text,
    project: text,
    stack: text,
    platform: text,
    rehearsedAt: "2024-05-01T06:00:12.345Z",
    outcome: "failed" as const,
    changes: {},
    calls: Array.from({ length: count }, () => call),
    callsLeftOut: 1,
    warnings: [message],
    errors: [message],
    leftBehind: [text],
    seconds: 1,
    latencyMs: 0,
    resources: [{ urn, name: text, type: "Folder", id: text, op: "create" }],
    notShown: [{ what: text, assumed: text }],
    faults: { updates: 1, faults: 1, recovered: false, errors: [message], differences: [text] },
  };
  return { report: readableRehearsal(report) };
};

const conformanceWith: Sample = (text, count) => {
  const deviation = { what: text, section: "4.12", provider: "copes" as const };
  const operation = {
    name: "account.view" as const,
    request: text,
    does: text,
    section: text,
    extended: false,
    verdict: "deviates" as const,
    deviations: [deviation],
    readings: { [text]: text },
    notes: [text],
  };
  const report = {
    format: 1 as const,
    tool: text,
    platform: text,
    account: text,
    checkedAt: "2024-05-01T06:00:12Z",
    mode: "read" as const,
    operations: Array.from({ length: count }, () => operation),
    readings: {},
    open: { [text]: text },
    announced: [text],
    leftBehind: [{ what: text, why: text }],
  };
  return { report: readableConformance(report) };
};

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
  ["a rehearsal", rehearsalWith],
  ["conformance", conformanceWith],
])("the report on %s", (_, sample) => {
  const rendered = (text: string, count: number) => {
    const { report, page = () => htmlReport(report) } = sample(text, count);
    const table = (output: OutputStream) => terminalReport(report, output);
    return { table, markdown: () => markdownReport(report), html: page };
  };

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
  const findings = [
    { area: "Stack" as const, what: evil, verdict: "problem" as const, says: `${evil}\nmore`, fix: evil },
  ];
  const text = terminalReport(readableFindings(findings), {});
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
