import { oneOf } from "../errors";
import { plural } from "../terminal/plural";
import { type DriftReport, type Status, statuses, titles } from "./report";

/** What is not as declared, and what could not be read: that may differ too. */
const differences: readonly Status[] = ["drifted", "gone", "error"];
const words = ["differences", ...statuses] as const;

/** The statuses that `--only` asks for: `differences`, or statuses; several by commas or by several options. */
export function readOnly(values: readonly string[]): readonly Status[] | undefined {
  if (values.length === 0) return undefined;
  const chosen = values
    .flatMap((value) => value.split(","))
    .map((word) => oneOf("--only", word.trim(), words))
    .flatMap((word) => (word === "differences" ? differences : [word]));
  return statuses.filter((status) => chosen.includes(status));
}

/** The report with fewer resources listed. Counts, headline and exit code stay those of the whole stack. */
export function listOnly(report: DriftReport, only: readonly Status[] | undefined): DriftReport {
  if (!only) return report;
  return {
    ...report,
    only: only.filter((status) => report.only?.includes(status) ?? true),
    resources: report.resources.filter(({ status }) => only.includes(status)),
  };
}

/** What a filtered report does not list; undefined when it lists everything. */
export function leftOut({ only, summary, resources }: DriftReport): string | undefined {
  const hidden = summary.resources - resources.length;
  if (!only || hidden === 0) return undefined;
  const shown = only.map((status) => titles[status]).join(", ") || "nothing";
  return `${plural(hidden, "resource")} not listed (only ${shown})`;
}
