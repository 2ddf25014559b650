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
  const stop = () => void child.kill("SIGTERM");
  const forget = onExit(stop);
  const deadline = Date.now() + startMs;
  for (;;) {
    const output = readFileSync(logFile, "utf8");
    const url = /^emulator listening on (http\S+)$/m.exec(output)?.[1];
    const token = /admin.*token[^\S\n]*[:=]?[^\S\n]*(\S+)$/im.exec(output)?.[1];
    if (url && token && child.pid) {
      const stopNow = () => {
        forget();
        stop();
      };
      return { pid: child.pid, url, token, leave: forget, stop: stopNow };
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
 * Lists what is really on the platform, independent of the stack.
 * @param {Emulator} emulator
 * @returns {Promise<string[]>}
 */
export async function listAddresses({ url, token }) {
  const answer = await fetch(`${url}/api/v1.2/whitelist_ip`, { headers: { "X-AUTH-TOKEN": token } });
  if (!answer.ok)
    throw new ToolError("EMULATOR_REFUSED", `could not list the addresses: ${answer.status} ${await answer.text()}`);
  const { account_whitelisted_ips: entries } = /** @type {{ account_whitelisted_ips: { ip_cidr: string }[] }} */ (
    await answer.json()
  );
  return entries.map((entry) => entry.ip_cidr);
}
