import { z } from "zod";

export const faultKinds = [
  "latency",
  "429",
  "503",
  "500",
  "empty",
  "html",
  "truncated",
  "respond",
  "reset-before",
  "reset-after",
] as const;

const count = z.int().positive();

const faultRuleSchema = z.strictObject({
  operation: z
    .union([z.string(), z.array(z.string())])
    .default("*")
    .describe("Operation names, or * for all."),
  method: z.enum(["GET", "POST", "PUT", "DELETE"]).optional(),
  kind: z.enum(faultKinds),
  probability: z.number().min(0).max(1).optional().describe("Probability of firing on a matching call."),
  nth: z
    .union([count, z.array(count)])
    .optional()
    .describe("Fire only on these matching calls, counted from 1."),
  times: count.optional().describe("Fire at most this many times."),
  latencyMs: z.number().min(0).max(600_000).default(0).describe("Wait before anything else."),
  retryAfter: z.union([z.number(), z.string()]).optional().describe("The Retry-After header."),
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional().describe("For respond: a string is sent verbatim, anything else as JSON."),
  headers: z.record(z.string(), z.string()).optional(),
  work: z.enum(["skip", "do"]).optional().describe("Whether the operation runs before the fault."),
});

export const faultsSchema = z.strictObject({
  rules: z.array(faultRuleSchema),
  seed: z.int().default(1).describe("The same seed with the same calls produces the same faults."),
});

export type FaultRule = z.output<typeof faultRuleSchema>;
export type Faults = z.input<typeof faultsSchema>;

interface ActiveRule {
  rule: FaultRule;
  random: () => number;
  matched: number;
  fired: number;
}

export interface Verdict {
  delay: number;
  fault?: FaultRule;
}

/** Decides which faults hit a call. Each rule has its own random numbers, so rules do not affect each other. */
export class FaultInjector {
  #seed = 1;
  #active: ActiveRule[] = [];

  set(faults: Faults): void {
    const { rules, seed } = faultsSchema.parse(faults);
    this.#seed = seed;
    this.#active = rules.map((rule, index) => ({ rule, random: randomNumbers(seed, index), matched: 0, fired: 0 }));
  }

  clear(): void {
    this.set({ rules: [] });
  }

  report(): { seed: number; rules: (FaultRule & { matched: number; fired: number })[] } {
    return { seed: this.#seed, rules: this.#active.map(({ rule, matched, fired }) => ({ ...rule, matched, fired })) };
  }

  /** The delays of all firing rules add up; among other faults, the first wins. */
  decide(operation: string, method: string): Verdict {
    const verdict: Verdict = { delay: 0 };
    for (const active of this.#active) {
      if (verdict.fault && active.rule.kind !== "latency") continue;
      if (!appliesTo(active.rule, operation, method) || !fires(active)) continue;
      verdict.delay += active.rule.latencyMs;
      if (active.rule.kind !== "latency") verdict.fault = active.rule;
    }
    return verdict;
  }
}

function appliesTo(rule: FaultRule, operation: string, method: string): boolean {
  if (rule.method !== undefined && rule.method !== method) return false;
  const names = typeof rule.operation === "string" ? [rule.operation] : rule.operation;
  return names.includes("*") || names.includes(operation);
}

function fires(active: ActiveRule): boolean {
  const { rule } = active;
  active.matched += 1;
  if (rule.times !== undefined && active.fired >= rule.times) return false;
  if (rule.nth !== undefined && ![rule.nth].flat().includes(active.matched)) return false;
  if (rule.probability !== undefined && active.random() >= rule.probability) return false;
  active.fired += 1;
  return true;
}

/** Whether the operation runs even though the fault replaces its answer. */
export function worksFirst(rule: FaultRule): boolean {
  if (rule.work) return rule.work === "do";
  return rule.kind === "reset-after" || rule.kind === "truncated";
}

/** mulberry32: small, and the same on every machine. */
function randomNumbers(seed: number, stream: number): () => number {
  let state = (seed * 0x9e3779b1 + stream * 0x85ebca6b) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
