#!/usr/bin/env node
/**
 * The steps of the pipeline. GitHub Actions and GitLab CI call them, and so can you:
 *
 *   node ci/pipeline.mjs preview dev    what a merge would change; a comment on the pull request
 *   node ci/pipeline.mjs up dev         make it so
 *   node ci/pipeline.mjs drift dev      what was changed by hand; one issue, opened, updated or closed
 *   node ci/pipeline.mjs repair dev     put the platform back to what the repository says
 *
 * Reports are in reports/. Exit code: 0 fine, 2 drift (of the step drift), 1 anything else.
 *
 * It needs pulumi on PATH and `npm ci`, and in the environment: DATAPLATFORM_API_TOKEN, PULUMI_BACKEND_URL,
 * PULUMI_CONFIG_PASSPHRASE. LOCK_SECONDS (default 600) says how long to wait for another run on the same stack.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findForge } from "./forge.mjs";
import { driftFailed, previewReport, updateReport } from "./report.mjs";

/**
 * @typedef {{ code: number, stdout: string, stderr: string }} Ran
 * @typedef {{ code: number, markdown: string }} Outcome
 */

/** @type {Record<string, (stack: string) => Promise<Outcome>>} */
const steps = {
  preview: async (stack) => {
    const ran = await run("pulumi", ["preview", "--json", ...quiet(stack)], { show: false });
    return { code: ran.code, markdown: previewReport(stack, ran) };
  },
  up: async (stack) => {
    const ran = await whenUnlocked(stack, ["up", "--yes", "--skip-preview", ...quiet(stack)]);
    return { code: ran.code, markdown: updateReport(stack, "Update", ran) };
  },
  drift: async (stack) => {
    const file = (/** @type {string} */ kind) => `reports/drift-${stack}.${kind}`;
    const found = await run("dataplatform", ["drift", "--stack", stack, "--format", "json", "--output", file("json")]);
    // A report is also there when some resources could not be read: it says which.
    if (!existsSync(file("json"))) return { code: found.code || 1, markdown: driftFailed(stack, found) };
    for (const format of ["markdown", "html"]) {
      const output = file(format === "html" ? "html" : "md");
      await run("dataplatform", ["drift", "--from", file("json"), "--format", format, "--output", output]);
    }
    return { code: found.code, markdown: readFileSync(file("md"), "utf8") };
  },
  repair: async (stack) => {
    const ran = await whenUnlocked(stack, ["up", "--yes", "--skip-preview", "--refresh", ...quiet(stack)]);
    return { code: ran.code, markdown: updateReport(stack, "Repair", ran) };
  },
};

const quiet = (/** @type {string} */ stack) => ["--stack", stack, "--non-interactive", "--color", "never"];

/** @param {string[]} args */
async function main([step = "", stack = "", ...rest]) {
  const carryOut = Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (!carryOut || !/^[\w.-]+$/.test(stack) || rest.length > 0) {
    process.stderr.write(`usage: node ci/pipeline.mjs <${Object.keys(steps).join("|")}> <stack>\n`);
    return 1;
  }
  // A report of an earlier run must not be taken for this one's.
  rmSync("reports", { recursive: true, force: true });
  mkdirSync("reports");
  const { code, markdown } = await carryOut(stack);
  writeFileSync(`reports/${step}-${stack}.md`, markdown);
  process.stdout.write(`${markdown}\n`);
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, `${markdown}\n`);
  await post(step, stack, code, markdown);
  return code;
}

/**
 * The report is in the job's log and in reports/ in any case: that it cannot be posted does not fail the step.
 * @param {string} step @param {string} stack @param {number} code @param {string} markdown
 */
async function post(step, stack, code, markdown) {
  const forge = findForge(process.env);
  const marker = `<!-- dataplatform ${step} ${stack} -->`;
  try {
    if (step === "preview") await forge?.comment(marker, markdown);
    if (step === "drift") await forge?.issue(marker, `Drift: ${stack}`, code === 0 ? undefined : markdown);
  } catch (error) {
    process.stderr.write(`the report could not be posted: ${error instanceof Error ? error.message : error}\n`);
  }
}

/**
 * Another run holds the stack: wait for its end. What it does is lost by neither, because the state is read after it.
 * @param {string} stack @param {string[]} args
 */
async function whenUnlocked(stack, args) {
  const until = Date.now() + Number(process.env["LOCK_SECONDS"] ?? 600) * 1000;
  for (let told = false; ; told = true) {
    const ran = await run("pulumi", args);
    if (ran.code === 0 || !/the stack is currently locked/.test(ran.stderr) || Date.now() >= until) return ran;
    if (!told)
      process.stdout.write(`another run holds ${stack}: waiting for it, until ${new Date(until).toISOString()}\n`);
    await wait(3000 + Math.random() * 2000);
  }
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let running;

// A cancelled job: let pulumi end in order, so that what it did is recorded and no lock is left behind.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => (running ? running.kill("SIGINT") : process.exit(1)));

/**
 * @param {string} command @param {string[]} args @param {{ show?: boolean }} [options]
 * @returns {Promise<Ran>}
 */
function run(command, args, { show = true } = {}) {
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      env: { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ran = { code: 1, stdout: "", stderr: "" };
    for (const stream of /** @type {const} */ (["stdout", "stderr"]))
      child[stream].setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        ran[stream] += text;
        if (show) process[stream].write(text);
      });
    child.on("error", (error) => fail(new Error(`cannot run ${command}: ${error.message}`)));
    child.on("close", (code) => {
      running = undefined;
      done({ ...ran, code: code ?? 1 });
    });
    running = child;
  });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (/** @type {Error} */ error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
