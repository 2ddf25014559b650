#!/usr/bin/env node
/** Checks .github/workflows with actionlint, which it builds with Go, once per machine: `npm run lint:workflows`. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, goCommand, whyGoCannot } from "./engine/go-build.mjs";
import { cacheFolder, isExecutable } from "./engine/layout.mjs";
import { withLock } from "./lib/lock.mjs";
import { root } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";

/** Holds the go.mod and go.sum that say which actionlint. */
const moduleFolder = join(root, "tools/actionlint");
const workflows = ".github/workflows";
const exe = process.platform === "win32" ? ".exe" : "";

/**
 * @param {(text: string) => void} [log]
 * @returns {Promise<string>} the path of actionlint
 */
export async function ensureActionlint(log = say) {
  const target = cachedActionlint();
  if (isExecutable(target)) return target;
  const noGo = await whyGoCannot();
  if (noGo)
    throw new ToolError("GO_NOT_FOUND", `actionlint is built with Go, and ${noGo}. Install Go (https://go.dev/dl/).`);
  const onWait = (/** @type {string} */ owner) => log(`actionlint: ${owner} is building it already, waiting for that`);
  await withLock(`${dirname(target)}.lock`, onWait, async () => {
    if (!isExecutable(target)) await build(target, log);
  });
  return target;
}

/** Another version or platform is another folder. */
function cachedActionlint() {
  const hash = createHash("sha256");
  for (const name of ["go.mod", "go.sum"])
    hash.update(readFileSync(join(moduleFolder, name), "utf8").replaceAll("\r\n", "\n"));
  const recipe = hash.digest("hex").slice(0, 12);
  return join(cacheFolder(), "actionlint", `${process.platform}-${process.arch}-${recipe}`, `actionlint${exe}`);
}

/**
 * Built beside the target and renamed, so that the target is never half-made.
 * @param {string} target
 * @param {(text: string) => void} log
 */
async function build(target, log) {
  log("actionlint: building it with Go (about half a minute, once per machine)");
  const staging = `${target}.tmp${exe}`;
  mkdirSync(dirname(target), { recursive: true });
  const command = "github.com/rhysd/actionlint/cmd/actionlint";
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", "-s -w", "-o", staging, command];
  const result = await run(goCommand() ?? "go", args, { cwd: moduleFolder, env: environment() });
  if (result.code !== 0) {
    rmSync(staging, { force: true });
    throw new ToolError("ACTIONLINT_BUILD_FAILED", `go build of actionlint failed:\n${result.stderr.trim()}`);
  }
  renameSync(staging, target);
}

/**
 * @param {string} [folder]
 * @returns {Promise<string>} what is wrong, a line each; empty when all is well
 */
export async function lintWorkflows(folder = join(root, workflows)) {
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  // Without the linters for scripts, which are there on some machines and not on others.
  const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...names];
  const result = await run(await ensureActionlint(), args, { cwd: folder });
  return result.code === 0 ? "" : (result.stdout + result.stderr).trim();
}

const usage = `Usage: npm run lint:workflows

Checks ${workflows} with actionlint, which it builds with Go, once per machine.

Options:
  --help   show this text`;

if (isMain(import.meta.url)) {
  await main({ usage, options: {} }, async () => {
    const found = await lintWorkflows();
    if (found) throw new ToolError("WORKFLOWS_WRONG", `actionlint found in ${workflows}:\n${found}`);
    say(`${workflows}: actionlint finds nothing wrong`);
  });
}
