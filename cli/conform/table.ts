import { plural } from "../terminal/plural";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import type { OperationReport, Verdict } from "./findings";
import { type ConformReport, countOf, headline, titles, verdicts } from "./report";

const marks: Readonly<Record<Verdict, string>> = {
  deviates: "≠",
  "as-specified": "✓",
  there: "✓",
  lacking: "-",
  "not-allowed": "!",
  "not-tried": "?",
};

/** For a terminal: one line for each operation, and below it what was found out. */
export function tableReport(report: ConformReport, stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  const specified = report.operations.filter(({ extended }) => !extended);
  const extended = report.operations.filter((each) => each.extended);
  return `${[
    ...section("Specified operations", specified, style),
    ...section("Extended operations", extended, style),
    ...leftBehind(report, style),
    ...ending(report, style),
  ].join("\n")}\n`;
}

function section(title: string, operations: readonly OperationReport[], style: Style): string[] {
  const widest = (of: (each: OperationReport) => string) =>
    operations.reduce((width, each) => Math.max(width, of(each).length), 0);
  const widths = [widest(status), widest(({ request }) => request)] as const;
  return [style.bold(title), ...operations.flatMap((each) => rows(each, widths, style)), ""];
}

const status = ({ verdict }: OperationReport): string => `${marks[verdict]} ${titles[verdict]}`;

function rows(each: OperationReport, [first, second]: readonly [number, number], style: Style): string[] {
  const head = `  ${painter(each.verdict, style)(status(each).padEnd(first))}  ${each.request.padEnd(second)}  ${each.section}`;
  const readings = Object.entries(each.readings).map(([name, value]) => `${name}=${value}`);
  return [
    head,
    ...each.deviations.map(
      ({ what, section, provider }) =>
        `      ${style.yellow(`deviates: ${printable(what)}`)} (${section}); the provider ${provider}`,
    ),
    ...(readings.length > 0 ? [`      reading: ${style.cyan(readings.join(", "))}`] : []),
    ...each.notes.map((note) => `      ${style.dim(printable(note))}`),
  ];
}

function leftBehind({ leftBehind: left, announced }: ConformReport, style: Style): string[] {
  return [
    ...(announced.length > 0
      ? [style.bold("Stays, as announced"), ...announced.map((one) => `  ${printable(one)}`), ""]
      : []),
    ...(left.length > 0
      ? [
          style.bold("Could not be removed"),
          ...left.map(({ what, why }) => `  ${style.red(printable(what))}: ${printable(why)}`),
          "",
        ]
      : []),
  ];
}

function ending(report: ConformReport, style: Style): string[] {
  const counts = verdicts
    .filter((verdict) => countOf(report, verdict) > 0)
    .map((verdict) => painter(verdict, style)(`${countOf(report, verdict)} ${titles[verdict]}`));
  const known = Object.keys(report.readings).length;
  const open = Object.keys(report.open).length;
  const account = report.account === undefined ? "" : `, account ${printable(report.account)}`;
  const fine = countOf(report, "deviates") === 0 && report.leftBehind.length === 0;
  return [
    `${printable(report.platform)}${account}: ${counts.join(", ")}`,
    `${plural(known, "reading")} determined, ${open} open`,
    fine ? style.green(headline(report)) : style.bold(style.yellow(headline(report))),
  ];
}

function painter(verdict: Verdict, style: Style): (text: string) => string {
  if (verdict === "deviates") return style.yellow;
  if (verdict === "not-allowed") return style.red;
  return verdict === "as-specified" || verdict === "there" ? style.green : style.dim;
}
