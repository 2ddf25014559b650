#!/usr/bin/env node
/** Makes a fresh clone ready: installs, compiles and, with --engine, gets the Pulumi engine. Quick when all is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { ensureEngine } from "./engine.mjs";
import { root, withSetupLock } from "./lib/project.mjs";
import { runNpm } from "./lib/run.mjs";
import { duration, isMain, main, say, ToolError } from "./lib/say.mjs";

const oldestNode = { major: 20, minor: 18 };

export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldestNode.major || (major === oldestNode.major && minor >= oldestNode.minor)) return;
  const needed = `${oldestNode.major}.${oldestNode.minor}`;
  throw new ToolError("NODE_TOO_OLD", `this is Node ${version}; ${needed} or later is needed (https://nodejs.org).`);
}

/** @param {{ log?: (text: string) => void }} [options] */
export async function install({ log = say } = {}) {
  if (isInstalled()) return;
  await withSetupLock(log, async () => {
    if (isInstalled()) return;
    const started = Date.now();
    log("install: npm ci (about 1 min)");
    await installLocked(log);
    log(`install: done in ${duration(Date.now() - started)}`);
  });
}

/**
 * A lock file that was written where the registry has no packages for other platforms does not name those, and `npm ci`
 * refuses it. `npm install --no-save` installs the same versions; only what is optional and not named is looked up.
 * @param {(text: string) => void} log
 */
async function installLocked(log) {
  const options = ["--no-audit", "--no-fund"];
  let result = await runNpm(["ci", ...options], { cwd: root });
  if (result.code !== 0 && /\bEUSAGE\b/.test(result.stderr) && isLockCurrent(root)) {
    log("install: the lock file lacks packages of other platforms; using npm install --no-save (about 1 min)");
    result = await runNpm(["install", "--no-save", ...options], { cwd: root });
  }
  if (result.code === 0) return;
  const said = result.stderr.split("\n").filter((line) => !/^npm warn/.test(line));
  throw new ToolError("INSTALL_FAILED", `npm could not install:\n${said.slice(0, 20).join("\n").trim()}`);
}

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} Locked
 * @typedef {{ packages: Record<string, Locked & Record<string, unknown>> }} LockFile
 */

/**
 * Whether node_modules holds what the lock file says. npm writes its own record, node_modules/.package-lock.json, at
 * the very end of an install, so an interrupted one has none.
 */
export function isInstalled(folder = root) {
  const record = readJson(join(folder, "node_modules", ".package-lock.json"));
  if (!record) return false;
  const wanted = lockedPackages(readJson(join(folder, "package-lock.json")));
  const there = lockedPackages(record);
  for (const [path, { version, optional, devOptional }] of wanted) {
    const installed = there.get(path);
    if (!installed && (optional || devOptional)) continue; // of another platform
    if (installed?.version !== version || !existsSync(join(folder, path, "package.json"))) return false;
  }
  const strangers = [...there].filter(([path, { optional }]) => !wanted.has(path) && !optional);
  return strangers.length === 0 && isLockCurrent(folder);
}

/** A package.json that asks for something else than the lock file: npm ci has the words for that. */
function isLockCurrent(/** @type {string} */ folder) {
  const asked = readJson(join(folder, "package.json"));
  const locked = readJson(join(folder, "package-lock.json"))?.packages?.[""];
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return kinds.every((kind) => JSON.stringify(asked?.[kind] ?? {}) === JSON.stringify(locked?.[kind] ?? {}));
}

/**
 * @param {LockFile | undefined} lockFile
 * @returns {Map<string, Locked>}
 */
function lockedPackages(lockFile) {
  return new Map(Object.entries(lockFile?.packages ?? {}).filter(([path]) => path !== ""));
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {{ engine?: boolean, log?: (text: string) => void }} [options]
 * @returns {Promise<string | undefined>} the engine's folder, if asked for
 */
export async function setUp({ engine = false, log = say } = {}) {
  checkNode();
  await install({ log });
  await build({ log });
  return engine ? ensureEngine({ log }) : undefined;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp({ engine: process.argv.includes("--engine") });
  });
}
