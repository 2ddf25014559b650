import { htmlReport } from "../../../cli/report/html";
import { markdownReport } from "../../../cli/report/markdown";
import type { Findings, Report } from "../../../cli/report/model";
import { terminalReport } from "../../../cli/report/terminal";

/** On no terminal: without colours. */
export const table = (report: Findings): string => terminalReport(report, {});

export const formatsOf = (report: Report): string[] => [table(report), markdownReport(report), htmlReport(report)];
