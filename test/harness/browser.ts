import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterEach } from "vitest";
import { openBrowser } from "../../tools/lib/browser.mjs";
import { shared } from "./shared";

export interface Opened {
  readonly page: Page;
  /** Errors, warnings and policy violations that the browser reported. */
  readonly troubles: string[];
  /** Every requested URL. */
  readonly asked: string[];
}

/**
 * Opens pages in one browser, each in a context of its own that is closed after its test. To be called where tests are
 * declared.
 */
export function openedPages(): (url: string, options?: BrowserContextOptions) => Promise<Opened> {
  const browser = shared(() => openBrowser());
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  return async (url, options = {}) => {
    const context = await browser.newContext(options);
    contexts.push(context);
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
  };
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
