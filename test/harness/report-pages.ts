import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import { type Opened, openedPages } from "./browser";
import { testFolder } from "./folders";

/** Opens reports as files, as a reader would, while the tests run among which this is called. */
export function reportPages(): (html: string, options?: BrowserContextOptions) => Promise<Opened> {
  const folder = testFolder();
  const open = openedPages();
  let reports = 0;
  return async (html, options) => {
    const file = join(folder, `${reports++}.html`);
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    const found = await open(url, { viewport: { width: 1440, height: 900 }, ...options });
    expect(found.asked, "nothing but the file").toEqual([url]);
    return found;
  };
}
