#!/usr/bin/env node
/** Sets up a fresh clone: installs, compiles and, with --engine, gets the Pulumi engine. Quick if already set up. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { ensureLanguages } from "./engine/languages.mjs";
import { ensureEngine } from "./engine.mjs";
import { attempt } from "./lib/attempt.mjs";
import { root, withSetupLock } from "./lib/project.mjs";
import { runNpm } from "./lib/run.mjs";
import { duration, isMain, main, say, ToolError } from "./lib/say.mjs";

const oldestNode = { major: 20, minor: 18 };

export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldestNode.major || (major === oldestNode.major && minor >= oldestNode.minor)) return;
  const needed = `${oldestNode.major}.${oldestNode.minor}`;
  throw new ToolError("NODE_TOO_OLD", `Node ${version} is too old; install ${needed} or later (https://nodejs.org).`);
}

async function install(/** @type {(text: string) => void} */ log) {
  if (isInstalled()) return;
  await withSetupLock(log, async () => {
    if (isInstalled()) return;
    const started = Date.now();
    log("install: npm ci (about 1 min)");
    await installLocked();
    log(`install: done in ${duration(Date.now() - started)}`);
  });
}

/**
 * A lock file written with a registry that lacks packages for other platforms omits those, and `npm ci` rejects it.
 * `npm install --no-save` installs the same versions and resolves only the omitted optional packages.
 */
async function installLocked() {
  // No script of a package is needed, and a release must not run one.
  const options = ["--no-audit", "--no-fund", "--ignore-scripts"];
  let result = await runNpm(["ci", ...options], { cwd: root });
  if (result.code !== 0 && /\bEUSAGE\b/.test(result.stderr) && isLockCurrent()) {
    result = await runNpm(["install", "--no-save", ...options], { cwd: root });
  }
  if (result.code === 0) return;
  const errors = result.stderr.split("\n").filter((line) => !/^npm warn/.test(line));
  throw new ToolError("INSTALL_FAILED", `npm install failed:\n${errors.slice(0, 20).join("\n").trim()}`);
}

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} Locked
 * @typedef {{ packages: Record<string, Locked & Record<string, unknown>> }} LockFile
 */

/**
 * Whether node_modules matches the lock file. npm writes node_modules/.package-lock.json at the very end of an install,
 * so an interrupted install has none.
 */
function isInstalled() {
  const record = readJson(join(root, "node_modules", ".package-lock.json"));
  if (!record) return false;
  const wanted = lockedPackages(readJson(join(root, "package-lock.json")));
  const present = lockedPackages(record);
  for (const [path, { version, optional, devOptional }] of wanted) {
    const installed = present.get(path);
    if (!installed && (optional || devOptional)) continue; // for another platform
    if (installed?.version !== version || !existsSync(join(root, path, "package.json"))) return false;
  }
  const extraneous = [...present].filter(([path, { optional }]) => !wanted.has(path) && !optional);
  return extraneous.length === 0 && isLockCurrent();
}

/** Whether package.json and the lock file agree; if not, npm ci prints a good error. */
function isLockCurrent() {
  const manifest = readJson(join(root, "package.json"));
  const locked = readJson(join(root, "package-lock.json"))?.packages?.[""];
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return kinds.every((kind) => JSON.stringify(manifest?.[kind] ?? {}) === JSON.stringify(locked?.[kind] ?? {}));
}

/** @param {LockFile | undefined} lockFile @returns {Map<string, Locked>} */
function lockedPackages(lockFile) {
  return new Map(Object.entries(lockFile?.packages ?? {}).filter(([path]) => path !== ""));
}

/** @param {string} path */
const readJson = (path) => attempt(() => JSON.parse(readFileSync(path, "utf8")));

/**
 * @param {{ engine?: boolean, languages?: boolean, log?: (text: string) => void }} [options]
 * @returns {Promise<string | undefined>} the engine's folder, if asked for
 */
export async function setUp({ engine = false, languages = false, log = say } = {}) {
  checkNode();
  await install(log);
  await build({ log });
  const folder = engine ? await ensureEngine({ log }) : undefined;
  const { whyNoPython } = languages ? await ensureLanguages({ log }) : {};
  if (whyNoPython) log(`languages: Python is left out, because ${whyNoPython}`);
  return folder;
}

const usage = `Usage: node tools/setup.mjs [--engine] [--languages]

Makes a fresh clone ready: installs the packages and compiles. Takes a second when nothing is left to do.

Options:
  --engine      get the Pulumi engine too
  --languages   get what programs in Python and Go need: SDKs, language hosts
  --help        show this text`;

if (isMain(import.meta.url)) {
  const off = /** @type {const} */ ({ type: "boolean", default: false });
  await main({ usage, options: { engine: off, languages: off } }, async (wanted) => void (await setUp(wanted)));
}
