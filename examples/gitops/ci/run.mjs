/** Runs the programs of the pipeline. */
import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * @typedef {{ code: number, stdout: string, stderr: string }} Ran
 * @typedef {{ show?: boolean, env?: Record<string, string>, filter?: () => (text: string) => string }} Options
 */

/** @type {import("node:child_process").ChildProcess | undefined} */
let running;

// A cancelled job: let pulumi end in order, so that what it did is recorded and no lock is left behind.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => (running ? running.kill("SIGINT") : process.exit(1)));

/**
 * `filter` makes a function for each stream, through which its text goes before it is shown or kept.
 * @param {string} command @param {string[]} args @param {Options} [options]
 * @returns {Promise<Ran>}
 */
export function run(command, args, { show = true, env = {}, filter = () => (text) => text } = {}) {
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      env: { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ran = { code: 1, stdout: "", stderr: "" };
    for (const stream of /** @type {const} */ (["stdout", "stderr"])) {
      const filtered = filter();
      const take = (/** @type {string} */ text) => {
        const visible = filtered(text);
        ran[stream] += visible;
        if (show) process[stream].write(visible);
      };
      child[stream].setEncoding("utf8").on("data", take);
      // A filter may keep back a line until it is complete.
      child[stream].on("end", () => take("\n"));
    }
    child.on("error", (error) => fail(new Error(`cannot run ${command}: ${whyNotStarted(command, error)}`)));
    child.on("close", (code) => {
      running = undefined;
      done({ ...ran, code: code ?? 1 });
    });
    running = child;
  });
}

/** @param {string} command @param {NodeJS.ErrnoException} error */
function whyNotStarted(command, error) {
  if (error.code !== "ENOENT") return error.message;
  return command === "dataplatform"
    ? "it is not in node_modules; run npm ci in the repository's folder, and start the pipeline from there"
    : "it is not on the PATH; install it";
}

/** The output of a command that must succeed. @param {string} command @param {string[]} args */
export async function outputOf(command, args) {
  const { code, stdout, stderr } = await run(command, args, { show: false });
  if (code === 0) return stdout.trim();
  throw new Error(`"${[command, ...args].join(" ")}" failed: ${stderr.trim() || `exit code ${code}`}`);
}

/**
 * Another run holds the stack: wait for its end, and try again from the start.
 * @param {string} stack @param {() => Promise<Ran>} attempt
 */
export async function whenUnlocked(stack, attempt) {
  const until = Date.now() + Number(process.env["LOCK_SECONDS"] ?? 600) * 1000;
  for (let told = false; ; told = true) {
    const ran = await attempt();
    if (ran.code === 0 || !/the stack is currently locked/.test(ran.stderr) || Date.now() >= until) return ran;
    if (!told)
      process.stdout.write(`another run holds ${stack}: waiting for it, until ${new Date(until).toISOString()}\n`);
    await wait(3000 + Math.random() * 2000);
  }
}

export const quiet = (/** @type {string} */ stack) => ["--stack", stack, "--non-interactive", "--color", "never"];
