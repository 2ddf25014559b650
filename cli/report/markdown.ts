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
/** Reserved for the line that says how many sections are left out. */
const reserve = 1_000;
/** The largest share of the remaining space that one section may use, to leave room for the next. */
const share = 0.8;
const shareOfNotes = 0.25;
const mostPlatforms = 5;
const mostSteps = 10;

/** For a pull-request or issue comment: the headline first, details collapsed, within the size limit. */
export function markdownReport(report: Report): string {
  const texts = [heading(report)];
  let left = longestComment - bytes(texts[0]!) - reserve;
  const add = (section: Section, part: number): boolean => {
    const text = sectionText(section, left * part, report.whole);
    if (text === undefined) return false;
    left -= bytes(text) + 1;
    texts.push(text);
    return true;
  };
  for (const notes of notesOf(report)) add(notes, shareOfNotes);
  const sections = report.sections.filter(hasRows);
  const end = sections.findIndex((section) => !add(section, share));
  if (end >= 0) texts.push(leftOut(sections.length - end, report.whole), "");
  return texts.join("\n");
}

function heading(report: Report): string {
  const { about, title, headline, checkedAt, tool, platforms = [], facts = [], legend = [], steps = [] } = report;
  const where =
    platforms.length > 0
      ? ` against ${platforms
          .slice(0, mostPlatforms)
          .map((one) => code(one))
          .join(", ")}`
      : "";
  const said = [...facts, ...legend].map((fact) => ` ${prose(fact)}.`).join("");
  const todo = steps
    .slice(0, mostSteps)
    .map(({ title: step, text, command }) =>
      command ? `- ${prose(step)}: ${code(command)}` : `- ${prose(step)}. ${prose(text)}`,
    );
  return [
    `## ${prose(about)}${title ? `: ${code(title)}` : ""}`,
    "",
    `**${prose(headline)}**`,
    "",
    `Checked ${prose(checkedAt)}${where} by ${code(tool)}.${said}`,
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
  const opening = [
    `<details${isOpen ? " open" : ""}><summary>${prose(headingOf(section))}</summary>`,
    "",
    ...(columns ? [`| ${columns.map(prose).join(" | ")} |`, `|${"---|".repeat(columns.length)}`] : []),
  ];
  const closing = ["", "</details>", ""];
  const lines: string[] = [];
  let left = budget - bytes([...opening, leftOut(rows.length, whole), ...closing].join("\n"));
  for (const [index, row] of rows.entries()) {
    const text = columns ? tableLine(row, columns) : listItem(row, rows[index - 1]);
    left -= bytes(text) + 1;
    if (left < 0) break;
    lines.push(text);
  }
  if (lines.length === 0) return undefined;
  const omitted = rows.length - lines.length;
  return [...opening, ...lines, ...(omitted > 0 ? [leftOut(omitted, whole)] : []), ...closing].join("\n");
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
    .map(({ sign, text }) => `${sign} ${clip(tamed(printable(text)), longestText)}`.trimEnd());
  if (all.length > longestDiff) visible.push(`  … ${all.length - longestDiff} more lines`);
  const fence = fenceFor(visible.join("\n"));
  return ["", `${fence}diff`, ...visible, fence].map((line) => (line ? `  ${line}` : line)).join("\n");
}

function textOf(text: Text): string {
  return written(text, prose, code);
}

/** Untrusted text verbatim: a code span disables markup and @mentions. */
export function code(text: string, longest = longestText): string {
  const plain = isolated(clip(tamed(printable(text)), longest)) || " ";
  const fence = "`".repeat(longestRun(plain) + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** Untrusted text between our own, such as the name of an account in a headline. */
export const prose = (text: string): string => escaped(clip(printable(text), longestText));

/** The same, however long. */
export const inFull = (text: string): string => escaped(printable(text));

/**
 * Forges look for `@name`, `#1` and addresses after the escapes, and make links of them: a space of no width prevents it.
 * An e-mail address names nobody.
 */
function escaped(text: string): string {
  return isolated(text)
    .replace(/[\\`*_[\]<>&@#|~$]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#35;|(?<!\w)&#64;|:(?=\/\/)|\bwww(?=\.)/gi, "$&&#8203;");
}

/** Letters that run from right to left would take our own words along: they stay among themselves. */
function isolated(text: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text;
}

/** GitHub gives up on a fence of more than 80 backticks, and the text would be markup: long runs are told, not shown. */
export function tamed(text: string): string {
  return text.replace(/`{20,}/g, (run) => `(${run.length} backticks)`);
}

/** A fence that the text, which is tamed, cannot close. */
export function fenceFor(text: string): string {
  return "`".repeat(Math.max(3, longestRun(text) + 1));
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
