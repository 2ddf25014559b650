import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/project.mjs";

const repeats = 7;

/**
 * The cost of a provider process compared with a bare `node -e 0`.
 * @returns {Promise<{ title: string, startMs: number, memoryMb: number }[]>}
 */
export async function processCosts() {
  const plugin = join(root, "dist/provider/plugin/main.js");
  return [
    { title: "node -e 0", ...(await cost(["-e", "process.stdout.write('0\\n')"])) },
    { title: "plugin, until it prints its port", ...(await cost([plugin, "127.0.0.1:9"])) },
    {
      title: "what a dynamic WhitelistedIp loads of ours, until its first request",
      ...(await cost([
        "-e",
        `require(${JSON.stringify(join(root, "dist/provider/dynamic.js"))}).WhitelistedIp;process.stdout.write('0\\n')`,
      ])),
    },
  ];
}

/** @param {string[]} args */
async function cost(args) {
  const runs = [];
  for (let index = 0; index < repeats; index++) runs.push(await once(args));
  const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    startMs: Math.round(median(runs.map(({ ms }) => ms))),
    memoryMb: Math.round(median(runs.map(({ mb }) => mb))),
  };
}

/**
 * @param {string[]} args
 * @returns {Promise<{ ms: number, mb: number }>}
 */
function once(args) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], cwd: root });
    child.on("error", reject);
    child.stdout.once("data", () => {
      const ms = performance.now() - started;
      let mb = 0;
      try {
        mb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
      } catch {
        // Not Linux, or the process has exited already.
      }
      child.kill("SIGKILL");
      resolve({ ms, mb });
    });
  });
}
