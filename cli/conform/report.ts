import type { Readings } from "../../emulator/readings";
import { plural } from "../terminal/plural";
import type { LeftBehind } from "./cleanup";
import type { Findings, OperationReport, Verdict } from "./findings";
import { usualReason } from "./undetermined";

export interface ConformReport {
  readonly format: 1;
  readonly tool: string;
  readonly platform: string;
  readonly account: string | undefined;
  readonly checkedAt: string;
  readonly mode: "read" | "write";
  readonly operations: readonly OperationReport[];
  readonly readings: Partial<Readings>;
  /** Readings that were not determined, and why. */
  readonly open: Readonly<Record<string, string>>;
  /** What the run changes for good; announced before anything was sent. */
  readonly announced: readonly string[];
  /** What it could not remove. */
  readonly leftBehind: readonly LeftBehind[];
}

export interface Circumstances {
  readonly tool: string;
  readonly platform: string;
  readonly account: string | undefined;
  readonly writes: boolean;
  readonly announced: readonly string[];
  readonly leftBehind: readonly LeftBehind[];
}

export function reportOf(findings: Findings, { writes, ...rest }: Circumstances, now = new Date()): ConformReport {
  return {
    format: 1,
    tool: rest.tool,
    platform: rest.platform,
    account: rest.account,
    checkedAt: `${now.toISOString().slice(0, 19)}Z`,
    mode: writes ? "write" : "read",
    operations: findings.report(),
    readings: findings.readings(),
    open: findings.open(usualReason(writes)),
    announced: rest.announced,
    leftBehind: rest.leftBehind,
  };
}

export const verdicts: readonly Verdict[] = [
  "deviates",
  "as-specified",
  "there",
  "lacking",
  "not-allowed",
  "not-tried",
];

export const titles: Readonly<Record<Verdict, string>> = {
  deviates: "deviates",
  "as-specified": "as specified",
  there: "there",
  lacking: "lacking",
  "not-allowed": "not allowed",
  "not-tried": "not tried",
};

export const countOf = ({ operations }: ConformReport, verdict: Verdict): number =>
  operations.filter((each) => each.verdict === verdict).length;

export function headline(report: ConformReport): string {
  const deviations = report.operations.flatMap((each) => each.deviations);
  const needed = deviations.filter(({ provider }) => provider === "needs this").length;
  if (report.leftBehind.length > 0) return `${plural(report.leftBehind.length, "thing")} could not be removed`;
  if (deviations.length === 0) return "No deviations from the specification";
  // The counts of the report are of operations, and one can deviate in several ways.
  const where = plural(countOf(report, "deviates"), "operation");
  return `${plural(deviations.length, "deviation")} in ${where}: the provider copes with ${deviations.length - needed}, and needs ${needed} to be as specified`;
}

/** 0 as specified, 2 deviations, 1 something could not be removed. */
export function exitCode(report: ConformReport): number {
  if (report.leftBehind.length > 0) return 1;
  return countOf(report, "deviates") > 0 ? 2 : 0;
}
