import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDrift } from "./drift";
import { observe, uncommitted, uncommittedText } from "./observe";
import { sealPlan } from "./plan";
import type { Store } from "./plan-store";
import { accessSection, driftSection, guardrailSection, planSection } from "./preview-report";
import { previewReport } from "./report";
import { dataplatform, pulumi, quiet, type Ran } from "./run";
import { guardrails, planKey, planning, validHours } from "./settings";

interface Files {
  readonly plan: string;
  readonly events: string;
  readonly preview: string;
}

/** What a step ends with. */
export interface Outcome {
  readonly code: number;
  readonly markdown: string;
}

/** What a merge would change, and the plan that the merge will apply. */
export async function preview(stack: string, store: Store): Promise<Outcome> {
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
async function whyNotBound(): Promise<string | undefined> {
  try {
    const changes = await uncommitted();
    return changes.length === 0 ? undefined : uncommittedText(changes);
  } catch (error) {
    return `git does not tell the commit: ${error instanceof Error ? error.message : error}`;
  }
}

async function previewed(stack: string, files: Files): Promise<Ran> {
  const saved = ["--save-plan", files.plan, "--event-log", files.events];
  const args = ["preview", "--json", ...saved, ...guardrails(), ...quiet(stack)];
  // Only the log of events has the results of policy packs; its option is one of the debug commands.
  const ran = await pulumi(args, "platform", { show: false, env: { ...planning, PULUMI_DEBUG_COMMANDS: "true" } });
  writeFileSync(files.preview, ran.stdout);
  return ran;
}

function access(stack: string, files: Files): Promise<Ran> {
  const args = ["access", "--stack", stack, "--plan-file", files.preview, "--format", "markdown"];
  return dataplatform(args, { show: false });
}

function validity(): { createdAt: string; validUntil: string } {
  const now = Date.now();
  return { createdAt: new Date(now).toISOString(), validUntil: new Date(now + validHours() * 3_600_000).toISOString() };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
