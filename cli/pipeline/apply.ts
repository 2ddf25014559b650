import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appliedAt, lastDeployed, updateMessage } from "./deployed";
import { requireDrift } from "./drift";
import { refuseWithoutPython } from "./installed";
import { commitOf, observe, uncommitted, uncommittedText } from "./observe";
import { requireTrusted, verifyKeys } from "./place";
import {
  ageMisfits,
  type Bound,
  deploymentMisfits,
  driftMisfits,
  misfits,
  type Opened,
  openPlan,
  planId,
  stateMisfits,
} from "./plan";
import type { PlanKey, Store } from "./plan-store";
import { planIn, plannedResources } from "./planned";
import { progressOf } from "./progress";
import { Refused, refuse } from "./refused";
import { includedIn, repairFlags } from "./repaired";
import { type Outcome, type Updated, updateReport } from "./report";
import { isLocked, pulumi, quiet, whenUnlocked } from "./run";
import { digestState, type Exported, exportState, foreignCode } from "./state";
import { withoutPlannedValues } from "./violation";

interface ApplyRequest {
  readonly stack: string;
  /** Of the plan that was approved. */
  readonly id: string;
  readonly maxAgeHours: number;
  /** Default: what the command `drift` finds. */
  readonly readDrift?: typeof requireDrift;
}

/** Carries out the plan that was approved, or refuses it. */
export async function apply(request: ApplyRequest, store: Store): Promise<Outcome> {
  requireTrusted();
  const keys = verifyKeys();
  // First: what no commit has can have no plan, and a new preview would not seal one.
  await refuseUncommitted();
  refuseWithoutPython();
  const opened = await found(request, store, keys);
  const renew = store.renew(opened.bound.kind === "repair");
  const updated = await applied(opened, request).catch((error: unknown) => {
    throw error instanceof Refused ? new Refused(error.reasons, renew) : error;
  });
  return updateReport(`Plan \`${request.id.slice(0, 12)}\` of \`${request.stack}\``, updated, renew);
}

/** The one with this id. */
async function found({ stack, id }: ApplyRequest, store: Store, keys: string | undefined): Promise<Opened> {
  const { plans, reasons } = await plansIn(store, { stack, ...(await commitOf("HEAD")), id }, keys);
  const it = plans.find(({ bound }) => planId(bound) === id);
  if (it) return it;
  throw new Refused([...reasons, ...plans.map(({ bound }) => `not this one: ${planId(bound)}`)]);
}

/** The newest plan for this commit that is signed, for people to approve: not the one that was put there last. */
export async function findPlan(stack: string, kind: Bound["kind"], store: Store): Promise<Opened> {
  const { commit, tree } = await commitOf("HEAD");
  const { plans, reasons } = await plansIn(store, { stack, commit, tree }, verifyKeys());
  // Where it was found says nothing: whoever can write there can put a plan of another commit in its place.
  const ofThis = plans.filter(({ bound }) => bound.stack === stack && bound.tree === tree);
  // A repair of the same commit is not what a merge is about.
  const [newest] = ofThis
    .filter(({ bound }) => bound.kind === kind)
    .sort((a, b) => Date.parse(b.bound.createdAt) - Date.parse(a.bound.createdAt));
  if (newest) return newest;
  const [other] = ofThis;
  // Not renewable: there is one.
  if (other)
    throw new Refused([
      ...reasons,
      `of another kind: ${planId(other.bound)} is ${kind === "change" ? "a repair of this commit: add --repair" : "a change: leave out --repair"}`,
    ]);
  const of = ({ stack, commit, tree }: Bound): string => `of ${stack}, commit ${commit} (tree ${tree})`;
  throw new Refused([...reasons, ...plans.map(({ bound }) => `not this one: ${planId(bound)} is ${of(bound)}`)]);
}

/**
 * Every plan that the store has, verified: one that cannot be read, or that somebody copied there, must not hide another.
 * `reasons`: why there is none, if there is none.
 */
async function plansIn(store: Store, key: PlanKey & { commit: string }, keys: string | undefined) {
  const { stack, tree, commit, id } = key;
  const { texts, passedOver } = await store.find({ stack, tree, id });
  const which = id === undefined ? "no plan" : `no plan ${id}`;
  const reasons = [`missing: there is ${which} of ${stack} for commit ${commit} (tree ${tree})`];
  const plans: Opened[] = [];
  for (const text of texts)
    try {
      plans.push(openPlan(text, keys));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reasons.push(...error.reasons);
    }
  return { plans, reasons: [...reasons, ...passedOver.map((why) => `passed over: ${why}`)] };
}

async function applied({ bound, plan, signer }: Opened, request: ApplyRequest): Promise<Updated> {
  const { stack } = request;
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, plan, { mode: 0o600 });
  let before: Exported = {};
  try {
    const ran = await whenUnlocked(stack, async (mute) => {
      // Again after each wait: the run that held the stack may have moved the state.
      before = await verify(bound, plan, request);
      const repair = bound.kind === "repair" ? repairFlags(bound.targets, before) : [];
      const message = ["--message", updateMessage(bound, planId(bound))];
      // Without --skip-preview: what the plan or a rule does not allow is found before anything is done.
      const args = ["up", "--yes", "--plan", file, ...message, ...repair, ...guardrails(folder), ...quiet(stack)];
      return pulumi(args, "platform", { env: { PULUMI_EXPERIMENTAL: "1" }, filter: withoutPlannedValues, mute });
    });
    return { stack, ran, signer, ...(isLocked(ran) ? {} : await progressSince(bound, plan, before)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The engine's output may end early, and a program decides what it prints. */
async function progressSince(bound: Bound, plan: string, before: Exported): Promise<Pick<Updated, "progress">> {
  try {
    const after = await exportState(bound.stack);
    const planned = plannedResources(planIn(plan).resourcePlans, before.deployment?.resources ?? []);
    const isUsedUp = digestState(after).digest !== bound.state.digest;
    return { progress: { ...progressOf(planned, before, after), isUsedUp } };
  } catch (error) {
    return { progress: `What was changed could not be read from the state: ${(error as Error).message}` };
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
async function verify(
  bound: Bound,
  plan: string,
  { stack, maxAgeHours, readDrift = requireDrift }: ApplyRequest,
): Promise<Exported> {
  await refuseUncommitted();
  refuse([...misfits(bound, await observe(stack)), ...ageMisfits(bound, maxAgeHours, new Date())]);
  const exported = await verifyState(bound);
  refuse(deploymentMisfits(bound, await lastDeployed(stack, verifyKeys())));
  const planned = plannedResources(planIn(plan).resourcePlans, exported.deployment?.resources ?? []);
  refuse(driftMisfits(bound, await readDrift(stack, includedIn(planned, bound.kind, exported))));
  return verifyState(bound);
}

/** Before anything is read with it: `drift` reads the platform with our own code, an update executes what it says. */
async function verifyState(bound: Bound): Promise<Exported> {
  const exported = await exportState(bound.stack);
  const moved = stateMisfits(bound, digestState(exported));
  const usedAt = moved.length > 0 ? await appliedAt(bound.stack, planId(bound)) : undefined;
  if (usedAt) throw new Refused([`used: this plan was carried out already, at ${usedAt}, so there is nothing to do`]);
  refuse([...moved, ...foreignCode(exported)]);
  return exported;
}
