import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "../lib/attempt.mjs";
import { run } from "../lib/run.mjs";
import { ToolError } from "../lib/say.mjs";

/**
 * @typedef {object} Cost
 * @property {number} seconds by the clock
 * @property {number} cpuSeconds of the process and all that it started
 * @property {number} memoryMb highest resident memory
 */

const hook = fileURLToPath(new URL("programs/usage.cjs", import.meta.url));
const sampleMs = 200;

/**
 * Runs the Pulumi CLI. It waits for the processes that it starts, so their CPU time becomes that of our children.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, provider: RegExp }} options memory is that of the provider's process
 * @returns {Promise<Cost>}
 */
export async function runCli(command, args, { cwd, env, provider }) {
  const memory = memoryOf(provider, cwd);
  const sampler = setInterval(() => memory.sample(), sampleMs);
  const before = childCpuSeconds();
  try {
    const seconds = await secondsOf(command, args, cwd, env);
    return { seconds, cpuSeconds: childCpuSeconds() - before, memoryMb: memory.peakMb };
  } finally {
    clearInterval(sampler);
  }
}

/**
 * Runs one Node process, which starts no others.
 * @param {string[]} args
 * @param {string} folder for the file with what it used
 * @param {NodeJS.ProcessEnv} [settings]
 * @returns {Promise<Cost>}
 */
export async function runNode(args, folder, settings) {
  const file = join(folder, "usage.json");
  const env = { ...process.env, ...settings, BENCH_USAGE: file };
  const seconds = await secondsOf(process.execPath, ["--require", hook, ...args], folder, env);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(file, "utf8"));
  return { seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, memoryMb: maxRSS / 1024 };
}

/** @param {string} command @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env */
async function secondsOf(command, args, cwd, env) {
  const started = performance.now();
  const { code, stdout, stderr } = await run(command, args, { cwd, env });
  const last = (stdout + stderr).slice(-4000);
  if (code === 0) return (performance.now() - started) / 1000;
  throw new ToolError("BENCH_FAILED", `${[command, ...args.slice(0, 6)].join(" ")} failed (${code}):\n${last}`);
}

/** What the processes that this one has waited for, and theirs, have used. */
function childCpuSeconds() {
  // After the name of the process, which may contain spaces: the 14th and 15th are those of its children, in 1/100 s.
  const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(/\) (?!.*\))/);
  const [user = 0, system = 0] = fields.split(" ").slice(13, 15).map(Number);
  return (user + system) / 100;
}

/** Samples the highest memory of the provider's process among those that work in a folder. @param {RegExp} command @param {string} folder */
function memoryOf(command, folder) {
  const isProvider = (/** @type {string} */ pid) =>
    command.test(read(pid, "cmdline").replaceAll("\0", " ")) && read(pid, "environ").includes(folder);
  const memory = { peakMb: 0, sample };
  /** @type {string | undefined} */
  let found;
  function sample() {
    found ??= readdirSync("/proc").find((name) => /^\d+$/.test(name) && isProvider(name));
    const peak = found && /VmHWM:\s+(\d+) kB/.exec(read(found, "status"))?.[1];
    if (peak) memory.peakMb = Math.max(memory.peakMb, Number(peak) / 1024);
  }
  return memory;
}

/** @param {string} pid @param {string} name */
const read = (pid, name) => attempt(() => readFileSync(`/proc/${pid}/${name}`, "utf8")) ?? "";
