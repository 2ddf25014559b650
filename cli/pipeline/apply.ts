import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDrift } from "./drift";
import { observe, uncommitted, uncommittedText } from "./observe";
import { type Bound, driftMisfits, misfits, openPlan, type Present, planId, Refused } from "./plan";
import type { Store } from "./plan-store";
import type { Outcome } from "./preview";
import { refusalReport, updateReport } from "./report";
import { pulumi, quiet, type Ran, whenUnlocked } from "./run";
import { guardrails, planKey, planning } from "./settings";
import { withoutPlannedValues } from "./violation";

/** Carries out the plan that was approved, or says why not. */
export async function apply(stack: string, store: Store): Promise<Outcome> {
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

/** `first`: as it was just now. */
async function applied(bound: Bound, plan: string, first: Present): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, plan, { mode: 0o600 });
  let present: Present | undefined = first;
  try {
    return await whenUnlocked(first.stack, async () => {
      // Again after each wait: the run that held the stack may have moved the state.
      await verify(bound, present ?? (await observe(first.stack)));
      present = undefined;
      // Without --skip-preview: what the plan does not allow is found before anything is done.
      const args = ["up", "--yes", "--plan", file, ...guardrails(), ...quiet(first.stack)];
      return pulumi(args, "platform", { env: planning, filter: withoutPlannedValues });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function refuseUncommitted(): Promise<void> {
  const changes = await uncommitted();
  if (changes.length > 0) throw new Refused([`foreign: ${uncommittedText(changes)}`]);
}

/** Drift comes last, because it is read from the platform. */
async function verify(bound: Bound, present: Present): Promise<void> {
  await refuseUncommitted();
  const reasons = misfits(bound, present, new Date());
  if (reasons.length > 0) throw new Refused(reasons);
  const { drift, ran } = await checkDrift(bound.stack);
  if (!drift) throw new Refused([`not verifiable: drift could not be checked: ${ran.stderr.trim()}`]);
  const drifted = driftMisfits(bound, drift);
  if (drifted.length > 0) throw new Refused(drifted);
}
