import { printable } from "../terminal/style";
import type { OperationReport } from "./findings";
import { type ConformReport, countOf, headline, titles, verdicts } from "./report";

/** For an issue or a pull request: deviations first, then every operation, then the readings. */
export function markdownReport(report: ConformReport): string {
  const deviating = report.operations.filter(({ deviations }) => deviations.length > 0);
  const account = report.account === undefined ? "" : `, account ${code(report.account)}`;
  return [
    `## Data platform: ${code(report.platform)}${account}`,
    "",
    `**${escaped(headline(report))}**`,
    "",
    `Checked ${report.checkedAt} by ${code(report.tool)}, ${report.mode === "write" ? "reading and writing" : "reading only"}.`,
    "",
    ...table(
      ["Result", "Operations"],
      verdicts.map((verdict) => [titles[verdict], String(countOf(report, verdict))]),
    ),
    ...deviations(deviating),
    ...list(
      "Could not be removed",
      report.leftBehind.map(({ what, why }) => `${escaped(what)}: ${escaped(why)}`),
    ),
    ...list("Stays, as announced", report.announced.map(escaped)),
    ...operations(
      "Specified operations",
      report.operations.filter(({ extended }) => !extended),
    ),
    ...operations(
      "Extended operations",
      report.operations.filter(({ extended }) => extended),
    ),
    ...readings(report),
  ].join("\n");
}

function deviations(operationsWithSome: readonly OperationReport[]): string[] {
  const rows = operationsWithSome.flatMap(({ request, deviations: all }) =>
    all.map(({ what, section, provider }) => [code(request), escaped(what), section, provider]),
  );
  return rows.length === 0
    ? []
    : ["### Deviations", "", ...table(["Request", "What deviates", "Section", "The provider"], rows)];
}

function operations(title: string, all: readonly OperationReport[]): string[] {
  const rows = all.map(({ request, verdict, section, readings: found, notes }) => [
    code(request),
    section,
    titles[verdict],
    [...Object.entries(found).map(([name, value]) => code(`${name}=${value}`)), ...notes.map(escaped)].join("; "),
  ]);
  return [
    "<details>",
    `<summary>${title}</summary>`,
    "",
    ...table(["Request", "Section", "Result", "Found out"], rows),
    "</details>",
    "",
  ];
}

function readings({ readings: known, open }: ConformReport): string[] {
  const rows = Object.entries(known).map(([name, value]) => [code(name), code(String(value))]);
  const unknown = Object.entries(open).map(([name, why]) => [code(name), escaped(why)]);
  return [
    "### Readings",
    "",
    ...(rows.length > 0 ? table(["Reading", "Value"], rows) : ["None was determined.", ""]),
    ...(unknown.length > 0
      ? ["<details>", "<summary>Open</summary>", "", ...table(["Reading", "Why"], unknown), "</details>", ""]
      : []),
  ];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line), ""];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, "", ...items.map((item) => `- ${item}`), ""];
}

/** No backtick and no cell border can end the span: neither may be part of what we show. */
function code(text: string): string {
  return `\`${printable(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function escaped(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>&@#|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}
