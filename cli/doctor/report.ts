import { plural } from "../terminal/plural";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import { areas, countOf, type Finding, type Verdict } from "./finding";

const marks: Readonly<Record<Verdict, string>> = { ok: "✓", info: "·", warning: "!", problem: "✗" };

export function textReport(findings: readonly Finding[], stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  const width = findings.reduce((widest, { what }) => Math.max(widest, what.length), 0);
  const lines = areas.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [style.bold(area), ...own.flatMap((finding) => rows(finding, width, style)), ""];
  });
  return `${[...lines, ending(findings, style)].join("\n")}\n`;
}

function rows({ what, verdict, says, fix }: Finding, width: number, style: Style): string[] {
  const paint = { ok: style.green, info: style.dim, warning: style.yellow, problem: style.red }[verdict];
  const [first, ...rest] = says.split("\n").map(printable);
  const indent = " ".repeat(width + 6);
  return [
    `  ${paint(marks[verdict])} ${printable(what).padEnd(width)}  ${first}`,
    ...rest.map((line) => `${indent}${line.trim()}`),
    ...(fix === undefined ? [] : [`${indent}fix: ${style.cyan(printable(fix))}`]),
  ];
}

function ending(findings: readonly Finding[], style: Style): string {
  const [problems, warnings] = [countOf(findings, "problem"), countOf(findings, "warning")];
  const also = warnings > 0 ? `, ${plural(warnings, "warning")}` : "";
  return problems > 0 ? style.red(`${plural(problems, "problem")}${also}`) : style.green(`No problems${also}`);
}

export function jsonReport(findings: readonly Finding[]): string {
  return `${JSON.stringify({ format: 1, ok: countOf(findings, "problem") === 0, findings }, null, 2)}\n`;
}
