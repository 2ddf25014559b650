import type { Page } from "playwright-core";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { control, dataStore, emulate, goodCalls, send, spark } from "../../fast/emulator/calls";
import { noOddities, type Opened, oddities, openedPages } from "../../harness/browser";
import { shared } from "../../harness/shared";

const emulator = shared(() => emulate({ clock: "manual" }));
const open = openedPages();
beforeEach(() => emulator.reset());

const admin = (method: "GET" | "POST", path: string, body?: unknown) =>
  send(emulator.url, emulator.tokens["admin"], { method, path: `/api/v1.2${path}`, body });

describe("the page", () => {
  test("is for browsers: not logged, and not served to API clients", async () => {
    const page = await request(emulator.url, { reset: true, headers: { accept: "text/html" } });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(await page.body.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    expect(emulator.requests().total).toBe(0);
    const { statusCode } = await request(emulator.url, { reset: true, headers: { accept: "application/json" } });
    expect(statusCode).toBe(404);
  });

  test("other sites in the same browser cannot change anything", async () => {
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" });
    for (const origin of ["https://evil.example.com", "null"]) {
      const refused = await request(`${emulator.url}/_emulator/reset`, {
        reset: true,
        method: "POST",
        headers: { origin },
      });
      expect(refused.statusCode).toBe(403);
    }
    expect(emulator.state().accounts[0]?.whitelist).toHaveLength(1);
    const own = { reset: true, method: "POST", headers: { origin: emulator.url } } as const;
    expect((await request(`${emulator.url}/_emulator/reset`, own)).statusCode).toBe(200);
  });
});

describe("in a browser", () => {
  let opened: Opened;
  let page: Page;
  beforeEach(async () => {
    opened = await open(`${emulator.url}/#1001/whitelist`, { viewport: { width: 1400, height: 900 } });
    page = opened.page;
    await page.getByText("live", { exact: true }).waitFor();
  });
  afterEach(() => {
    expect(opened.troubles).toEqual([]);
    expect(opened.asked.filter((url) => !url.startsWith(emulator.url) && !url.startsWith("data:"))).toEqual([]);
  });

  const show = (kind: string) => page.getByRole("navigation").getByRole("link", { name: kind }).click();
  const row = (text: string) => page.getByRole("table").getByRole("row").filter({ hasText: text });
  const requests = () => page.getByRole("list", { name: /^Requests/ });

  test("shows records and requests live, with secrets masked", async () => {
    await page.getByText("There are no addresses in account 1001.").waitFor();
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" });
    await row("203.0.113.7").waitFor();
    await show("Data stores");
    await admin("POST", "/db_taps", { ...dataStore, name: "<img src=x onerror=alert(1)>", db_passwd: "very-secret" });
    await row("<img src=x onerror=alert(1)>").getByText("password ***").waitFor();
    await row("db.example.com").getByRole("button", { name: "Details" }).click();
    await page.getByRole("dialog").getByText('"db_passwd": "***"').waitFor();
    await page.keyboard.press("Escape");
    await requests().getByText("/api/v1.2/db_taps").click();
    await requests().getByText('"db_passwd": "***"').first().waitFor();
    expect(await page.content()).not.toMatch(/very-secret|analytics-admin/);
  });

  test("opens on a kind of which there is something, and stays there", async () => {
    const table = (name: string) => page.getByRole("table", { name });
    await page.goto("about:blank");
    await page.goto(emulator.url);
    await table("Users").waitFor();
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" });
    await requests().getByText("/api/v1.2/whitelist_ip").waitFor();
    expect(await table("Users").isVisible()).toBe(true);
    await page.reload();
    await table("Addresses").waitFor();
  });

  test("follows the chosen colours", async () => {
    for (const [theme, ground] of [
      ["Dark", "rgb(18, 22, 28)"],
      ["Light", "rgb(246, 247, 249)"],
    ] as const) {
      await page.getByLabel("Colours").selectOption(theme);
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(ground);
    }
  });

  test("has a table for every kind of record of every account", async () => {
    for (const call of Object.values(goodCalls)) await send(emulator.url, emulator.tokens["admin"], call);
    const samples = {
      Accounts: "1002",
      Addresses: "203.0.113.7",
      "Data stores": "db.example.com",
      Users: "pending2@analytics.example.com",
      Groups: "data-engineer",
      Roles: "assigning roles to a group",
      Policies: "cluster 511",
      Packages: "scipy 1.12.0",
      Commands: "Spark",
      Tables: "default.daily_ticks",
      Sensors: "dt: 2024-01-01",
    };
    for (const [kind, text] of Object.entries(samples)) {
      await show(kind);
      await row(text).first().waitFor();
    }
    await page.getByLabel("Account", { exact: true }).selectOption({ label: "1002 Research" });
    await show("Addresses");
    await row("2001:db8::10").waitFor();
    await page.reload();
    await row("2001:db8::10").waitFor();
  });

  test("shows groups with their members and roles, and roles with what they grant", async () => {
    await show("Groups");
    for (const text of ["analyst@analytics.example.com", "analyst"])
      await row("analysts").getByText(text, { exact: true }).waitFor();
    await row("engineers").getByText("none", { exact: true }).waitFor();
    await row("201").getByText("system-admin").nth(1).waitFor();
    const operator = emulator.state({ secrets: true }).accounts[0]!.users.find(({ alias }) => alias === "operator")!;
    await control(emulator.url, "PUT", "/state/users", { ...operator, groups: [203, 206] });
    await row("engineers").getByText("operator@analytics.example.com").waitFor();
    await show("Roles");
    await row("analyst").getByText("submitting a command").waitFor();
    await row("system-user").getByText("on datastore").waitFor();
    const policies = [
      { resource: "account", action: ["read", "update"], access: "allow" },
      { resource: "folder", access: "deny" },
    ];
    await control(emulator.url, "PUT", "/state/roles", { name: "own", policies });
    await row("own").getByText("read, update on account").waitFor();
    await row("own").getByText("nothing on folder").waitFor();
    await control(emulator.url, "PUT", "/state/roles", { name: "idle", policies: [] });
    await row("idle").getByText("none", { exact: true }).waitFor();
  });

  test("follows a command by the platform's clock", async () => {
    await show("Commands");
    await admin("POST", "/commands", { ...spark, name: "nightly" });
    await row("nightly").getByText("waiting").waitFor();
    emulator.advance(2);
    await row("nightly").getByText("running").waitFor();
    await page.getByRole("button", { name: "+ 60 s" }).click();
    await row("nightly").getByText("done").waitFor();
  });

  test("adds, shows and removes faults", async () => {
    await page.getByLabel("Operation").selectOption("whitelist.list");
    await page.getByLabel("What happens").selectOption("503");
    await page.getByLabel("Retry-After, s").fill("2");
    await page.getByLabel("When").selectOption("times");
    await page.getByLabel("How many").fill("1");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("503 unavailable on whitelist.list: Retry-After 2, the first time").waitFor();
    const refused = await admin("GET", "/whitelist_ip");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "2"]);
    expect((await admin("GET", "/whitelist_ip")).status).toBe(200);
    await page.getByText("fired 1").waitFor();
    await page.getByLabel("Which requests").selectOption("failed");
    await requests().getByText("503", { exact: true }).waitFor();
    await expect.poll(() => requests().getByText("200", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "next POST: answer lost" }).click();
    await page.getByText("done, connection reset on every POST").waitFor();
    await expect(admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" })).rejects.toThrow();
    await requests().getByText("reset", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove all" }).click();
    await expect.poll(() => page.getByText(/fired/).count()).toBe(0);
  });

  test("confirms a reset, and can delete a record behind the API's back", async () => {
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" });
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.8" });
    await row("203.0.113.8").getByRole("button").click();
    await page.getByRole("button", { name: "Delete behind the API's back" }).click();
    await row("203.0.113.8").waitFor({ state: "detached" });
    expect(emulator.state().accounts[0]?.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(["203.0.113.7"]);
    await page.getByRole("button", { name: "Reset…" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await row("203.0.113.7").waitFor();
    await page.getByRole("button", { name: "Reset…" }).click();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await page.getByText("There are no addresses in account 1001.").waitFor();
    await page.getByText("No requests yet.").waitFor();
  });

  test("saves, loads and deletes snapshots", async () => {
    const named = page.getByRole("list", { name: "Snapshots" });
    const name = page.getByLabel("Name of the snapshot");
    await name.fill("empty");
    await page.getByRole("button", { name: "Save" }).click();
    await named.getByText("empty").waitFor();
    await admin("POST", "/whitelist_ip", { ip_cidr: "203.0.113.7" });
    await row("203.0.113.7").waitFor();
    await name.fill("one-address");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Load snapshot empty" }).click();
    await page.getByText("There are no addresses in account 1001.").waitFor();
    await page.getByRole("button", { name: "Load snapshot one-address" }).click();
    await row("203.0.113.7").waitFor();
    for (const saved of ["empty", "one-address"])
      await page.getByRole("button", { name: `Delete snapshot ${saved}` }).click();
    await expect.poll(() => named.getByRole("listitem").count()).toBe(0);
    expect(emulator.snapshots()).toEqual([]);
  });

  test("works by keyboard, and expanded requests stay open while new ones arrive", async () => {
    for (const ip of ["203.0.113.7", "198.51.100.9"]) await admin("POST", "/whitelist_ip", { ip_cidr: ip });
    await row("198.51.100.9").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("203.0");
    await row("198.51.100.9").waitFor({ state: "detached" });
    const opened = requests().locator("details").first();
    await opened.locator("summary").focus();
    await page.keyboard.press("Enter");
    await admin("GET", "/account");
    await requests().getByText("/api/v1.2/account").waitFor();
    expect(await requests().locator("details[open]").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
  });

  /** Buttons outside the window, or clipped by their panel. */
  const hiddenButtons = `[...document.querySelectorAll("button")].filter((button) => button.checkVisibility()).filter((button) => {
    const { left, right } = button.getBoundingClientRect();
    const panel = (button.closest(".scroll") ?? document.documentElement).getBoundingClientRect();
    return left < Math.max(0, panel.left) || right > Math.min(innerWidth, panel.right);
  }).map((button) => button.ariaLabel ?? button.textContent)`;

  test.each([1280, 390])("every button is visible at a width of %i", async (width) => {
    for (const call of Object.values(goodCalls)) await send(emulator.url, emulator.tokens["admin"], call);
    emulator.setFaults({ rules: [{ operation: ["accounts.getPendingUsers", "whitelist.add"], kind: "503" }] });
    await page.setViewportSize({ width, height: 800 });
    emulator.snapshot("a-name-that-is-quite-long-for-a-small-window");
    await page.getByText("fired 0").waitFor();
    for (const kind of await page.getByRole("navigation").getByRole("link").allInnerTexts()) {
      await show(kind.split("\n")[0]!);
      await page.getByRole("table", { name: kind.split("\n")[0]! }).waitFor();
      expect(await page.evaluate(hiddenButtons), kind).toEqual([]);
    }
  });

  test.each(["light", "dark"] as const)("nothing overflows on a phone, in %s", async (colorScheme) => {
    await admin("POST", "/db_taps", { ...dataStore, db_host: `${"very-long.".repeat(20)}example.com` });
    const phone = await open(`${emulator.url}/#1001/dataStores`, {
      viewport: { width: 360, height: 740 },
      colorScheme,
    });
    await phone.page.getByRole("table").waitFor();
    expect(await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const ground = await phone.page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(246, 247, 249)" : "rgb(18, 22, 28)");
    expect(await oddities(phone.page)).toEqual(noOddities);
  });
});

test("says when the emulator is gone, and reconnects", async () => {
  const first = await emulate();
  const { page } = await open(first.url);
  await page.getByText("live", { exact: true }).waitFor();
  await first.close();
  await page.getByText("emulator not reachable").waitFor();
  await using _second = await emulate({ port: first.port });
  await page.getByText("live", { exact: true }).waitFor();
});
