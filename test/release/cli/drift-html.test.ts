import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readable } from "../../../cli/drift/readable";
import type { ResourceReport } from "../../../cli/drift/report";
import { htmlReport } from "../../../cli/report/html";
import { reportOf, sample } from "../../fast/cli/sample-report";
import { noOddities, oddities } from "../../harness/browser";
import { reportPages } from "../../harness/report-pages";

describe("in a browser", () => {
  const openHtml = reportPages();
  const open = (resources: readonly ResourceReport[], options?: BrowserContextOptions) =>
    openHtml(htmlReport(readable(reportOf(resources))), options);

  test("shows the summary, the differences and the next steps, which it copies, without console errors", async () => {
    const { page, troubles } = await open(sample);
    expect(await page.title()).toBe("Data platform drift: analytics/prod");
    expect(await page.getByRole("status").first().textContent()).toMatch(/^Drift: 3 of 15 resources differ/);
    expect(await page.locator("#list > *").count()).toBe(15);
    const account = page.locator("details", { hasText: "sandbox" });
    expect(await account.locator("tbody tr").first().textContent()).toBe("idleSessionTimeout144010800");
    expect(await account.locator("tbody tr").nth(1).textContent()).toMatch(/storageSecretKeydiffers \(secret values\)/);
    expect(await page.locator(".steps code").allTextContents()).toContain("pulumi up --refresh --stack prod");
    const background = await page.evaluate("getComputedStyle(document.querySelector('.headline')).backgroundColor");
    expect(background, "the style is applied").not.toBe("rgba(0, 0, 0, 0)");
    expect(troubles).toEqual([]);
    await page.getByText("What to do next").click();
    await page.locator(".copy").first().click();
    await page.getByRole("button", { name: /Copied|Selected/ }).waitFor();
  });

  test("filters by status and by words, and says when nothing matches", async () => {
    const { page } = await open(sample);
    const visibleCount = () => page.locator("#list > *:visible").count();
    await page.getByRole("button", { name: /as declared/ }).click();
    expect(await visibleCount()).toBe(9);
    await page.getByRole("button", { name: /gone/ }).click();
    expect(await visibleCount()).toBe(10);
    await page.getByLabel("Filter: Resources").fill("whitelistedip OFFICE");
    expect(await visibleCount()).toBe(1);
    expect(await page.locator("#shown").textContent()).toBe("1 of 15");
    await page.getByLabel("Filter: Resources").fill("nowhere");
    expect(await page.locator("#none").isVisible()).toBe(true);
    await page.getByLabel("Filter: Resources").fill("");
    for (const status of [/as declared/, /gone/]) await page.getByRole("button", { name: status }).click();
    expect(await visibleCount()).toBe(15);
  });

  const screens = [1280, 420].flatMap((width) => (["light", "dark"] as const).map((theme) => [width, theme] as const));
  test.each(screens)(
    "at %i pixels, %s: differences above the fold, commands in full, the common look",
    async (width, theme) => {
      const { page } = await open(sample, { viewport: { width, height: 800 }, colorScheme: theme });
      const differences = page.locator(".diff tbody tr").filter({ visible: true });
      const { y, height } = (await differences.nth(width > 1000 ? 2 : 1).boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(800);
      await page.getByText("What to do next").click();
      const cut = `[...document.querySelectorAll(".command code")].filter((code) => code.checkVisibility())
      .filter((code) => code.scrollWidth > code.clientWidth || code.getBoundingClientRect().right > innerWidth)`;
      expect(await page.evaluate(`${cut}.length`)).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await oddities(page)).toEqual(noOddities);
    },
  );

  test("fits a phone, and shows everything without scripts", async () => {
    const { page } = await open(sample, { viewport: { width: 360, height: 740 } });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    const { page: still } = await open(sample, { javaScriptEnabled: false });
    expect(await still.locator("#list > *:visible").count()).toBe(15);
    expect(await still.locator(".steps").isVisible()).toBe(false);
    await still.emulateMedia({ media: "print" });
    expect(await still.locator(".steps").isVisible(), "on paper, nothing is folded").toBe(true);
  });

  test("reports without drift or without resources are readable too", async () => {
    const calm = await open(sample.filter(({ status }) => status === "as-declared"));
    expect(await calm.page.getByRole("status").first().textContent()).toMatch(/^No drift/);
    expect(await calm.page.locator(".steps").count()).toBe(0);
    const empty = await open([]);
    expect(await empty.page.getByRole("status").first().textContent()).toMatch(/has no data platform resources/);
    expect(empty.troubles).toEqual([]);
  });
});
