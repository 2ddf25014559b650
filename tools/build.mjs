#!/usr/bin/env node
/** Compiles the TypeScript sources to dist/ and copies the assets that tsc ignores. A no-op if nothing changed. */
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, withSetupLock } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { duration, isMain, main, say, ToolError } from "./lib/say.mjs";

/** @type {{ include: string[] }} */
const { include: sourceFolders } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
const otherInputs = ["tsconfig.json", "package-lock.json", "tools/build.mjs"];

/** Files and folders that tsc does not copy; missing ones are skipped. */
const assets = [
  { from: "emulator/console.html", to: "dist/emulator/console.html" },
  { from: "provider/plugin/bin", to: "dist/plugin", runnable: true },
  { from: "policies/policy-pack", to: "dist/policies/policy-pack" },
];

/** Compiled files that must be executable. */
const commands = ["dist/cli/main.js", "dist/policies/main.js", "dist/provider/plugin/main.js"];

const stamp = join(root, "dist/.build-stamp");

/** @param {{ log?: (text: string) => void }} [options] */
export async function build({ log = say } = {}) {
  if (isCurrent(fingerprint())) return;
  await withSetupLock(log, async () => {
    const inputs = fingerprint();
    if (isCurrent(inputs)) return;
    const started = Date.now();
    log("build: compiling to dist/ (about 10 s the first time)");
    rmSync(stamp, { force: true });
    await compile();
    removeOrphans();
    copyAssets();
    for (const command of commands) if (existsSync(join(root, command))) chmodSync(join(root, command), 0o755);
    writeFileSync(stamp, inputs);
    log(`build: done in ${duration(Date.now() - started)}`);
  });
}

/** @param {string} inputs */
function isCurrent(inputs) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === inputs;
}

/** Hashes contents, not timestamps, which change when switching branches back and forth. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const name of [...sourceFolders.flatMap(filesIn), ...otherInputs]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** @param {string} folder @returns {string[]} paths from the project's folder, with forward slashes, sorted */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

async function compile() {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  if (!existsSync(tsc)) throw new ToolError("NOT_INSTALLED", "typescript is not installed. Run: npm ci");
  const result = await run(process.execPath, [tsc, "-p", join(root, "tsconfig.json")], { cwd: root });
  if (result.code !== 0)
    throw new ToolError("BUILD_FAILED", `tsc reported errors:\n${(result.stdout + result.stderr).trim()}`);
}

/** Removes the output of deleted sources or old settings, which would otherwise be packed. */
function removeOrphans() {
  for (const name of filesIn("dist")) {
    const source = /^dist\/(.+?)(\.d\.ts|\.js)$/.exec(name)?.[1];
    if (name.endsWith(".map")) rmSync(join(root, name));
    else if (source && !existsSync(join(root, `${source}.ts`))) rmSync(join(root, name));
  }
}

function copyAssets() {
  for (const { from, to, runnable } of assets) {
    if (!existsSync(join(root, from))) continue;
    cpSync(join(root, from), join(root, to), { recursive: true });
    if (runnable) for (const name of filesIn(to)) chmodSync(join(root, name), 0o755);
  }
}

const usage = `Usage: node tools/build.mjs

Compiles the TypeScript sources to dist/ and copies the files that tsc leaves out. Does nothing when dist/ is current.

Options:
  --help   show this text`;

if (isMain(import.meta.url)) await main({ usage, options: {} }, () => build());
