#!/usr/bin/env node
/**
 * The steps of the pipeline. GitHub Actions and GitLab CI call them, and so can you:
 *
 *   node ci/pipeline.mjs preview dev    what a merge would change: a comment on the pull request, and a plan
 *   node ci/pipeline.mjs apply dev      carry out the plan of this commit, and nothing else
 *   node ci/pipeline.mjs drift dev      what was changed by hand; one issue, opened, updated or closed
 *   node ci/pipeline.mjs repair dev     put the platform back to what the repository says
 *
 * Reports are in reports/. Exit code: 0 fine, 2 drift (of the step drift), 1 anything else.
 *
 * It needs git and pulumi on PATH and `npm ci`, and in the environment: DATAPLATFORM_API_TOKEN, PULUMI_BACKEND_URL,
 * PULUMI_CONFIG_PASSPHRASE, and in a pipeline PLAN_KEY, which signs plans. PLAN_HOURS (default 72) says how long a plan
 * may be applied, LOCK_SECONDS (default 600) how long to wait for another run on the same stack.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { apply } from "./apply.mjs";
import { checkDrift } from "./drift.mjs";
import { findForge } from "./forge.mjs";
import { planStore } from "./plan-store.mjs";
import { preview } from "./preview.mjs";
import { driftFailed, updateReport } from "./report.mjs";
import { quiet, run, whenUnlocked } from "./run.mjs";

/** @typedef {{ code: number, markdown: string }} Outcome */

/** @type {Record<string, (stack: string, store: import("./plan-store.mjs").Store) => Promise<Outcome>>} */
const steps = {
  preview,
  apply,
  drift: async (stack) => {
    const { ran, file, drift } = await checkDrift(stack);
    if (!drift) return { code: ran.code || 1, markdown: driftFailed(stack, ran) };
    for (const [format, ending] of Object.entries({ markdown: "md", html: "html" })) {
      const output = `reports/drift-${stack}.${ending}`;
      await run("dataplatform", ["drift", "--from", file, "--format", format, "--output", output]);
    }
    return { code: ran.code, markdown: readFileSync(`reports/drift-${stack}.md`, "utf8") };
  },
  repair: async (stack) => {
    const args = ["up", "--yes", "--skip-preview", "--refresh", ...quiet(stack)];
    const ran = await whenUnlocked(stack, () => run("pulumi", args));
    return { code: ran.code, markdown: updateReport(stack, "Repair", ran) };
  },
};

/** @param {string[]} args */
async function main([step = "", stack = "", ...rest]) {
  const carryOut = Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (!carryOut || !/^[\w.-]+$/.test(stack) || rest.length > 0) {
    process.stderr.write(`usage: node ci/pipeline.mjs <${Object.keys(steps).join("|")}> <stack>\n`);
    return 1;
  }
  // Paths are relative to the repository's folder, and elsewhere reports/ may be somebody else's.
  if (!existsSync("Pulumi.yaml")) {
    process.stderr.write(
      `there is no Pulumi.yaml in ${process.cwd()}; run this from the repository's folder: node ci/pipeline.mjs ${step} ${stack}\n`,
    );
    return 1;
  }
  // A report of an earlier run must not be taken for this one's.
  rmSync("reports", { recursive: true, force: true });
  mkdirSync("reports");
  const { code, markdown } = await carryOut(stack, planStore(process.env));
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

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (/** @type {Error} */ error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
