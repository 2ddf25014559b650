/** `warning`: works, but may surprise. `problem`: does not work until fixed. */
export type Verdict = "ok" | "info" | "warning" | "problem";

export const areas = ["Tools", "Configuration", "Platform", "Permissions", "Extended API", "Stack"] as const;

export interface Finding {
  readonly area: (typeof areas)[number];
  readonly what: string;
  readonly verdict: Verdict;
  /** Never contains a secret. */
  readonly says: string;
  /** The command or action that fixes it. */
  readonly fix?: string;
}

/** Constructors for the findings of one area. */
export function findingsOf(area: Finding["area"]) {
  return {
    ok: (what: string, says: string): Finding => ({ area, what, verdict: "ok", says }),
    info: (what: string, says: string): Finding => ({ area, what, verdict: "info", says }),
    warning: (what: string, says: string, fix: string): Finding => ({ area, what, verdict: "warning", says, fix }),
    problem: (what: string, says: string, fix: string): Finding => ({ area, what, verdict: "problem", says, fix }),
  };
}

export function countOf(findings: readonly Finding[], verdict: Verdict): number {
  return findings.filter((finding) => finding.verdict === verdict).length;
}
