import { type OutputStream, printable, type Style, styleOf } from "../../terminal/style";
import { nextSteps } from "./next-steps";
import {
  accountTitle,
  type Count,
  type CoverageReport,
  exitCode,
  headline,
  kindTitles,
  percentText,
  stackTitle,
  type Unmanaged,
  unlistedText,
} from "./report";

/** For a terminal: the percentage comes last, next to the prompt. */
export function tableReport(report: CoverageReport, stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  return `${[...things(report, style), ...counts(report, style), ...remarks(report, style), ...ending(report, style)].join("\n")}\n`;
}

function things({ unmanaged, accounts }: CoverageReport, style: Style): string[] {
  if (unmanaged.length === 0) return [];
  const where = ({ account }: Unmanaged) => (accounts.length > 1 ? [printable(accountTitle(accounts[account]!))] : []);
  const cells = unmanaged.map((one) => [one.kind, printable(one.what), printable(one.id ?? ""), ...where(one)]);
  const header = ["not managed", "what", "id", ...(accounts.length > 1 ? ["account"] : [])];
  const [head, ...rows] = aligned([header.map(capitals), ...cells]);
  return [
    style.bold(head!),
    ...unmanaged.flatMap(({ import: adopt, note }, index) => [
      style.yellow(rows[index]!),
      ...(adopt ? [`    ${style.cyan(printable(adopt.command))}`] : []),
      ...(note === undefined ? [] : [style.dim(`    ${printable(note)}`)]),
    ]),
    "",
  ];
}

function counts({ kinds, summary }: CoverageReport, style: Style): string[] {
  const row = (title: string, count: Count) => [
    title,
    String(count.existing),
    String(count.managed),
    String(count.existing - count.managed),
    percentText(count),
  ];
  const all = [
    ["kind", "exist", "managed", "not managed", "coverage"].map(capitals),
    ...kinds.map((count) => row(kindTitles[count.kind], count)),
    row("all", summary),
  ];
  const [head, ...rows] = aligned(all, { numbersFrom: 1 });
  return [style.bold(head!), ...rows.slice(0, -1), style.bold(rows.at(-1)!), ""];
}

function remarks(report: CoverageReport, style: Style): string[] {
  const { unread, cannotBeListed, notCounted, notes } = report;
  const lines = [
    ...unread.map(({ what, why }) => style.red(`not readable: ${printable(`${what}: ${why}`)}`)),
    ...notes.map((note) => style.yellow(`note: ${printable(note)}`)),
    ...cannotBeListed.map((one) => style.dim(`cannot be listed: ${printable(unlistedText(one, report))}`)),
    ...notCounted.map(({ what, why }) => style.dim(`not counted: ${printable(`${what}: ${why}`)}`)),
  ];
  return lines.length > 0 ? [...lines, ""] : [];
}

function ending(report: CoverageReport, style: Style): string[] {
  const { stacks, accounts, unmanaged } = report;
  const isCalm = exitCode(report) === 0 && unmanaged.length === 0;
  return [
    `${style.bold(printable(stacks.map(stackTitle).join(", ")))}: ${stacks.length === 1 ? "the only stack" : `the ${stacks.length} stacks`} looked at`,
    ...accounts.map((account) => {
      const { summary } = account;
      return `${printable(accountTitle(account))}: ${summary.managed} of ${summary.existing} managed (${percentText(summary)})`;
    }),
    isCalm ? style.green(headline(report)) : style.bold(style.yellow(printable(headline(report)))),
    ...nextSteps(report).flatMap(({ title, command }) => (command ? [`  ${title}: ${style.cyan(command)}`] : [])),
  ];
}

function capitals(title: string): string {
  return title.toUpperCase();
}

/** Columns of equal width; those with numbers are aligned to the right. */
function aligned(rows: readonly (readonly string[])[], { numbersFrom = Number.POSITIVE_INFINITY } = {}): string[] {
  const widths = rows[0]!.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]!.length), 0));
  return rows.map((row) =>
    row
      .map((text, column) => (column < numbersFrom ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
}
