import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/project.mjs";
import { ToolError } from "../lib/say.mjs";

/**
 * @typedef {object} Cost
 * @property {number} seconds
 * @property {number} cpuSeconds
 * @property {number} memoryMb highest resident memory
 * @property {string} stdout
 */

/**
 * Runs `dataplatform …` as its own process and measures it.
 * @param {string[]} args
 * @param {string} folder for the files of the measurement, and its current folder
 * @param {NodeJS.ProcessEnv} settings
 * @returns {Promise<Cost>}
 */
export async function measured(args, folder, settings) {
  const usageFile = join(folder, "usage");
  const hook = join(folder, "usage.cjs");
  const usage = "const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();";
  const write = `require("fs").writeFileSync(${JSON.stringify(usageFile)}, [maxRSS, userCPUTime + systemCPUTime].join(" "))`;
  writeFileSync(hook, `process.on("exit", () => { ${usage} ${write}; });`);
  const started = performance.now();
  const stdout = await runNode(["--require", hook, join(root, "dist/cli/main.js"), ...args], folder, settings);
  const seconds = (performance.now() - started) / 1000;
  const [rss = 0, cpu = 0] = readFileSync(usageFile, "utf8").split(" ").map(Number);
  return { seconds, cpuSeconds: cpu / 1e6, memoryMb: Math.round(rss / 1024), stdout };
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [settings]
 * @returns {Promise<string>} its stdout
 */
export function runNode(args, cwd, settings = {}) {
  return run(process.execPath, args, cwd, { ...process.env, ...settings });
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its stdout
 */
export function run(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    for (const name of /** @type {const} */ (["stdout", "stderr"]))
      child[name].setEncoding("utf8").on("data", (text) => {
        output[name] += text;
      });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve(output.stdout);
      const shown = args.slice(0, 6).join(" ");
      reject(new ToolError("RUN_FAILED", `${shown} failed (${code}): ${output.stdout.slice(-2000)}${output.stderr}`));
    });
  });
}
