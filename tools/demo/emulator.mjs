import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onExit } from "../lib/cleanup.mjs";
import { root } from "../lib/project.mjs";
import { ToolError } from "../lib/say.mjs";

const startMs = 20_000;

/**
 * @typedef {object} Emulator
 * @property {number} pid
 * @property {string} url
 * @property {string} token the admin's
 * @property {() => void} leave lets it outlive this process
 * @property {() => void} stop
 */

/**
 * Starts the emulator with its output in a file instead of a pipe, so that it can outlive this process.
 * @param {string} folder folder for that file
 * @param {string[]} [options] more options of the command
 * @returns {Promise<Emulator>}
 */
export async function startEmulator(folder, options = []) {
  const logFile = join(folder, "emulator.log");
  const out = openSync(logFile, "w");
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "emulator", "--port", "0", ...options], {
    stdio: ["ignore", out, out],
    detached: true,
  });
  closeSync(out);
  child.unref();
  const stop = () => {
    forget();
    child.kill("SIGTERM");
  };
  const forget = onExit(stop);
  const deadline = Date.now() + startMs;
  for (;;) {
    const output = readFileSync(logFile, "utf8");
    const url = /^emulator listening on (http\S+)$/m.exec(output)?.[1];
    const token = /admin.*token[^\S\n]*[:=]?[^\S\n]*(\S+)$/im.exec(output)?.[1];
    if (url && token && child.pid) {
      return { pid: child.pid, url, token, leave: forget, stop };
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new ToolError(
        "EMULATOR_NOT_STARTED",
        `the emulator did not start. Its output:\n${output.trim() || "(none)"}`,
      );
    }
    await sleep(50);
  }
}

/**
 * A request to the platform or to the emulator's console, as somebody would send it by hand.
 * @param {Emulator} emulator
 * @param {"GET" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
export async function ask({ url, token }, method, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "X-AUTH-TOKEN": token, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new ToolError("EMULATOR_REFUSED", `${method} ${path} failed: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
