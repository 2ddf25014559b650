import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Opened, openBrowser, openPage } from "./browser";

/** Opens reports as files, as a reader would, while the tests run among which this is called. */
export function reportPages(): (html: string, options?: BrowserContextOptions) => Promise<Opened> {
  let folder: string;
  let browser: Browser;
  const opened: Page[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "report-html-"));
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });
  return async (html, options) => {
    const file = join(folder, `${opened.length}.html`);
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    const found = await openPage(browser, url, { viewport: { width: 1440, height: 900 }, ...options });
    opened.push(found.page);
    expect(found.asked, "nothing but the file").toEqual([url]);
    return found;
  };
}
