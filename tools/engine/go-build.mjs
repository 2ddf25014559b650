import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.mjs";
import { duration, ToolError } from "../lib/say.mjs";
import { onPath } from "./existing.mjs";
import { writeLauncher } from "./launcher.mjs";
import { files, modulesFolder, parts } from "./layout.mjs";

const progressMs = 15_000;

/** Without cgo, no C compiler is needed. */
export const environment = () => ({ ...process.env, CGO_ENABLED: "0", GOWORK: "off" });

/**
 * Whether Go is installed and recent enough (from 1.21 on, Go downloads a newer toolchain itself unless that is disabled).
 * @returns {Promise<string | undefined>} why not; undefined if it is
 */
export async function whyGoCannot() {
  const go = goCommand();
  if (!go) return "go is not on PATH";
  const cwd = join(modulesFolder, "cli");
  const answer = await run(go, ["version"], { cwd, env: environment(), timeoutMs: 120_000 });
  if (answer.code === 0) return undefined;
  return `go is not usable: ${(answer.stderr || answer.stdout).trim().split("\n").at(-1)}`;
}

/**
 * Go caches what it has compiled, so a retry continues where an interrupted build stopped.
 * @param {string} staging an empty folder to fill
 * @param {readonly import("./layout.mjs").PartName[]} wanted
 * @param {(text: string) => void} log
 */
export async function buildWithGo(staging, wanted, log) {
  const chosen = parts.filter(({ name }) => wanted.includes(name));
  const minutes = chosen.reduce((sum, part) => sum + part.minutes, 0);
  const count = chosen.length === 1 ? "1 part" : `${chosen.length} parts`;
  log(`engine: building Pulumi with Go, ${count}, about ${minutes} min on two cores (once per machine)`);
  for (const [index, part] of chosen.entries()) {
    const label = `engine: part ${index + 1} of ${chosen.length}, ${part.title}`;
    log(`${label}: about ${part.minutes} min`);
    await buildPart(part, staging, (text) => log(`${label}: ${text}`));
  }
  if (wanted.includes("nodejs")) writeLauncher(staging);
  if (wanted.includes("python")) {
    await copyPythonScript(staging);
    if (process.platform !== "win32") wrapPythonHost(staging);
  }
}

/** The host comes from a Go module that holds the script beside it. @param {string} staging */
async function copyPythonScript(staging) {
  const cwd = join(modulesFolder, "hosts");
  const args = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"];
  const { code, stdout, stderr } = await run(goCommand() ?? "go", args, { cwd, env: environment() });
  if (code !== 0) throw new ToolError("ENGINE_BUILD_FAILED", `go list of the Python host failed:\n${stderr.trim()}`);
  copyFileSync(join(stdout.trim(), "python/cmd", files.pythonExec), join(staging, files.pythonExec));
  // Files of a module are read-only.
  chmodSync(join(staging, files.pythonExec), 0o755);
}

/** @param {string} staging */
function wrapPythonHost(staging) {
  const host = join(staging, files.python);
  renameSync(host, `${host}-host`);
  copyFileSync(join(modulesFolder, "hosts/pulumi-language-python.sh"), host);
  chmodSync(host, 0o755);
}

/** @param {(typeof parts)[number]} part @param {string} staging @param {(text: string) => void} log */
async function buildPart(part, staging, log) {
  const started = Date.now();
  const count = { modules: 0, packages: 0 };
  const timer = setInterval(() => {
    log(`${duration(Date.now() - started)}, ${count.modules} modules downloaded, ${count.packages} packages compiled`);
  }, progressMs);
  const ldflags = `-s -w -X ${part.versionVariable}`;
  const target = staging.endsWith("/") ? staging : `${staging}/`;
  const args = ["build", "-v", "-mod=readonly", "-trimpath", "-ldflags", ldflags, "-o", target, part.package];
  const result = await run(goCommand() ?? "go", args, {
    cwd: join(modulesFolder, part.module),
    env: environment(),
    onLine: (line) => {
      count[line.startsWith("go: downloading") ? "modules" : "packages"]++;
    },
  }).finally(() => clearInterval(timer));
  if (result.code === 0) return log(`done in ${duration(Date.now() - started)}`);
  const errors = result.stderr.split("\n").filter((line) => !/^(go: downloading .*|[\w./~-]+)$/.test(line));
  throw new ToolError(
    "ENGINE_BUILD_FAILED",
    `go build of ${part.title} failed:\n${errors.slice(-20).join("\n").trim()}`,
  );
}

export const goCommand = () => onPath(process.platform === "win32" ? "go.exe" : "go");
