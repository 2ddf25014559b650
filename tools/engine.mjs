#!/usr/bin/env node
/**
 * Prints the folder that holds `pulumi` and its language hosts, getting them first where needed:
 *
 *     export PATH="$(npm run --silent engine):$PATH"
 *
 * `--parts cli,nodejs` gets only what programs in TypeScript and JavaScript need; without it, all parts.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { download } from "./engine/download.mjs";
import { fromPath, fromVariable } from "./engine/existing.mjs";
import { buildWithGo, whyGoCannot } from "./engine/go-build.mjs";
import {
  allParts,
  cachedEngine,
  engineVersion,
  filesOf,
  finishedParts,
  missingIn,
  modulesFolder,
  versionOf,
  writeStamp,
} from "./engine/layout.mjs";
import { onExit } from "./lib/cleanup.mjs";
import { withLock } from "./lib/lock.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";

/** @typedef {import("./engine/layout.mjs").PartName} PartName */

/**
 * @param {object} [options]
 * @param {readonly PartName[]} [options.parts] what the caller uses; a part is built when it is first asked for
 * @param {(text: string) => void} [options.log]
 * @returns {Promise<string>} the folder
 */
export async function ensureEngine({ parts = allParts, log = say } = {}) {
  const named = fromVariable(parts);
  if (named) return named;
  const installed = await fromPath(parts);
  if ("folder" in installed) return installed.folder;
  const target = cachedEngine();
  const unfinished = () => parts.filter((name) => !finishedParts(target).includes(name));
  if (unfinished().length === 0) return target;
  makeFolder(dirname(target));
  const onWait = (/** @type {string} */ owner) => log(`engine: ${owner} is getting it already, waiting for that`);
  await withLock(`${target}.lock`, onWait, async () => {
    const wanted = unfinished();
    if (wanted.length > 0) await obtain(target, wanted, [`PATH: ${installed.reason}`], log);
  });
  return target;
}

/** @param {string} folder */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ToolError("ENGINE_CACHE_UNWRITABLE", noWay([`cache folder: ${/** @type {Error} */ (error).message}`]));
  }
}

/**
 * Fills a folder beside the target and moves it there when it is whole, so that the target is never half-made.
 * @param {string} target
 * @param {readonly PartName[]} wanted
 * @param {string[]} reasons why the ways before this one did not work
 * @param {(text: string) => void} log
 */
async function obtain(target, wanted, reasons, log) {
  removeLeftovers(target);
  const staging = `${target}.tmp-${process.pid}`;
  const discard = () => rmSync(staging, { recursive: true, force: true });
  const forget = onExit(discard);
  try {
    mkdirSync(staging);
    const made = await fill(staging, wanted, reasons, log);
    await verify(staging, made.parts);
    rmSync(join(staging, ".download"), { recursive: true, force: true });
    moveInto(target, staging, made);
    log(`engine: Pulumi ${engineVersion} is ready`);
  } finally {
    forget();
    discard();
  }
}

/**
 * Parts that are there may be running: they stay, and the new ones are put beside them.
 * @param {string} target
 * @param {string} staging
 * @param {{ origin: string, parts: PartName[] }} made
 */
function moveInto(target, staging, { origin, parts }) {
  const finished = finishedParts(target);
  if (finished.length === 0) {
    writeStamp(staging, { origin, parts });
    rmSync(target, { recursive: true, force: true });
    renameSync(staging, target);
    return;
  }
  const held = filesOf(finished);
  for (const name of readdirSync(staging).filter((name) => !held.includes(name))) {
    renameSync(join(staging, name), join(target, name));
  }
  writeStamp(target, { origin, parts: [...new Set([...finished, ...parts])] });
}

/**
 * @param {string} staging
 * @param {readonly PartName[]} wanted
 * @param {string[]} reasons
 * @param {(text: string) => void} log
 * @returns {Promise<{ origin: string, parts: PartName[] }>}
 */
async function fill(staging, wanted, reasons, log) {
  const noDownload = await download(staging, log);
  if (!noDownload) return { origin: "download", parts: [...allParts] };
  rmSync(join(staging, ".download"), { recursive: true, force: true });
  const noGo = await whyGoCannot();
  if (noGo) throw new ToolError("ENGINE_NOT_FOUND", noWay([...reasons, `download: ${noDownload}`, `build: ${noGo}`]));
  await buildWithGo(staging, wanted, log);
  return { origin: "go", parts: [...wanted] };
}

/**
 * @param {string} staging
 * @param {readonly PartName[]} made
 */
async function verify(staging, made) {
  const missing = missingIn(staging, made);
  if (missing.length > 0) throw unusable(`has no ${missing.join(", ")}`);
  if (!made.includes("cli")) return;
  const version = await versionOf(staging);
  if (version !== engineVersion) throw unusable(`says it is version ${version ?? "unknown"}`);
}

/** @param {string} found */
function unusable(found) {
  return new ToolError("ENGINE_UNUSABLE", `the new engine ${found}; expected Pulumi ${engineVersion}. Try again.`);
}

/**
 * What a killed run left behind. We hold the lock, so nothing is using it.
 * @param {string} target
 */
function removeLeftovers(target) {
  const folder = dirname(target);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(target)}.tmp-`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** @param {string[]} reasons */
function noWay(reasons) {
  const goVersion = /^go (\S+)/m.exec(readFileSync(join(modulesFolder, "cli", "go.mod"), "utf8"))?.[1];
  return [
    "there is no Pulumi engine, and no way to get one here:",
    ...reasons.map((reason) => `  - ${reason}`),
    "Any one of these helps:",
    "  1. install Pulumi (https://www.pulumi.com/docs/install/) and have it on PATH,",
    `  2. install Go ${goVersion} or later (https://go.dev/dl/) and have it on PATH, then run this again,`,
    "  3. set DATAPLATFORM_ENGINE_DIR to the folder that holds pulumi and its language hosts.",
  ].join("\n");
}

/**
 * @param {string[]} args
 * @returns {PartName[]}
 */
function readParts(args) {
  const { values } = parseArgs({ args, options: { parts: { type: "string", default: allParts.join(",") } } });
  return values.parts.split(",").map((name) => {
    const part = allParts.find((known) => known === name);
    if (part) return part;
    throw new ToolError("UNKNOWN_PART", `--parts: "${name}" is not a part of the engine; use ${allParts.join(", ")}.`);
  });
}

if (isMain(import.meta.url)) {
  await main(async () => {
    process.stdout.write(`${await ensureEngine({ parts: readParts(process.argv.slice(2)) })}\n`);
  });
}
