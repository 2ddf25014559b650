import { plural } from "../terminal/plural";
import type { LeftBehind } from "./cleanup";
import type { Verdict } from "./findings";
import type { Session } from "./session";
import { usualReason } from "./undetermined";

export type ConformReport = ReturnType<typeof reportOf>;

export function reportOf(session: Session, leftBehind: readonly LeftBehind[]) {
  const { options, facts, cleanup } = session;
  const writes = options.write !== undefined;
  return {
    format: 1,
    tool: options.tool,
    platform: options.settings.baseUrl,
    account: facts.account?.id,
    checkedAt: `${new Date().toISOString().slice(0, 19)}Z`,
    mode: writes ? "write" : "read",
    operations: session.operations(),
    readings: session.readings(),
    /** Readings that were not determined, and why. */
    open: session.openReadings((name) => usualReason(name, writes)),
    /** What the run changes for good; announced before anything was sent. */
    announced: [...cleanup.stayed],
    /** What it could not remove. */
    leftBehind,
  } as const;
}

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
