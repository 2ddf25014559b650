import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runNpm } from "../lib/run.mjs";
import { allParts, engineVersion, missingIn } from "./layout.mjs";

/*
 * The npm package `pulumi` contains no binary. When run, it downloads and runs the install script below, which puts the
 * CLI and all language hosts under PULUMI_HOME.
 */
const installer = "https://get.pulumi.com/install.sh";
const probeMs = 5_000;
const npmMs = 60_000;
const downloadMs = 5 * 60_000;

/**
 * @param {string} staging an empty folder to fill
 * @param {(text: string) => void} log
 * @returns {Promise<string | undefined>} why it failed; undefined on success
 */
export async function download(staging, log) {
  if (process.env["DATAPLATFORM_ENGINE_NO_DOWNLOAD"] === "1") return "disabled by DATAPLATFORM_ENGINE_NO_DOWNLOAD";
  const unreachable = await probe();
  if (unreachable) return unreachable;
  log(`engine: downloading Pulumi ${engineVersion} through the npm package pulumi (about 1 min)`);
  const work = join(staging, ".download");
  mkdirSync(work);
  writeFileSync(join(work, "package.json"), "{}");
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const npm = await runNpm(["install", ...options, `pulumi@${engineVersion}`], { cwd: work, timeoutMs: npmMs });
  if (npm.code !== 0) return failure("npm install pulumi", npm);
  const home = join(work, "home");
  const fetched = await run(process.execPath, [join(work, "node_modules", "pulumi", "run.js"), "version"], {
    env: { ...process.env, PULUMI_HOME: home, PULUMI_VERSION: engineVersion, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: downloadMs,
  });
  if (fetched.code !== 0) return failure("the npm package pulumi", fetched);
  const bin = join(home, "versions", engineVersion, "bin");
  const missing = missingIn(bin, allParts);
  if (missing.length > 0) return `the download lacks ${missing.join(", ")}`;
  for (const name of readdirSync(bin)) renameSync(join(bin, name), join(staging, name));
  return undefined;
}

/** Fails fast where only package registries are reachable; the installer itself would take a while to give up. */
async function probe() {
  try {
    const answer = await fetch(installer, { method: "HEAD", signal: AbortSignal.timeout(probeMs) });
    return answer.ok ? undefined : `${installer} returned ${answer.status}`;
  } catch {
    return `${installer} cannot be reached`;
  }
}

/** @param {string} what @param {import("../lib/run.mjs").RunResult} result */
function failure(what, result) {
  if (result.timedOut) return `${what} timed out`;
  const lastLine = result.stderr.trim().split("\n").at(-1) ?? "";
  return `${what} failed: ${lastLine}`;
}
