#!/usr/bin/env node
/** Builds the documentation site from docs/ with VitePress, or serves it while you write: `npm run docs`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { onExit } from "./lib/cleanup.mjs";
import { root } from "./lib/project.mjs";
import { run, runNpm } from "./lib/run.mjs";
import { duration, isMain, main, say, ToolError } from "./lib/say.mjs";
import { checkNode } from "./setup.mjs";

const folder = join(root, "tools/site");
const vitepress = join(folder, "node_modules/vitepress/bin/vitepress.js");

/** Its packages are not among those of the repository: most people never build the site. Instead of a lock, a date. */
export async function installSite() {
  const wanted = ["package.json", ".npmrc"].map((name) => readFileSync(join(folder, name), "utf8")).join("");
  const stamp = join(folder, "node_modules/.installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("site: installing VitePress (about a minute)");
  const { code, stderr } = await runNpm(["install", "--no-audit"], { cwd: folder });
  if (code !== 0) throw new ToolError("INSTALL_FAILED", `npm install in tools/site failed:\n${stderr.trim()}`);
  writeFileSync(stamp, wanted);
}

/** @param {{ base: string, out: string }} options */
export async function buildSite({ base, out }) {
  const started = Date.now();
  say("site: building (about a minute)");
  const args = [vitepress, "build", folder, "--base", base, "--outDir", out];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: root });
  // Dead links are in its output, and so is the page of an error.
  if (code !== 0) throw new ToolError("SITE_FAILED", `VitePress failed:\n${`${stdout}\n${stderr}`.trim()}`);
  say(`site: done in ${duration(Date.now() - started)}, in ${relative(process.cwd(), out)}`);
}

const usage = `Usage: npm run docs -- [options]

Builds the documentation site from docs/, and fails if a link is dead. The first time, it installs VitePress.

Options:
  --serve        serve the pages instead, and show every change of them at once
  --base <path>  the path under which the site will be served, such as /docs/ (default: /)
  --out <folder> where it is written (default: tools/site/.vitepress/dist)
  --help         show this text`;

if (isMain(import.meta.url)) {
  const options = /** @type {const} */ ({
    serve: { type: "boolean", default: false },
    base: { type: "string", default: "/" },
    out: { type: "string", default: join(folder, ".vitepress/dist") },
  });
  await main({ usage, options }, async ({ serve, base, out }) => {
    checkNode();
    await installSite();
    if (!serve) return buildSite({ base, out });
    const server = spawn(process.execPath, [vitepress, "dev", folder, "--base", base], { cwd: root, stdio: "inherit" });
    onExit(() => server.kill());
    await once(server, "exit");
  });
}
