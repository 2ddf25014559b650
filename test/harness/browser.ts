import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";

const places = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** This machine's browser: CHROMIUM, Debian's chromium, or another one. Undefined if there is none. */
export const chromium: string | undefined = places.find((path) => path !== undefined && existsSync(path));
if (!chromium)
  process.stderr.write(
    "skipped: tests in a browser, because chromium is not installed; install it (apt-get install chromium), or set CHROMIUM\n",
  );

export function openBrowser(): Promise<Browser> {
  // Its sandbox needs privileges that containers lack; the pages are our own.
  return playwright.launch({ executablePath: chromium ?? "chromium", args: ["--no-sandbox"] });
}

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
