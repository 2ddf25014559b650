import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";
import { cacheFolder } from "../../tools/engine/layout.mjs";
import { withLock } from "../../tools/lib/lock.mjs";
import { root } from "./engine";

const places = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

export async function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that containers do not have; the pages are our own.
  return playwright.launch({ executablePath: await browserPath(), args: ["--no-sandbox"] });
}

/** The browser of this machine, or the one that CHROMIUM names; where there is none, the one of the npm package. */
export async function browserPath(): Promise<string> {
  return places.find((path) => path !== undefined && existsSync(path)) ?? packagedBrowser();
}

/** The package holds a compressed Chromium and unpacks it into the temporary folder: once, into our cache. */
async function packagedBrowser(): Promise<string> {
  const cache = join(cacheFolder(), "browser");
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8")) as {
    version: string;
  };
  const folder = join(cache, version);
  const ready = join(folder, "chromium");
  const unpack = async (): Promise<void> => {
    if (existsSync(ready)) return;
    const { default: packaged } = await import("@sparticuz/chromium");
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = partial;
    await packaged.executablePath().finally(() => {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
    });
    renameSync(partial, folder);
  };
  if (!existsSync(ready)) await withLock(join(cache, "unpack.lock"), () => undefined, unpack);
  return ready;
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
