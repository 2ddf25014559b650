#!/usr/bin/env node
/**
 * Prints the folder of `pulumi` and its language hosts, and gets them first if needed:
 *
 *     export PATH="$(npm run --silent engine):$PATH"
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { download } from "./engine/download.mjs";
import { fromPath, fromVariable } from "./engine/existing.mjs";
import { buildWithGo, whyGoCannot } from "./engine/go-build.mjs";
import {
  cachedEngine,
  engineVersion,
  isComplete,
  missingIn,
  modulesFolder,
  stampName,
  versionOf,
} from "./engine/layout.mjs";
import { onExit } from "./lib/cleanup.mjs";
import { withLock } from "./lib/lock.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";

/**
 * @param {object} [options]
 * @param {boolean} [options.yaml] whether an installed engine must have the YAML host too (ours always has it)
 * @param {(text: string) => void} [options.log]
 * @returns {Promise<string>} the folder
 */
export async function ensureEngine({ yaml = true, log = say } = {}) {
  const named = fromVariable({ yaml });
  if (named) return named;
  const installed = await fromPath({ yaml });
  if ("folder" in installed) return installed.folder;
  const target = cachedEngine();
  if (isComplete(target)) return target;
  makeFolder(dirname(target));
  const onWait = (/** @type {string} */ owner) => log(`engine: waiting for ${owner}, which is already getting it`);
  await withLock(`${target}.lock`, onWait, async () => {
    if (!isComplete(target)) await obtain(target, [`PATH: ${installed.reason}`], log);
  });
  return target;
}

/** @param {string} folder */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ToolError(
      "ENGINE_CACHE_UNWRITABLE",
      noEngineMessage([`cache folder: ${/** @type {Error} */ (error).message}`]),
    );
  }
}

/**
 * Fills a staging folder and renames it when complete, so that the target is never partial.
 * @param {string} target
 * @param {string[]} reasons why the previous ways failed
 * @param {(text: string) => void} log
 */
async function obtain(target, reasons, log) {
  removeLeftovers(target);
  const staging = `${target}.tmp-${process.pid}`;
  const discard = () => rmSync(staging, { recursive: true, force: true });
  const forget = onExit(discard);
  try {
    mkdirSync(staging);
    const origin = await fill(staging, reasons, log);
    await verify(staging);
    rmSync(join(staging, ".download"), { recursive: true, force: true });
    writeFileSync(join(staging, stampName), `${JSON.stringify({ version: engineVersion, origin })}\n`);
    rmSync(target, { recursive: true, force: true });
    renameSync(staging, target);
    log(`engine: Pulumi ${engineVersion} is ready`);
  } finally {
    forget();
    discard();
  }
}

/**
 * @param {string} staging
 * @param {string[]} reasons
 * @param {(text: string) => void} log
 */
async function fill(staging, reasons, log) {
  const noDownload = await download(staging, log);
  if (!noDownload) return "download";
  rmSync(join(staging, ".download"), { recursive: true, force: true });
  const noGo = await whyGoCannot();
  if (noGo)
    throw new ToolError("ENGINE_NOT_FOUND", noEngineMessage([...reasons, `download: ${noDownload}`, `build: ${noGo}`]));
  await buildWithGo(staging, log);
  return "go";
}

/** @param {string} staging */
async function verify(staging) {
  const missing = missingIn(staging, { yaml: true });
  const version = missing.length === 0 ? await versionOf(staging) : undefined;
  if (version === engineVersion) return;
  const found = missing.length > 0 ? `lacks ${missing.join(", ")}` : `reports version ${version ?? "unknown"}`;
  throw new ToolError("ENGINE_UNUSABLE", `the new engine ${found}; expected Pulumi ${engineVersion}. Try again.`);
}

/**
 * Removes what a killed run left. We hold the lock, so nobody is using it.
 * @param {string} target
 */
function removeLeftovers(target) {
  const folder = dirname(target);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(target)}.tmp-`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** @param {string[]} reasons */
function noEngineMessage(reasons) {
  const goVersion = /^go (\S+)/m.exec(readFileSync(join(modulesFolder, "cli", "go.mod"), "utf8"))?.[1];
  return [
    "no Pulumi engine found, and it could not be downloaded or built:",
    ...reasons.map((reason) => `  - ${reason}`),
    "To fix this, do one of these:",
    "  1. install Pulumi (https://www.pulumi.com/docs/install/) and add it to PATH,",
    `  2. install Go ${goVersion} or later (https://go.dev/dl/), add it to PATH, and run this again,`,
    "  3. set DATAPLATFORM_ENGINE_DIR to the folder of pulumi and its language hosts.",
  ].join("\n");
}

const usage = `Usage: node tools/engine.mjs

Prints the folder that holds pulumi and its language hosts. Gets them first, by download or with Go, if they are missing:

  export PATH="$(npm run --silent engine):$PATH"

Options:
  --help   show this text

Environment:
  DATAPLATFORM_ENGINE_DIR   use the engine in this folder`;

if (isMain(import.meta.url)) {
  await main({ usage, options: {} }, async () => {
    process.stdout.write(`${await ensureEngine()}\n`);
  });
}
