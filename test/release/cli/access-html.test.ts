import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { accessPage } from "../../../cli/access/html";
import type { AccessReport } from "../../../cli/access/report";
import { bigReport, changedReport } from "../../fast/cli/access-sample";
import { noOddities, oddities } from "../../harness/browser";
import { reportPages } from "../../harness/report-pages";

const evil = `"><img src=x onerror="document.title='broken'"></script><script>document.title='broken'</script>`;

describe("in a browser", () => {
  const openHtml = reportPages();
  const open = (report: AccessReport, options?: BrowserContextOptions) => openHtml(accessPage(report), options);
  const cell = (page: Page, row: number, column: number) => page.locator(`#cell-${row}-${column}`);
  const label = (page: Page, row: number, column: number) => cell(page, row, column).getAttribute("aria-label");

  test("shows the changes and the matrix; a click shows why", async () => {
    const { page, troubles } = await open(changedReport());
    expect(await page.title()).toBe("Data platform access: shop/dev");
    expect(await page.getByRole("status").first().textContent()).toBe("The plan changes access: 1 gained, 1 lost");
    expect(await page.locator("#list > *").first().textContent()).toMatch(
      /^Gained user 104 \(ana@example\.com\) gains delete on note\/501 through group 204 \(analysts\)not said before, allowed after: element 1/,
    );
    expect(await label(page, 0, 0)).toBe("delete not said, then allowed");
    await cell(page, 0, 0).click();
    const why = page.locator("#why");
    expect(await why.getByRole("heading").textContent()).toBe("104 (ana@example.com) on note/501");
    expect(await why.textContent()).toMatch(/delete: allowedelement 1 allows delete: it names group 204 of the user/);
    expect(await why.textContent()).toMatch(/before: not said, no element covers delete/);
    await page.keyboard.press("Escape");
    expect(await why.isVisible()).toBe(false);
    expect(troubles).toEqual([]);
  });

  test("with a plan, opens on what changes, in all actions, on nothing that looks chosen; filters by all of it", async () => {
    const { page } = await open(changedReport());
    const count = () => page.locator("#count").textContent();
    expect(await page.getByRole("button", { name: "delete" }).getAttribute("aria-pressed")).toBe("true");
    expect(await count()).toBe("3 of 4 people, 1 of 2 objects");
    expect(await label(page, 1, 0)).toBe("delete not said; the plan changes read");
    const ring = () => page.evaluate("getComputedStyle(document.getElementById('cell-0-0')).outlineStyle");
    expect(await ring()).toBe("none");
    await page.locator("#what").press("Tab");
    await page.keyboard.press("Tab");
    expect(await ring()).toBe("solid");
    await page.getByRole("button", { name: "manage" }).click();
    expect(await count()).toBe("3 of 4 people, 1 of 2 objects");
    await page.getByLabel("only what changes").uncheck();
    expect(await count()).toBe("4 of 4 people, 2 of 2 objects");
    await page.getByLabel("People").fill("ANALYSTS ana@");
    expect(await count()).toBe("1 of 4 people, 2 of 2 objects");
    await page.getByLabel("People").fill("");
    await page.getByLabel("Objects").fill("502");
    expect(await count()).toBe("4 of 4 people, 1 of 2 objects");
    await page.getByLabel("Objects").fill("nowhere");
    expect(await page.locator("#nothing").isVisible()).toBe(true);
    await page.getByLabel("Objects").fill("");
    await page.getByLabel("People").fill("otto");
    await page.getByLabel("only what changes").check();
    expect(await count()).toBe("1 of 4 people, 1 of 2 objects");
  });

  test("a plan that changes nothing shows everything; one that changes another account opens on that one", async () => {
    const report = changedReport();
    const same = report.objects.map(({ after: _, ...object }) => object);
    const { page } = await open({ ...report, objects: same, changes: [] });
    expect(await page.locator("#count").textContent()).toBe("4 of 4 people, 2 of 2 objects");
    const [platform] = report.platforms;
    const empty = { ...platform!, users: [], groups: [] };
    const objects = report.objects.map((object) => ({ ...object, platform: 1 }));
    const changes = report.changes!.map((change) => ({ ...change, platform: 1 }));
    const { page: second } = await open({ ...report, platforms: [empty, platform!], objects, changes });
    expect(await second.locator("#count").textContent()).toBe("3 of 4 people, 1 of 2 objects");
  });

  test("names are in full where there is room", async () => {
    const report = bigReport(12, 3);
    const users = report.platforms[0]!.users.map((user) => ({ ...user, email: `${"long-".repeat(8)}${user.email}` }));
    const objects = report.objects.map((object) => ({
      ...object,
      object: `note/${"long-".repeat(5)}${object.object}`,
    }));
    const long = { ...report, platforms: [{ ...report.platforms[0]!, users }], objects };
    const { page } = await open(long, { viewport: { width: 1280, height: 800 } });
    const cut = `[...document.querySelectorAll("#grid span")].filter((text) => text.scrollHeight > text.clientHeight || text.scrollWidth > text.clientWidth).map((text) => text.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
    expect(await page.evaluate("grid.scrollWidth <= grid.clientWidth")).toBe(true);
    await page.setViewportSize({ width: 420, height: 800 });
    const names = () => page.evaluate<number>("document.querySelector('.who').offsetWidth");
    await expect.poll(names, { message: "a phone keeps room for objects" }).toBeLessThan(200);
  });

  test("a thousand users and a thousand objects: only what is visible is in the page, and the keyboard reaches all of it", async () => {
    const html = accessPage(bigReport(1_000, 1_000));
    expect(html.length, "mail and artifact stores accept it").toBeLessThan(10_000_000);
    const { page, troubles } = await openHtml(html);
    const cells = () => page.locator(".cell").count();
    expect(await cells()).toBeLessThan(2_000);
    await page.locator("#grid").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    const active = () => page.locator("#grid").getAttribute("aria-activedescendant");
    expect(await active()).toBe("cell-2-1");
    await page.keyboard.press("Control+End");
    expect(await active()).toBe("cell-1009-999");
    expect(await cell(page, 1009, 999).isVisible()).toBe(true);
    expect(await cells()).toBeLessThan(2_000);
    await page.keyboard.press("Enter");
    expect(await page.locator("#why-title").textContent()).toBe("group 10 (group-10) on note/1000");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator("#why-title").textContent()).toBe("group 9 (group-9) on note/1000");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.id")).toBe("grid");
    await page.getByLabel("People").fill("user777@");
    expect(await page.locator("#count").textContent()).toBe("1 of 1010 people, 1000 of 1000 objects");
    await page.getByRole("button", { name: "delete" }).click();
    expect(await page.locator(".line").count()).toBe(1);
    expect(troubles).toEqual([]);
  });

  const widths = [420, 1280].flatMap((width) => (["light", "dark"] as const).map((theme) => [width, theme] as const));
  test.each(widths)("at %i pixels in a %s theme: fits, and every text can be read", async (width, theme) => {
    const { page, troubles } = await open(changedReport(), { viewport: { width, height: 844 }, colorScheme: theme });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.getByRole("button", { name: "delete" }).click();
    await cell(page, 0, 0).click();
    const [panel, chosen] = [await page.locator("#why").boundingBox(), await cell(page, 0, 0).boundingBox()];
    const isBeside = chosen!.x + chosen!.width <= panel!.x || chosen!.y + chosen!.height <= panel!.y;
    expect(isBeside, "the explanation does not cover its cell").toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(theme === "dark" ? "rgb(18, 22, 28)" : "rgb(246, 247, 249)");
    expect(await oddities(page)).toEqual(noOddities);
    expect(troubles).toEqual([]);
  });

  test("untrusted names and values are text, never markup", async () => {
    const report = changedReport();
    const [platform] = report.platforms;
    const users = platform!.users.map((user) => ({ ...user, email: evil, name: evil }));
    const objects = report.objects.map((object) => ({ ...object, object: evil, notes: [evil] }));
    const groups = platform!.groups.map((group) => ({ ...group, name: evil }));
    const changes = report.changes!.map((change) => ({ ...change, object: evil }));
    const platforms = [{ ...platform!, users, groups, notes: [evil] }];
    const { page, troubles } = await open({ ...report, project: evil, notes: [evil], platforms, objects, changes });
    await cell(page, 0, 0).click();
    expect(await page.locator("#why-title").textContent()).toBe(`104 (${evil}) on ${evil}`);
    expect(await page.title()).toBe(`Data platform access: ${evil}/dev`);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    expect(troubles).toEqual([]);
  });

  test("without scripts, the changes are readable", async () => {
    const { page } = await open(changedReport(), { javaScriptEnabled: false });
    expect(await page.locator("#list > *").first().isVisible()).toBe(true);
    expect(await page.locator("noscript").textContent()).toMatch(/needs scripts/);
  });

  test("an empty report is readable too", async () => {
    const { page, troubles } = await open(bigReport(0, 0));
    expect(await page.getByRole("status").first().textContent()).toBe("No objects or folders with a policy");
    expect(await page.locator("#nothing").isVisible()).toBe(true);
    expect(troubles).toEqual([]);
  });
});
