import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "../lib/lock.mjs";
import { run } from "../lib/run.mjs";
import { ToolError } from "../lib/say.mjs";
import { environment, goCommand, whyGoCannot } from "./go-build.mjs";
import { cacheFolder, fingerprint, isExecutable } from "./layout.mjs";

const exe = process.platform === "win32" ? ".exe" : "";

/**
 * @typedef {object} GoTool a command that is built with Go, once per machine
 * @property {string} name
 * @property {string} folder holds its go.mod and go.sum
 * @property {readonly string[]} [sources] files of the folder that it is made from, if it is our own
 * @property {string} package
 * @property {string} duration how long the build takes, in words
 * @property {string} failure code of the error when it cannot be built
 */

/** @param {GoTool} tool @param {(text: string) => void} log @returns {Promise<string>} its path */
export async function ensureGoTool(tool, log) {
  const target = cached(tool);
  if (isExecutable(target)) return target;
  const { name } = tool;
  const noGo = await whyGoCannot();
  if (noGo)
    throw new ToolError("GO_NOT_FOUND", `${name} is built with Go, and ${noGo}. Install Go (https://go.dev/dl/).`);
  const onWait = (/** @type {string} */ owner) => log(`${name}: ${owner} is building it already, waiting for that`);
  await withLock(`${dirname(target)}.lock`, onWait, async () => {
    if (!isExecutable(target)) await build(tool, target, log);
  });
  return target;
}

/** Another version or platform is another folder. @param {GoTool} tool */
function cached({ name, folder, sources = [] }) {
  const recipe = fingerprint(["go.mod", ...sources].map((file) => join(folder, file)));
  return join(cacheFolder(), name, `${process.platform}-${process.arch}-${recipe}`, `${name}${exe}`);
}

/**
 * Built beside the target and renamed, so that the target is never half-made.
 * @param {GoTool} tool
 * @param {string} target
 * @param {(text: string) => void} log
 */
async function build({ name, folder, package: command, duration, failure }, target, log) {
  log(`${name}: building it with Go (${duration}, once per machine)`);
  const staging = `${target}.tmp${exe}`;
  mkdirSync(dirname(target), { recursive: true });
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", "-s -w", "-o", staging, command];
  const result = await run(goCommand() ?? "go", args, { cwd: folder, env: environment() });
  if (result.code !== 0) {
    rmSync(staging, { force: true });
    throw new ToolError(failure, `go build of ${name} failed:\n${result.stderr.trim()}`);
  }
  renameSync(staging, target);
}
