import { asTyped } from "../terminal/as-typed";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import {
  type Findings,
  hasRows,
  headingOf,
  type Line,
  type More,
  type NextStep,
  type Row,
  type Section,
  type Text,
  type Tone,
  written,
} from "./model";

/** For a terminal: the headline and what to do come last, next to the prompt. Nothing is cut. */
export function terminalReport(report: Findings, stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  const sections = report.sections.filter((section) => hasRows(section) && !section.isAside);
  const ordered = report.isRanked ? sections.toReversed() : sections;
  const body = ordered.flatMap((section) => [...sectionLines(section, style), ""]);
  const steps = (report.steps ?? []).filter(({ isFirst }) => isFirst);
  const opening = steps.flatMap((step) => [
    painter("warning", style)(printable(step.text)),
    ...stepLines(step, style),
    "",
  ]);
  return `${[...opening, ...body, ...ending(report, style)].join("\n")}\n`;
}

interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

function sectionLines(section: Section, style: Style): string[] {
  const cells = section.rows.map(cellsOf);
  const header = section.columns
    ?.slice(0, cells[0]!.length)
    .map((title): Cell => ({ text: printable(title).toUpperCase(), tone: "plain" }));
  const widths = widthsOf(header ? [header, ...cells] : cells);
  return [
    style.bold(printable(headingOf(section))),
    ...(header ? [`  ${style.bold(aligned(header, widths, style))}`] : []),
    ...section.rows.flatMap((row, index) => [
      `  ${aligned(cells[index]!, widths, style)}`,
      ...(row.more ?? []).flatMap((one) => moreLines(one, style)).map((line) => `      ${line}`),
    ]),
  ];
}

function cellsOf({ mark, tone, cells }: Row): Cell[] {
  return cells.map((cell, column) => {
    const own = typeof cell === "object" && "tone" in cell ? cell.tone : "plain";
    const text = textOf(cell);
    if (column > 0) return { text, tone: own };
    return { text: mark === undefined ? text : `${mark} ${text}`, tone: tone ?? own };
  });
}

/** The last cell of a row is as long as it is. */
function widthsOf(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, { text }] of row.slice(0, -1).entries())
      widths[column] = Math.max(widths[column] ?? 0, text.length);
  return widths;
}

function aligned(cells: readonly Cell[], widths: readonly number[], style: Style): string {
  return cells
    .map(({ text, tone }, column) => {
      const space = column < cells.length - 1 ? " ".repeat(widths[column]! - text.length + 2) : "";
      return `${painter(tone, style)(text)}${space}`;
    })
    .join("");
}

function moreLines(one: More, style: Style): string[] {
  if ("remark" in one) return [painter(one.tone, style)(textOf(one.remark))];
  if ("command" in one) return [`${one.title === undefined ? "" : `${one.title}: `}${commandText(one.command, style)}`];
  return [style.bold(printable(one.property)), ...one.lines.map((line) => `  ${diffLine(line, style)}`)];
}

function textOf(text: Text): string {
  return written(text, printable);
}

function diffLine({ sign, text }: Line, style: Style): string {
  const paint = { "-": style.red, "+": style.green, " ": style.dim }[sign];
  return paint(`${sign} ${printable(text)}`);
}

function ending(report: Findings, style: Style): string[] {
  const { title, platforms = [], facts = [], legend = [], notes = [], headline, tone, steps = [] } = report;
  const where = platforms.length > 0 ? `${title && " "}against ${platforms.join(", ")}` : "";
  const subject = `${style.bold(printable(title))}${printable(where)}`;
  const known = printable(facts.join("; "));
  return [
    ...notes.map(({ note, tone: own }) => painter(own, style)(printable(note))),
    ...legend.map((line) => style.dim(printable(line))),
    [subject, known].filter(Boolean).join(": "),
    style.bold(painter(tone, style)(printable(headline))),
    ...steps.filter(({ isFirst }) => !isFirst).flatMap((step) => stepLines(step, style)),
  ].filter(Boolean);
}

function stepLines({ title, command }: NextStep, style: Style): string[] {
  return command ? [`  ${printable(title)}: ${commandText(command, style)}`] : [];
}

function commandText(command: string, style: Style): string {
  return style.cyan(printable(asTyped(command)));
}

function painter(tone: Tone = "plain", style: Style): (text: string) => string {
  const paint = { good: style.green, warning: style.yellow, bad: style.red, quiet: style.dim, plain: String };
  return paint[tone];
}
