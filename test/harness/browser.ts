import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";

const places = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of this machine: Debian's chromium, another one, or what CHROMIUM names. Undefined: there is none. */
export const chromium: string | undefined = places.find((path) => path !== undefined && existsSync(path));
if (!chromium)
  process.stderr.write(
    "skipped: tests in a browser, because there is no chromium here; install it (apt-get install chromium), or name one in CHROMIUM\n",
  );

export function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that containers do not have; the pages are our own.
  return playwright.launch({ executablePath: chromium ?? "chromium", args: ["--no-sandbox"] });
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained about: errors, warnings, refusals of its policy. */
  readonly troubles: string[];
  /** Every address that was asked for. */
  readonly asked: string[];
}

/** A page in a context of its own: `page.context().close()` ends both. */
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
