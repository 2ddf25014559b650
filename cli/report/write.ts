import { writeFileSync } from "node:fs";
import { oneOf } from "../errors";
import { htmlReport } from "./html";
import { markdownReport } from "./markdown";
import type { Report } from "./model";
import { terminalReport } from "./terminal";

/** Where a report goes, and in which format. */
export interface Destination {
  readonly format: Format;
  /** Undefined to print it. */
  readonly output: string | undefined;
}
type Format = "table" | "json" | "markdown" | "html";

/** `--format` and `--output`, for parseArgs. */
export const destinationOptions = {
  format: { type: "string", default: "table" },
  output: { type: "string", short: "o" },
} as const;

export function destinationIn(
  { format, output }: { readonly format: string; readonly output?: string | undefined },
  formats: readonly Format[] = ["table", "json", "markdown", "html"],
): Destination {
  return { format: oneOf("--format", format, formats), output };
}

/** `json`: the report as data, whose form is a promise; people read the other formats. */
export function writeReport(
  report: Report,
  { format, output }: Destination,
  { json, html = htmlReport }: { readonly json: () => string; readonly html?: (report: Report) => string },
): void {
  const formats = {
    table: () => terminalReport(report, output === undefined ? process.stdout : {}),
    json,
    markdown: () => markdownReport(report),
    html: () => html(report),
  };
  const text = formats[format]();
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  writeFileSync(output, text);
  process.stderr.write(`${report.headline}; report written to ${output}\n`);
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
