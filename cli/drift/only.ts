import { oneOf } from "../errors";
import { plural } from "../terminal/plural";
import { type DriftReport, type Status, statuses, titles } from "./report";

/** Everything not as declared, including unreadable resources, which may differ too. */
const differences: readonly Status[] = ["drifted", "gone", "error"];
const words = ["differences", ...statuses] as const;

/** Parses `--only`: `differences` or statuses, separated by commas or given as repeated options. */
export function readOnly(values: readonly string[]): readonly Status[] | undefined {
  if (values.length === 0) return undefined;
  const chosen = values
    .flatMap((value) => value.split(","))
    .map((word) => oneOf("--only", word.trim(), words))
    .flatMap((word) => (word === "differences" ? differences : [word]));
  return statuses.filter((status) => chosen.includes(status));
}

/** The report with only some resources listed. Counts, headline and exit code still cover the whole stack. */
export function listOnly(report: DriftReport, only: readonly Status[] | undefined): DriftReport {
  if (!only) return report;
  return {
    ...report,
    only: only.filter((status) => report.only?.includes(status) ?? true),
    resources: report.resources.filter(({ status }) => only.includes(status)),
  };
}

/** Says how many resources the filter hides; undefined if none. */
export function leftOut({ only, summary, resources }: DriftReport): string | undefined {
  const hidden = summary.resources - resources.length;
  if (!only || hidden === 0) return undefined;
  const listed = only.map((status) => titles[status]).join(", ") || "nothing";
  return `${plural(hidden, "resource")} not listed (only ${listed})`;
}
