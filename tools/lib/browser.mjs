import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium as playwright } from "playwright-core";
import { cacheFolder } from "../engine/layout.mjs";
import { withLock } from "./lock.mjs";
import { root } from "./project.mjs";

const places = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** @returns {Promise<import("playwright-core").Browser>} */
export async function openBrowser() {
  // Its sandbox needs rights that containers do not have; the pages are our own.
  return playwright.launch({ executablePath: await browserPath(), args: ["--no-sandbox"] });
}

/**
 * The browser of this machine, or the one that CHROMIUM names; where there is none, the one of the npm package.
 * @returns {Promise<string>}
 */
export async function browserPath() {
  return places.find((path) => path !== undefined && existsSync(path)) ?? packagedBrowser();
}

/** The package holds a compressed Chromium and unpacks it into the temporary folder: once, into our cache. */
async function packagedBrowser() {
  const cache = join(cacheFolder(), "browser");
  const { version } = /** @type {{ version: string }} */ (
    JSON.parse(readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8"))
  );
  const folder = join(cache, version);
  const ready = join(folder, "chromium");
  const unpack = async () => {
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
