import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { updateMessage } from "./deployed";
import { checkDrift } from "./drift";
import { commitOf, observe, uncommitted, uncommittedText } from "./observe";
import { requireTrusted, verifyKeys } from "./place";
import {
  ageMisfits,
  type Bound,
  claimedId,
  driftMisfits,
  misfits,
  type Opened,
  openPlan,
  planId,
  stateMisfits,
} from "./plan";
import type { Store } from "./plan-store";
import { planIn, plannedResources } from "./planned";
import { repairFlags } from "./preview";
import { progressOf } from "./progress";
import { Refused } from "./refused";
import { type Outcome, type Updated, updateReport } from "./report";
import { isLocked, pulumi, quiet, whenUnlocked } from "./run";
import { digestState, type Exported, exportState } from "./state";
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
  const keys = verifyKeys();
  // First: what no commit has can have no plan, and a new preview would not seal one.
  await refuseUncommitted();
  const opened = openPlan(await found(request, store), keys);
  const id = planId(opened.bound);
  if (id !== request.id) throw new Refused([`foreign: the plan is ${id}, and not ${request.id}`]);
  const updated = await applied(opened, request);
  return updateReport(`Plan \`${id.slice(0, 12)}\` of \`${request.stack}\``, updated, store.renew);
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

/** The newest plan for this commit that is signed, for people to approve. */
export async function findPlan(stack: string, kind: Bound["kind"], store: Store): Promise<Opened> {
  const keys = verifyKeys();
  const { commit, tree } = await commitOf("HEAD");
  const { texts, passedOver } = await store.find({ stack, tree });
  const reasons: string[] = [];
  for (const text of texts)
    try {
      const opened = openPlan(text, keys);
      const { bound } = opened;
      // Where it was found says nothing: whoever can write there can put a plan of another commit in its place.
      if (bound.stack !== stack || bound.tree !== tree)
        reasons.push(
          `not this one: ${planId(bound)} is of ${bound.stack}, commit ${bound.commit} (tree ${bound.tree})`,
        );
      // A repair of the same commit is not what a merge is about.
      else if (bound.kind === kind) return opened;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reasons.push(...error.reasons);
    }
  const missing = `missing: there is no plan of ${stack} for commit ${commit} (tree ${tree})`;
  throw new Refused([missing, ...reasons, ...passedOver.map((why) => `passed over: ${why}`)]);
}

async function applied({ bound, plan, signer }: Opened, { stack, maxAgeHours }: ApplyRequest): Promise<Updated> {
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, plan, { mode: 0o600 });
  let before: Exported = {};
  try {
    const ran = await whenUnlocked(stack, async () => {
      // Again after each wait: the run that held the stack may have moved the state.
      before = await verify(bound, stack, maxAgeHours);
      const repair = bound.kind === "repair" ? repairFlags(bound.targets) : [];
      const message = ["--message", updateMessage(bound, planId(bound))];
      // Without --skip-preview: what the plan or a rule does not allow is found before anything is done.
      const args = ["up", "--yes", "--plan", file, ...message, ...repair, ...guardrails(folder), ...quiet(stack)];
      return pulumi(args, "platform", { env: { PULUMI_EXPERIMENTAL: "1" }, filter: withoutPlannedValues });
    });
    return { ran, signer, ...(ran.code === 0 || isLocked(ran) ? {} : await afterFailure(bound, plan, before)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The engine's output may end early, and a program decides what it prints. */
async function afterFailure(bound: Bound, plan: string, before: Exported): Promise<Pick<Updated, "failure">> {
  try {
    const after = await exportState(bound.stack);
    const planned = plannedResources(planIn(plan).resourcePlans, before.deployment?.resources ?? []);
    const isUsedUp = digestState(after).digest !== bound.state.digest;
    return { failure: { ...progressOf(planned, before, after), isUsedUp } };
  } catch (error) {
    return { failure: `What was changed could not be read from the state: ${(error as Error).message}` };
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
  if (changes.length > 0) throw new Refused([`not committed: ${uncommittedText(changes)}`]);
}

/** The state comes last, because drift takes its time to be read; it is returned. */
async function verify(bound: Bound, stack: string, maxAgeHours: number): Promise<Exported> {
  await refuseUncommitted();
  refuse([...misfits(bound, await observe(stack)), ...ageMisfits(bound, maxAgeHours, new Date())]);
  await verifyState(bound);
  const { drift, ran } = await checkDrift(stack);
  if (!drift) throw new Refused([`not verifiable: drift could not be checked: ${ran.stderr.trim()}`]);
  refuse(driftMisfits(bound, drift));
  return verifyState(bound);
}

/** Before anything is read with it: `drift` reads the platform with our own code, an update executes what it says. */
async function verifyState(bound: Bound): Promise<Exported> {
  const exported = await exportState(bound.stack);
  refuse([...stateMisfits(bound, digestState(exported)), ...foreignCode(exported)]);
  return exported;
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new Refused(reasons);
}
