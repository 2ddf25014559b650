import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openedPages } from "../harness/browser";
import { root, run } from "../harness/engine";
import { testFolder } from "../harness/folders";
import { fetchOnce } from "../harness/http";
import { expectOk } from "../harness/stacks";

const folder = testFolder();
const open = openedPages();

const tool = (name: string, ...args: string[]) =>
  run(process.execPath, [`tools/${name}.mjs`, ...args], { cwd: root, env: process.env });

test("npm run pictures plays the demo to its end and makes the pictures of the README", async () => {
  const { code, stdout, stderr } = await tool("pictures", "--output", folder);
  expect(code, stdout + stderr).toBe(0);
  const svg = readFileSync(join(folder, "demo.svg"), "utf8");
  for (const shown of [
    "+ 11 created",
    "Drift: 2 of 8 resources differ from what is declared",
    "~ 2 updated",
    "No drift: every readable resource is as declared",
    "user 105 (operator@analytics.example.com)",
    "account 1003 (blue) stays on the platform",
    "data store 601 (orders) stays on the platform",
    "- 11 deleted",
  ])
    expect(svg).toContain(shown);
  expect(svg).not.toMatch(/\/tmp|creating|Duration|analytics-admin|only-for-the-demo/);
  for (const name of ["access", "console", "drift"]) {
    const png = readFileSync(join(folder, `${name}.png`));
    expect([png.readUInt32BE(16), png.length < 250_000], name).toEqual([1100, true]);
  }
  const { page, troubles } = await open(pathToFileURL(join(folder, "demo.svg")).href);
  expect(await page.locator(".act").count()).toBe(6);
  expect(troubles).toEqual([]);
});

test("npm run demo -- --keep leaves a stack and an emulator, and says how to use and remove them", async () => {
  const { code, stdout, stderr } = await tool("demo", "--keep");
  expect(code, stdout + stderr).toBe(0);
  const [, pid, kept] = /kill (\d+); rm -rf (\S+)$/m.exec(stdout)!;
  onTestFinished(() => {
    process.kill(Number(pid));
    rmSync(kept!, { recursive: true });
  });
  const [, url] = /open (http\S+)\/ in a browser/.exec(stdout)!;
  const { accounts } = (await (await fetchOnce(`${url}/_emulator/state`)).json()) as { accounts: { name: string }[] };
  expect(accounts.map(({ name }) => name)).toContain("blue");
  const commands = 'set -e; . "$0/env.sh"; cd "$0/environment"; dataplatform drift; pulumi stack --show-ids';
  const used = await expectOk(run("sh", ["-c", commands, kept!], { cwd: root, env: process.env }));
  expect(used.stdout).toContain("No drift");
  expect(existsSync(join(kept!, "environment/index.ts"))).toBe(true);
});
