import { expect, test } from "vitest";
import { readable } from "../../../cli/drift/coverage/readable";
import { countOf } from "../../../cli/drift/coverage/report";
import { htmlReport } from "../../../cli/report/html";
import { reportOf, thing } from "../../fast/cli/coverage-sample";
import { noOddities, oddities } from "../../harness/browser";
import { reportPages } from "../../harness/report-pages";

const kinds = [
  { kind: "address" as const, ...countOf(40, 10) },
  { kind: "user" as const, ...countOf(6, 4) },
  { kind: "role" as const, ...countOf(3, 3) },
];
const long = thing("203.0.113.9".repeat(30), { note: "a note of many words ".repeat(20) });
const unmanaged = [
  long,
  ...Array.from({ length: 29 }, (_, index) => thing(`192.0.2.${index}`)),
  ...["ana", "otto"].map((name) => thing(`${name}@example.com`, { kind: "user" })),
];

const open = reportPages();

test.each([1200, 360])(
  "the page of the coverage filters by kind and by words, copies a command and fits %i pixels",
  async (width) => {
    const html = htmlReport(readable(reportOf(49, 17, { kinds, unmanaged })));
    const { page, troubles } = await open(html, { viewport: { width, height: 800 } });
    expect(await page.getByRole("status").first().textContent()).toMatch(/^Coverage 34\.6%: 17 of 49 things/);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await oddities(page)).toEqual(noOddities);
    const visibleCount = () => page.locator("#list > *:visible").count();
    expect(await visibleCount()).toBe(32);
    await page.getByRole("button", { name: /2 users not managed/ }).click();
    expect(await visibleCount()).toBe(2);
    await page.getByLabel("Filter: In no stack").fill("OTTO");
    expect(await page.locator("#shown").textContent()).toBe("1 of 32");
    expect(await page.getByRole("button", { name: /0 roles not managed/ }).isDisabled()).toBe(true);
    await page.locator("#list .copy:visible").first().click();
    await page.getByRole("button", { name: /Copied|Selected/ }).waitFor();
    expect(troubles).toEqual([]);
  },
);
