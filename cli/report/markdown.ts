import { printable } from "../terminal/style";
import {
  hasRows,
  headingOf,
  type Line,
  type More,
  type Report,
  type Row,
  type Section,
  type Text,
  written,
} from "./model";

/** Size limit of a pull-request comment. Measured in bytes, which are never fewer than characters. */
export const longestComment = 65_536;
const longestText = 400;
const longestDiff = 60;
/** Reserved for the markup of sections and the "left out" lines. */
const markupReserve = 3_000;
/** The largest share of the remaining space that one section may use, to leave room for the next. */
const share = 0.8;
const mostPlatforms = 5;
const mostSteps = 10;

/** For a pull-request or issue comment: the headline first, details collapsed, within the size limit. */
export function markdownReport(report: Report): string {
  const head = heading(report);
  const shown = [...notesOf(report), ...report.sections.filter(hasRows)];
  let left = longestComment - bytes(head) - markupReserve;
  const texts: string[] = [];
  for (const [index, section] of shown.entries()) {
    const text = sectionText(section, left * share, report.whole);
    if (text === undefined) return [head, ...texts, leftOut(shown.length - index, report.whole), ""].join("\n");
    left -= bytes(text) + 1;
    texts.push(text);
  }
  return [head, ...texts].join("\n");
}

function heading(report: Report): string {
  const { about, title, headline, checkedAt, tool, platforms = [], facts = [], legend = [], steps = [] } = report;
  const where = platforms.length > 0 ? ` against ${platforms.slice(0, mostPlatforms).map(code).join(", ")}` : "";
  const said = [...facts, ...legend].map((fact) => ` ${prose(fact)}.`).join("");
  const todo = steps
    .slice(0, mostSteps)
    .map(({ title: step, text, command }) =>
      command ? `- ${prose(step)}: ${code(command)}` : `- ${prose(step)}. ${prose(text)}`,
    );
  return [
    `## ${about}${title ? `: ${code(title)}` : ""}`,
    "",
    `**${escaped(headline)}**`,
    "",
    `Checked ${checkedAt}${where} by ${code(tool)}.${said}`,
    "",
    ...(todo.length > 0 ? ["**What to do next**", "", ...todo, ""] : []),
  ].join("\n");
}

function notesOf({ notes = [] }: Report): Section[] {
  const rows = notes.map(({ note }) => ({ cells: [note] }));
  return rows.length > 0 ? [{ title: "Notes", rows, isOpen: notes.some(({ tone }) => tone !== "quiet") }] : [];
}

/** Undefined if there is no room for any of its rows. */
function sectionText(section: Section, budget: number, whole: string): string | undefined {
  const { columns, rows, isOpen } = section;
  const lines: string[] = [];
  let left = budget - longestText;
  for (const [index, row] of rows.entries()) {
    const text = columns ? tableLine(row, columns) : listItem(row, rows[index - 1]);
    left -= bytes(text) + 1;
    if (left < 0) break;
    lines.push(text);
  }
  if (lines.length === 0) return undefined;
  const omitted = rows.length - lines.length;
  return [
    `<details${isOpen ? " open" : ""}><summary>${prose(headingOf(section))}</summary>`,
    "",
    ...(columns ? [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`] : []),
    ...lines,
    ...(omitted > 0 ? [leftOut(omitted, whole)] : []),
    "",
    "</details>",
    "",
  ].join("\n");
}

function leftOut(count: number, whole: string): string {
  return `\n… and ${count} more, left out to keep this short. The whole report: ${code(whole)}.`;
}

/** What is said about the row goes to the column after its cells. */
function tableLine({ cells, more = [] }: Row, columns: readonly string[]): string {
  const remarks = more.map((one) => moreText(one)).join("<br>");
  const all = [...cells.map(textOf), ...(columns.length > cells.length ? [remarks] : [])];
  // A cell border ends even a code span.
  return `| ${all.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Rows often have the same reason as the one before; it is said once. */
function listItem({ cells, more = [] }: Row, before: Row | undefined): string {
  const known = new Set(before?.more?.map((one) => JSON.stringify(one)));
  const below = more.flatMap((one) => {
    if ("remark" in one && known.has(JSON.stringify(one))) return [];
    return ["lines" in one ? fenced(one) : `  - ${moreText(one)}`];
  });
  return [`- ${cells.map(textOf).join(" ")}`, ...below].join("\n");
}

function moreText(one: More): string {
  if ("remark" in one) return textOf(one.remark);
  if ("command" in one) return `${one.title === undefined ? "" : `${one.title}: `}${code(one.command)}`;
  return code(one.property);
}

function fenced({ property, lines }: { readonly property: string; readonly lines: readonly Line[] }): string {
  const all: Line[] = [{ sign: " ", text: `${property}:` }, ...lines];
  const visible = all
    .slice(0, longestDiff)
    .map(({ sign, text }) => `${sign} ${clip(printable(text), longestText)}`.trimEnd());
  if (all.length > longestDiff) visible.push(`  … ${all.length - longestDiff} more lines`);
  const fence = "`".repeat(Math.max(3, longestRun(visible.join("\n")) + 1));
  return ["", `${fence}diff`, ...visible, fence].map((line) => (line ? `  ${line}` : line)).join("\n");
}

function textOf(text: Text): string {
  return written(text, prose, code);
}

/** Untrusted text verbatim: a code span disables markup and @mentions. */
function code(text: string): string {
  const plain = clip(printable(text), longestText) || " ";
  const fence = "`".repeat(longestRun(plain) + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

function prose(text: string): string {
  return escaped(clip(text, longestText));
}

/** Untrusted text between our own, such as the name of an account in a headline. */
function escaped(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>&@#|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
