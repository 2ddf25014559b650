import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { attempt } from "./attempt.mjs";
import { onExit } from "./cleanup.mjs";

const isWindows = process.platform === "win32";

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs] the command and its children are killed after this time
 * @property {(line: string) => void} [onLine] called with every line of stdout and stderr
 * @property {boolean} [shell] needed on Windows for .cmd files
 *
 * @typedef {object} RunResult
 * @property {number} code
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut
 */

/**
 * Runs a command and collects its output. Never throws for a failing command: check `code` (127 = could not be
 * started).
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    // In its own process group, so that killing it also kills its children (compilers, curl).
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: !isWindows,
      shell: options.shell ?? false,
    });
    const result = { code: 127, stdout: "", stderr: "", timedOut: false };
    const forget = onExit(() => killGroup(child.pid));
    const stop = () => {
      result.timedOut = true;
      killGroup(child.pid);
    };
    const timer = setTimeout(stop, options.timeoutMs ?? 2 ** 31 - 1);
    for (const name of /** @type {const} */ (["stdout", "stderr"])) {
      child[name].setEncoding("utf8").on("data", (text) => {
        result[name] += text;
      });
      if (options.onLine) createInterface(child[name]).on("line", options.onLine);
    }
    child.on("error", (error) => {
      result.stderr += error.message;
      finish(127);
    });
    child.on("close", (code) => finish(code ?? 1));
    /** @param {number} code */
    function finish(code) {
      clearTimeout(timer);
      forget();
      resolve({ ...result, code });
    }
  });
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  // It may be gone already.
  if (pid !== undefined) attempt(() => process.kill(isWindows ? pid : -pid, "SIGKILL"));
}

/** Runs the npm that started us, or the one on PATH. @param {string[]} args @param {RunOptions} options */
export function runNpm(args, options) {
  const npm = process.env["npm_execpath"];
  if (npm && /npm-cli\.c?js$/.test(npm)) return run(process.execPath, [npm, ...args], options);
  return run("npm", args, { ...options, shell: isWindows });
}
