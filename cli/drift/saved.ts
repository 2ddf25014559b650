import { z } from "zod";
import { readJson } from "../files";
import { CoverageReport } from "./coverage/report";
import { DriftReport } from "./report";

/** Reads a report saved with `--format json`, of either kind. */
export function loadReport(file: string): DriftReport | CoverageReport {
  const json = readJson(`the report ${file}`, file);
  const parsed = (isCoverage(json) ? CoverageReport : DriftReport).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Error(
    `${file} is not a report from "dataplatform drift --format json":\n${z.prettifyError(parsed.error).slice(0, 500)}`,
  );
}

export function isCoverage(report: unknown): report is CoverageReport {
  return typeof report === "object" && report !== null && "report" in report && report.report === "coverage";
}
