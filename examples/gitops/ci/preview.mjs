/** The step `preview`: what a merge would change, and the plan that the merge will apply. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDrift } from "./drift.mjs";
import { observe, uncommitted, uncommittedText } from "./observe.mjs";
import { sealPlan } from "./plan.mjs";
import { accessSection, driftSection, guardrailSection, planSection } from "./preview-report.mjs";
import { previewReport } from "./report.mjs";
import { quiet, run } from "./run.mjs";
import { guardrails, planKey, planning, validHours } from "./settings.mjs";

/**
 * @typedef {import("./plan-store.mjs").Store} Store
 * @typedef {{ plan: string, events: string, preview: string }} Files
 */

/** @param {string} stack @param {Store} store @returns {Promise<{ code: number, markdown: string }>} */
export async function preview(stack, store) {
  const key = planKey(store);
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const files = {
    plan: join(folder, "plan.json"),
    events: join(folder, "events.json"),
    preview: join(folder, "preview.json"),
  };
  try {
    const noCommit = await whyNotBound();
    // Before the preview: what moves meanwhile makes the plan stale, never the other way round.
    const present = noCommit ? undefined : await observe(stack);
    const { drift, ran: checked } = await checkDrift(stack);
    const ran = await previewed(stack, files);
    const whyNoPlan =
      ran.code !== 0
        ? "the preview failed"
        : (noCommit ?? (drift ? undefined : `drift could not be checked: ${checked.stderr.trim()}`));
    const facts = !whyNoPlan && present && drift ? { ...present, drift: drift.differing, ...validity() } : undefined;
    const sealed = facts && sealPlan(readFileSync(files.plan, "utf8"), facts, key);
    if (facts && sealed) await store.keep(stack, facts.tree, sealed);
    const details = [
      ...planSection(sealed && JSON.parse(sealed).bound, whyNoPlan),
      ...guardrailSection(textOf(files.events)),
      ...(ran.code === 0 ? accessSection(await access(stack, files)) : []),
      ...driftSection(drift),
    ];
    return { code: ran.code || (!sealed && store.isShared ? 1 : 0), markdown: previewReport(stack, ran, details) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A plan is for the files of a commit, and nothing else. */
async function whyNotBound() {
  try {
    const changes = await uncommitted();
    return changes.length === 0 ? undefined : uncommittedText(changes);
  } catch (error) {
    return `git does not tell the commit: ${error instanceof Error ? error.message : error}`;
  }
}

/** @param {string} stack @param {Files} files */
async function previewed(stack, files) {
  const args = [
    "preview",
    "--json",
    "--save-plan",
    files.plan,
    "--event-log",
    files.events,
    ...guardrails,
    ...quiet(stack),
  ];
  // Only the log of events has the results of policy packs; its option is one of the debug commands.
  const ran = await run("pulumi", args, { show: false, env: { ...planning, PULUMI_DEBUG_COMMANDS: "true" } });
  writeFileSync(files.preview, ran.stdout);
  return ran;
}

/** @param {string} stack @param {Files} files */
function access(stack, files) {
  const args = ["access", "--stack", stack, "--plan-file", files.preview, "--format", "markdown"];
  return run("dataplatform", args, { show: false });
}

function validity() {
  const now = Date.now();
  return { createdAt: new Date(now).toISOString(), validUntil: new Date(now + validHours() * 3_600_000).toISOString() };
}

/** @param {string} file */
const textOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");
