import type { Findings, Row, Tone } from "../report/model";
import { plural } from "../terminal/plural";

/** `warning`: works, but may surprise. `problem`: does not work until fixed. */
export type Verdict = "ok" | "info" | "warning" | "problem";

const areas = ["Tools", "Configuration", "Platform", "Permissions", "Extended API", "Stack"] as const;

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

const looks: Readonly<Record<Verdict, { readonly mark: string; readonly tone: Tone }>> = {
  ok: { mark: "✓", tone: "good" },
  info: { mark: "·", tone: "quiet" },
  warning: { mark: "!", tone: "warning" },
  problem: { mark: "✗", tone: "bad" },
};

export function readable(findings: readonly Finding[]): Findings {
  const [problems, warnings] = [countOf(findings, "problem"), countOf(findings, "warning")];
  const also = warnings > 0 ? `, ${plural(warnings, "warning")}` : "";
  return {
    title: "",
    headline: `${problems > 0 ? plural(problems, "problem") : "No problems"}${also}`,
    tone: problems > 0 ? "bad" : "good",
    sections: areas.map((title) => ({ title, rows: findings.filter(({ area }) => area === title).map(rowOf) })),
  };
}

function rowOf({ what, verdict, says, fix }: Finding): Row {
  const [first = "", ...rest] = says.split("\n");
  return {
    ...looks[verdict],
    cells: [what, first],
    more: [
      ...rest.map((line) => ({ remark: line.trim() })),
      ...(fix === undefined ? [] : [{ title: "fix", command: fix }]),
    ],
  };
}
