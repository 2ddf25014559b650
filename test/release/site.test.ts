import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { openedPages } from "../harness/browser";
import { root, run } from "../harness/engine";
import { testFolder } from "../harness/folders";
import { listen } from "../harness/http";
import { shared } from "../harness/shared";
import { expectOk } from "../harness/stacks";

/* The documentation site, as tools/site.mjs builds it from docs/, in a browser. */

const desktop = { width: 1280, height: 900 };
const phone = { width: 420, height: 900 };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

const folder = testFolder();

/** Built, and served as any web server would: a file, or 404. */
async function serveSite() {
  await expectOk(run(process.execPath, ["tools/site.mjs", "--out", folder], { cwd: root, env: process.env }));
  const server = createServer(({ url = "/" }, answer) => {
    const { pathname } = new URL(url, "http://site");
    const file = join(folder, pathname === "/" ? "index.html" : pathname);
    if (!existsSync(file)) return answer.writeHead(404).end();
    return answer.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  return {
    url: await listen(server),
    pages: readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html") && name !== "404.html")
      .map((name) => `/${name}`),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const site = shared(serveSite);
const openUrl = openedPages();
const open = (path: string, options: BrowserContextOptions = { viewport: desktop }) =>
  openUrl(site.url + path, options);

test("every page fits both widths, and every link leads somewhere", async () => {
  const { page, troubles, asked } = await open("/");
  const tooWide: string[] = [];
  const linked = new Set(["/index.html"]);
  const anchors: string[] = [];
  const ids = new Set<string>();
  for (const path of site.pages) {
    await page.goto(site.url + path);
    await page.locator(".vp-doc h1").waitFor();
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (width > viewport.width) tooWide.push(`${path}: ${width}`);
    }
    const found = await page.evaluate<{ ids: string[]; links: string[] }>(`({
      ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
      links: [...document.querySelectorAll("a")].map(({ href }) => href),
    })`);
    for (const id of found.ids) ids.add(`${path}#${id}`);
    for (const link of found.links.filter((href) => href.startsWith(site.url)).map((href) => new URL(href))) {
      const target = link.pathname === "/" ? "/index.html" : link.pathname;
      linked.add(target);
      if (link.hash) anchors.push(target + decodeURIComponent(link.hash));
    }
  }
  expect(site.pages.length).toBeGreaterThan(75);
  expect(tooWide).toEqual([]);
  expect([...linked].sort()).toEqual(site.pages.toSorted());
  expect(anchors.filter((anchor) => !ids.has(anchor))).toEqual([]);
  expect(troubles).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:"))).toEqual([]);
});

test("a language that was chosen once is shown everywhere", async () => {
  const { page, troubles } = await open("/resources/role.html");
  const block = (language: string) => page.locator(`.vp-code-group .language-${language}`);
  const tabs = page.locator(".vp-code-group .tabs label");
  expect(await tabs.allTextContents()).toEqual(["TypeScript", "Python", "Go", "YAML"]);
  expect(await block("typescript").isVisible()).toBe(true);
  await tabs.getByText("Go", { exact: true }).click();
  await block("go").waitFor();
  expect(await block("typescript").isVisible()).toBe(false);
  await page.getByRole("link", { name: "WhitelistedIp", exact: true }).click();
  await page.waitForURL("**/whitelisted-ip.html");
  await block("go").filter({ hasText: "NewWhitelistedIp" }).waitFor();
  await page.goto(`${site.url}/functions/get-users.html`);
  await block("go").waitFor();
  expect(troubles).toEqual([]);
});

test.each([desktop, phone])("search finds a page at a width of $width px", async (viewport) => {
  const { page, troubles } = await open("/", { viewport });
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("Could not automatically download");
  await page.getByRole("option").filter({ hasText: "The plugin and import" }).click();
  await page.waitForURL("**/troubleshooting.html#the-plugin-and-import");
  expect(troubles).toEqual([]);
});

test("dark mode follows the system, and the switch changes it", async () => {
  const { page } = await open("/", { viewport: desktop, colorScheme: "dark" });
  const brightness = () =>
    page.evaluate<number>("Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])");
  expect(await brightness()).toBeLessThan(60);
  await page.locator(".VPNavBarAppearance").getByRole("switch").click();
  await page.locator("html:not(.dark)").waitFor();
  expect(await brightness()).toBeGreaterThan(200);
});

test("on a phone, the menu leads to the pages", async () => {
  const { page } = await open("/", { viewport: phone });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.locator(".VPSidebar").getByText("Command line", { exact: true }).click();
  await page.locator(".VPSidebar").getByRole("link", { name: "Doctor" }).click();
  await page.waitForURL("**/doctor.html");
});
