import { timestamp } from "../clock";
import type { CommandRecord, OutcomeRule, Settings } from "../records";
import type { Store } from "../store";
import { defaultTimeout } from "./common";

type Plan = CommandRecord["plan"];

const checkInterval = 60;

interface Expectation {
  now: number;
  settings: Pick<Settings, "waitSeconds" | "runSeconds">;
  /** Null if none was submitted. */
  timeout: number | null;
  rule: OutcomeRule | undefined;
  /** Why the job must fail; null if it need not. */
  failure: string | null;
}

/** Plans a command's life up front, so that its status at any time depends only on the plan and the clock. */
export function planLife({ now, settings, timeout, rule, failure }: Expectation): Plan {
  const startAt = now + settings.waitSeconds * 1000;
  const endAt = rule?.outcome === "never" ? null : startAt + (rule?.runSeconds ?? settings.runSeconds) * 1000;
  const reason =
    failure ?? (rule?.outcome === "error" ? "an outcome rule of the emulator made this command fail" : null);
  const results = rule?.results === undefined ? {} : { results: rule.results };
  return withTimeout({ startAt, endAt, outcome: reason === null ? "done" : "error", reason, ...results }, timeout);
}

/** A command that exceeds its timeout is killed at the next check, which runs every 60 seconds. */
function withTimeout(plan: Plan, submitted: number | null): Plan {
  const timeout = submitted ?? defaultTimeout;
  const killAt = plan.startAt + (Math.floor(timeout / checkInterval) + 1) * checkInterval * 1000;
  if (plan.endAt !== null && plan.endAt < killAt) return plan;
  return { ...plan, endAt: killAt, outcome: "cancelled", reason: `killed after its timeout of ${timeout} seconds` };
}

/** A command that is asked to stop does so after `seconds`, whether it had started or not. */
export function cancelPlan(plan: Plan, now: number, seconds: number, reason: string): Plan {
  return { ...plan, cancelAt: now, endAt: now + seconds * 1000, outcome: "cancelled", reason };
}

export const hasEnded = ({ endAt }: Plan, now: number): boolean => endAt !== null && endAt <= now;

export interface CommandProgress {
  status: "waiting" | "running" | "cancelling" | "done" | "error" | "cancelled";
  progress: number;
  start_time: string | null;
  end_time: string | null;
  qlog: string | null;
}

export function progressAt(plan: Plan, now: number): CommandProgress {
  const { startAt, endAt, outcome, reason, cancelAt } = plan;
  if (cancelAt !== undefined) {
    const start_time = startAt <= cancelAt ? timestamp(startAt) : null;
    const ended = endAt !== null && hasEnded(plan, now);
    if (ended) return { status: outcome, progress: 0, start_time, end_time: timestamp(endAt), qlog: reason };
    return { status: "cancelling", progress: 0, start_time, end_time: null, qlog: null };
  }
  if (now < startAt) return { status: "waiting", progress: 0, start_time: null, end_time: null, qlog: null };
  const start_time = timestamp(startAt);
  if (endAt === null || now < endAt) {
    const share = endAt === null ? 0.5 : (now - startAt) / (endAt - startAt);
    return { status: "running", progress: Math.floor(share * 100), start_time, end_time: null, qlog: null };
  }
  const progress = outcome === "done" ? 100 : 0;
  return { status: outcome, progress, start_time, end_time: timestamp(endAt), qlog: reason };
}

type Matchable = Pick<CommandRecord, "name" | "tags" | "command">;

export function ruleFor(rules: readonly OutcomeRule[], command: Matchable): OutcomeRule | undefined {
  return rules.findLast((rule) => matches(rule, command));
}

function matches({ match }: OutcomeRule, { name, tags, command }: Matchable): boolean {
  if (match.name !== undefined && match.name !== name) return false;
  if (match.tag !== undefined && !tags.includes(match.tag)) return false;
  if (match.program === undefined) return true;
  const text = Object.values(command).filter((value) => typeof value === "string");
  return text.some((value) => value.includes(match.program as string));
}

/** Keeps the rule for future commands, and applies it to matching ones that have not finished. */
export function applyOutcome(store: Store, now: number, rule: OutcomeRule): number {
  store.setSettings({ outcomes: [...store.settings.outcomes, rule] });
  let changed = 0;
  for (const account of store.accounts.keys())
    for (const command of store.list("commands", account)) {
      const { plan, timeout } = command;
      if (hasEnded(plan, now) || plan.cancelAt !== undefined || !matches(rule, command)) continue;
      const settings = { waitSeconds: Math.max(0, plan.startAt - now) / 1000, runSeconds: store.settings.runSeconds };
      const next = planLife({ now, settings, timeout, rule, failure: null });
      const startAt = Math.min(plan.startAt, next.startAt);
      store.put("commands", account, { ...command, plan: withTimeout({ ...next, startAt }, timeout) });
      changed += 1;
    }
  return changed;
}
