import { timestamp } from "../clock";
import type { CommandRecord, OutcomeRule, Settings } from "../records";
import type { Store } from "../store";

type Plan = CommandRecord["plan"];

const checkInterval = 60;

export interface Expectation {
  now: number;
  settings: Pick<Settings, "waitSeconds" | "runSeconds">;
  timeout: number;
  rule: OutcomeRule | undefined;
  /** Why the job must fail, if it must. */
  failure: string | null;
}

/** Foresees the life of a command: what it is at any time follows from this and the clock alone. */
export function planLife({ now, settings, timeout, rule, failure }: Expectation): Plan {
  const startAt = now + settings.waitSeconds * 1000;
  const endAt = rule?.outcome === "never" ? null : startAt + (rule?.runSeconds ?? settings.runSeconds) * 1000;
  const reason = failure ?? (rule?.outcome === "error" ? "the emulator was told to let this command fail" : null);
  return withTimeout({ startAt, endAt, outcome: reason === null ? "done" : "error", reason }, timeout);
}

/** A command that runs longer than its timeout is killed at the next check; there is one every 60 seconds. */
function withTimeout(plan: Plan, timeout: number): Plan {
  const killAt = plan.startAt + (Math.floor(timeout / checkInterval) + 1) * checkInterval * 1000;
  if (plan.endAt !== null && plan.endAt < killAt) return plan;
  return { ...plan, endAt: killAt, outcome: "cancelled", reason: `killed after its timeout of ${timeout} seconds` };
}

export interface Standing {
  status: "waiting" | "running" | "done" | "error" | "cancelled";
  progress: number;
  start_time: string | null;
  end_time: string | null;
  qlog: string | null;
}

export function standing({ startAt, endAt, outcome, reason }: Plan, now: number): Standing {
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

/** Keeps the rule for commands to come, and ends those that have not ended yet by it. */
export function applyOutcome(store: Store, now: number, rule: OutcomeRule): number {
  store.setSettings({ outcomes: [...store.settings.outcomes, rule] });
  let changed = 0;
  for (const account of store.accounts.keys())
    for (const command of store.list("commands", account)) {
      const { plan, timeout } = command;
      if ((plan.endAt !== null && plan.endAt <= now) || !matches(rule, command)) continue;
      const settings = { waitSeconds: Math.max(0, plan.startAt - now) / 1000, runSeconds: store.settings.runSeconds };
      const next = planLife({ now, settings, timeout, rule, failure: null });
      const startAt = Math.min(plan.startAt, next.startAt);
      store.put("commands", account, { ...command, plan: withTimeout({ ...next, startAt }, timeout) });
      changed += 1;
    }
  return changed;
}
