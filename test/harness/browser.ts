import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export { browserPath, openBrowser } from "../../tools/lib/browser.mjs";

export interface Opened {
  readonly page: Page;
  /** Errors, warnings and policy violations that the browser reported. */
  readonly troubles: string[];
  /** Every requested URL. */
  readonly asked: string[];
}

/** A page in its own context: `page.context().close()` closes both. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(url);
  return { page, troubles, asked };
}
