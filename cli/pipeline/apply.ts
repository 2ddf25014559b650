import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDrift } from "./drift";
import { commitOf, observe, uncommitted, uncommittedText } from "./observe";
import { requireTrusted, verifyKey } from "./place";
import { ageMisfits, type Bound, claimedId, driftMisfits, misfits, openPlan, planId, stateMisfits } from "./plan";
import type { Store } from "./plan-store";
import { repairFlags } from "./preview";
import { Refused } from "./refused";
import { type Outcome, updateReport } from "./report";
import { pulumi, quiet, type Ran, whenUnlocked } from "./run";
import { digestState, exportState } from "./state";
import { foreignCode } from "./state-code";
import { withoutPlannedValues } from "./violation";

export interface ApplyRequest {
  readonly stack: string;
  /** Of the plan that was approved. */
  readonly id: string;
  readonly maxAgeHours: number;
}

/** Carries out the plan that was approved, or refuses it. */
export async function apply(request: ApplyRequest, store: Store): Promise<Outcome> {
  requireTrusted();
  const key = verifyKey();
  // First: what no commit has can have no plan, and a new preview would not seal one.
  await refuseUncommitted();
  const { bound, plan } = openPlan(await found(request, store), key);
  if (planId(bound) !== request.id) throw new Refused([`foreign: the plan is ${planId(bound)}, and not ${request.id}`]);
  const ran = await applied(bound, plan, request);
  return updateReport(`Plan \`${request.id.slice(0, 12)}\` of \`${request.stack}\``, ran, store.renew);
}

/** The one with this id; that it is what it says is checked later. */
async function found({ stack, id }: ApplyRequest, store: Store): Promise<string> {
  const { commit, tree } = await commitOf("HEAD");
  const { texts, passedOver } = await store.find({ stack, tree, id });
  const text = texts.find((one) => claimedId(one) === id);
  if (text !== undefined) return text;
  throw new Refused([
    `missing: there is no plan ${id} of ${stack} for commit ${commit} (tree ${tree})`,
    ...texts.map((one) => `not this one: ${claimedId(one) ?? "a file that is not a plan"}`),
    ...passedOver.map((why) => `passed over: ${why}`),
  ]);
}

/** The id of the newest plan for this commit that is signed, for people to approve. */
export async function findPlan(stack: string, kind: Bound["kind"], store: Store): Promise<Bound> {
  const key = verifyKey();
  const { commit, tree } = await commitOf("HEAD");
  const { texts, passedOver } = await store.find({ stack, tree });
  const reasons: string[] = [];
  for (const text of texts)
    try {
      // A repair of the same commit is not what a merge is about.
      const { bound } = openPlan(text, key);
      if (bound.kind === kind) return bound;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reasons.push(...error.reasons);
    }
  const missing = `missing: there is no plan of ${stack} for commit ${commit} (tree ${tree})`;
  throw new Refused([missing, ...reasons, ...passedOver.map((why) => `passed over: ${why}`)]);
}

async function applied(bound: Bound, plan: string, { stack, maxAgeHours }: ApplyRequest): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, plan, { mode: 0o600 });
  try {
    return await whenUnlocked(stack, async () => {
      // Again after each wait: the run that held the stack may have moved the state.
      await verify(bound, stack, maxAgeHours);
      const repair = bound.kind === "repair" ? repairFlags(bound.targets) : [];
      // Without --skip-preview: what the plan or a rule does not allow is found before anything is done.
      const args = ["up", "--yes", "--plan", file, ...repair, ...guardrails(folder), ...quiet(stack)];
      return pulumi(args, "platform", { env: { PULUMI_EXPERIMENTAL: "1" }, filter: withoutPlannedValues });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rules of this package, once more, on what the program really does. */
function guardrails(folder: string): string[] {
  const pack = join(folder, "policies");
  // The compiled file is only executable where npm has linked it.
  writeFileSync(pack, `#!/bin/sh\nexec "${process.execPath}" "${join(__dirname, "../../policies/main.js")}" "$@"\n`);
  chmodSync(pack, 0o700);
  return ["--policy-pack", pack, ...(existsSync("policies.json") ? ["--policy-pack-config", "policies.json"] : [])];
}

async function refuseUncommitted(): Promise<void> {
  const changes = await uncommitted();
  if (changes.length > 0) throw new Refused([`foreign: ${uncommittedText(changes)}`]);
}

/** The state comes last, because drift takes its time to be read. */
async function verify(bound: Bound, stack: string, maxAgeHours: number): Promise<void> {
  await refuseUncommitted();
  refuse([...misfits(bound, await observe(stack)), ...ageMisfits(bound, maxAgeHours, new Date())]);
  await verifyState(bound);
  const { drift, ran } = await checkDrift(stack);
  if (!drift) throw new Refused([`not verifiable: drift could not be checked: ${ran.stderr.trim()}`]);
  refuse(driftMisfits(bound, drift));
  await verifyState(bound);
}

/** Before anything is read with it: `drift` reads the platform with our own code, an update executes what it says. */
async function verifyState(bound: Bound): Promise<void> {
  const exported = await exportState(bound.stack);
  refuse([...stateMisfits(bound, digestState(exported)), ...foreignCode(exported)]);
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new Refused(reasons);
}
