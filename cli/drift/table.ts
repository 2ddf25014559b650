import { plural } from "../terminal/plural";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import { type Line, linesOf } from "./lines";
import { nextSteps } from "./next-steps";
import { leftOut } from "./only";
import { type DriftReport, headline, type ResourceReport, type Status, statuses, titles } from "./report";

const marks: Readonly<Record<Status, string>> = {
  drifted: "≠",
  gone: "✗",
  error: "!",
  unverifiable: "?",
  "as-declared": "✓",
};

/** For a terminal: the most important rows come last, next to the prompt. */
export function tableReport(report: DriftReport, stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  const rows = [...statuses].reverse().flatMap((status) => report.resources.filter((each) => each.status === status));
  return `${[...table(rows, style), ...ending(report, style)].join("\n")}\n`;
}

function table(resources: readonly ResourceReport[], style: Style): string[] {
  if (resources.length === 0) return [];
  const lost = resources.some((resource) => resource.lost !== undefined);
  const cells = resources.map((resource) => [
    `${marks[resource.status]} ${titles[resource.status]}`,
    printable(resource.type),
    printable(resource.name),
    printable(resource.id),
    ...(lost ? [printable(resource.lost ?? "")] : []),
  ]);
  const header = ["STATUS", "TYPE", "NAME", "ID", ...(lost ? ["LOST"] : [])];
  const widths = header.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), title.length),
  );
  const row = (texts: readonly string[]): string =>
    texts
      .map((text, column) => text.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  return [
    style.bold(row(header)),
    ...resources.flatMap((resource, index) => {
      const paint = painter(resource.status, style);
      return [paint(row(cells[index]!)), ...details(resource, style)];
    }),
    "",
  ];
}

function details({ reason, properties = [], status }: ResourceReport, style: Style): string[] {
  const reasonLines = reason === undefined ? [] : [`    ${printable(reason)}`];
  const styledReason = status === "error" ? reasonLines : reasonLines.map((text) => style.dim(text));
  return [
    ...styledReason,
    ...properties.flatMap((property) => [
      `    ${style.bold(printable(property.property))}`,
      ...linesOf(property).map((line) => `      ${paintLine(line, style)}`),
    ]),
  ];
}

function paintLine({ sign, text }: Line, style: Style): string {
  const line = `${sign} ${text}`;
  if (sign === " ") return style.dim(line);
  return sign === "-" ? style.red(line) : style.green(line);
}

function ending(report: DriftReport, style: Style): string[] {
  const { summary, project, stack, platforms, otherResources } = report;
  const counts = statuses
    .filter((status) => summary[status] > 0)
    .map((status) => painter(status, style)(`${summary[status]} ${titles[status]}`));
  const differ = summary.drifted + summary.gone + summary.error > 0;
  const where = platforms.length > 0 ? ` against ${printable(platforms.join(", "))}` : "";
  const others = otherResources > 0 ? `; ${plural(otherResources, "resource")} of other providers not checked` : "";
  const hidden = leftOut(report);
  const legend = report.resources.some(({ status }) => status === "drifted")
    ? [style.dim("- declared   + on the platform")]
    : [];
  return [
    ...legend,
    ...(hidden ? [style.dim(hidden)] : []),
    `${style.bold(printable(`${project}/${stack}`))}${where}: ${counts.join(", ") || "nothing to check"}${others}`,
    differ ? style.bold(style.yellow(printable(headline(report)))) : style.green(headline(report)),
    ...nextSteps(report).flatMap(({ title, command }) => (command ? [`  ${title}: ${style.cyan(command)}`] : [])),
  ];
}

function painter(status: Status, style: Style): (text: string) => string {
  if (status === "as-declared") return style.green;
  if (status === "unverifiable") return style.dim;
  return status === "drifted" ? style.yellow : style.red;
}
