import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlReport } from "../../../cli/drift/coverage/html";
import { countOf } from "../../../cli/drift/coverage/report";
import { reportOf, thing } from "../../fast/cli/coverage-sample";
import { openBrowser, openPage } from "../../harness/browser";

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

describe("the page of the coverage", () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "coverage-html-"));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each([1200, 360])("filters by kind and by words, copies a command and fits %i pixels", async (width) => {
    const file = join(folder, `${width}.html`);
    writeFileSync(file, htmlReport(reportOf(49, 17, { kinds, unmanaged })));
    const url = pathToFileURL(file).href;
    const { page, troubles, asked } = await openPage(browser, url, { viewport: { width, height: 800 } });
    expect(asked).toEqual([url]);
    expect(await page.getByRole("status").first().textContent()).toMatch(/^Coverage 34\.6%: 17 of 49 things/);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const visibleCount = () => page.locator("#list > *:visible").count();
    expect(await visibleCount()).toBe(32);
    await page.getByRole("button", { name: /users, 4 of 6/ }).click();
    expect(await visibleCount()).toBe(2);
    await page.getByLabel("Filter what is in no stack").fill("OTTO");
    expect(await page.locator("#count").textContent()).toBe("1 of 32");
    expect(await page.getByRole("button", { name: /roles, 3 of 3/ }).isDisabled()).toBe(true);
    await page.locator("#list .copy:visible").first().click();
    await page.getByRole("button", { name: /Copied|Selected/ }).waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
