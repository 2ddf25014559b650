/** The step `apply`: carries out the plan that was approved, or says why not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDrift } from "./drift.mjs";
import { observe, uncommitted, uncommittedText } from "./observe.mjs";
import { driftMisfits, misfits, openPlan, planId, Refused } from "./plan.mjs";
import { refusalReport, updateReport } from "./report.mjs";
import { quiet, run, whenUnlocked } from "./run.mjs";
import { guardrails, planKey, planning } from "./settings.mjs";
import { withoutPlannedValues } from "./violation.mjs";

/**
 * @typedef {import("./plan.mjs").Bound} Bound
 * @typedef {import("./plan.mjs").Present} Present
 */

/**
 * @param {string} stack @param {import("./plan-store.mjs").Store} store
 * @returns {Promise<{ code: number, markdown: string }>}
 */
export async function apply(stack, store) {
  const key = planKey(store);
  try {
    // First: what no commit has can have no plan, and a new preview would not save one.
    await refuseUncommitted();
    const present = await observe(stack);
    const text = await store.find(stack, present.tree);
    if (text === undefined)
      throw new Refused([`missing: there is no plan of ${stack} for commit ${present.commit} (tree ${present.tree})`]);
    const { bound, plan } = openPlan(text, key);
    const ran = await applied(bound, plan, present);
    return { code: ran.code, markdown: updateReport(stack, `Plan ${planId(bound)}`, ran, store.renew(stack)) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: 1, markdown: refusalReport(stack, error.reasons, store.renew(stack)) };
  }
}

/** @param {Bound} bound @param {string} plan @param {Present} first as it was just now */
async function applied(bound, plan, first) {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, plan, { mode: 0o600 });
  /** @type {Present | undefined} */
  let present = first;
  try {
    return await whenUnlocked(first.stack, async () => {
      // Again after each wait: the run that held the stack may have moved the state.
      await verify(bound, present ?? (await observe(first.stack)));
      present = undefined;
      // Without --skip-preview: what the plan does not allow is found before anything is done.
      const args = ["up", "--yes", "--plan", file, ...guardrails, ...quiet(first.stack)];
      return run("pulumi", args, { env: planning, filter: withoutPlannedValues });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function refuseUncommitted() {
  const changes = await uncommitted();
  if (changes.length > 0) throw new Refused([`foreign: ${uncommittedText(changes)}`]);
}

/** Drift comes last, because it is read from the platform. @param {Bound} bound @param {Present} present */
async function verify(bound, present) {
  await refuseUncommitted();
  const reasons = misfits(bound, present, new Date());
  if (reasons.length > 0) throw new Refused(reasons);
  const { drift, ran } = await checkDrift(bound.stack);
  if (!drift) throw new Refused([`not verifiable: drift could not be checked: ${ran.stderr.trim()}`]);
  const drifted = driftMisfits(bound, drift);
  if (drifted.length > 0) throw new Refused(drifted);
}
