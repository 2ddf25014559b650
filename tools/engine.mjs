#!/usr/bin/env node
/**
 * Prints the folder of `pulumi` and its language hosts, and gets them first if needed:
 *
 *     export PATH="$(npm run --silent engine):$PATH"
 *
 * `--parts cli,nodejs` gets only what programs in TypeScript and JavaScript need; without it, YAML works too. Python and
 * Go are parts that one must ask for.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { download } from "./engine/download.mjs";
import { fromPath, fromVariable } from "./engine/existing.mjs";
import { buildWithGo, whyGoCannot } from "./engine/go-build.mjs";
import {
  allParts,
  cachedEngine,
  engineVersion,
  filesOf,
  finishedParts,
  knownParts,
  modulesFolder,
  partsIn,
  versionOf,
  writeStamp,
} from "./engine/layout.mjs";
import { onExit } from "./lib/cleanup.mjs";
import { withLock } from "./lib/lock.mjs";
import { isMain, main, readList, say, ToolError } from "./lib/say.mjs";

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
  const onWait = (/** @type {string} */ owner) => log(`engine: waiting for ${owner}, which is already getting it`);
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
    throw new ToolError(
      "ENGINE_CACHE_UNWRITABLE",
      noEngineMessage([`cache folder: ${/** @type {Error} */ (error).message}`]),
    );
  }
}

/**
 * Fills a folder beside the target and renames it when complete, so that the target is never partial.
 * @param {string} target
 * @param {readonly PartName[]} wanted
 * @param {string[]} reasons why the previous ways failed
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
  if (!noDownload) return { origin: "download", parts: partsIn(staging) };
  rmSync(join(staging, ".download"), { recursive: true, force: true });
  const noGo = await whyGoCannot();
  if (noGo)
    throw new ToolError("ENGINE_NOT_FOUND", noEngineMessage([...reasons, `download: ${noDownload}`, `build: ${noGo}`]));
  await buildWithGo(staging, wanted, log);
  return { origin: "go", parts: [...wanted] };
}

/** @param {string} staging @param {readonly PartName[]} made */
async function verify(staging, made) {
  const version = made.includes("cli") ? await versionOf(staging) : engineVersion;
  if (version === engineVersion) return;
  const found = `reports version ${version ?? "unknown"}; expected Pulumi ${engineVersion}`;
  throw new ToolError("ENGINE_UNUSABLE", `the new engine ${found}. Try again.`);
}

/** Removes what a killed run left. We hold the lock, so nobody is using it. @param {string} target */
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

const usage = `Usage: node tools/engine.mjs [--parts cli,nodejs]

Prints the folder that holds pulumi and its language hosts. Gets them first, by download or with Go, if they are missing:

  export PATH="$(npm run --silent engine):$PATH"

Options:
  --parts LIST   get only these parts: ${knownParts.join(", ")} (default: ${allParts.join(",")})
  --help         show this text

Environment:
  DATAPLATFORM_ENGINE_DIR   use the engine in this folder`;

if (isMain(import.meta.url)) {
  const options = /** @type {const} */ ({ parts: { type: "string", default: allParts.join(",") } });
  const refuse = (/** @type {string} */ name) =>
    new ToolError("UNKNOWN_PART", `--parts: "${name}" is not a part of the engine; use ${knownParts.join(", ")}.`);
  await main({ usage, options }, async ({ parts }) => {
    process.stdout.write(`${await ensureEngine({ parts: readList(parts, knownParts, refuse) })}\n`);
  });
}
