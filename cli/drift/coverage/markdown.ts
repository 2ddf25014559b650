import { type Kind, kinds } from "../../inventory/kinds";
import { bytes, clip, code, escaped, longestComment, longestLine } from "../../report/markdown-text";
import { nextSteps } from "./next-steps";
import {
  accountTitle,
  type CoverageReport,
  headline,
  kindTitles,
  percentText,
  stackTitle,
  type Unmanaged,
  unlistedText,
} from "./report";

/** Reserved for section markup and the "left out" lines. */
const markupReserve = 4_000;
/** The largest share of the remaining space that one section may use, to leave room for the next. */
const share = 0.8;
const maxStacks = 20;
const maxRemarks = 40;

/** For a pull-request or issue comment: the percentage first, details collapsed, within the size limit. */
export function markdownReport(report: CoverageReport): string {
  const head = `${heading(report)}\n${remarks(report)}`;
  let left = longestComment - bytes(head) - markupReserve;
  const sections = kinds.flatMap((kind) => {
    const own = report.unmanaged.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const text = section(kind, own, report, left * share);
    left -= bytes(text);
    return [text];
  });
  return [heading(report), ...sections, remarks(report)].join("\n");
}

function heading(report: CoverageReport): string {
  const { stacks, accounts, summary, checkedAt, tool } = report;
  const steps = nextSteps(report).map(({ title, text, command }) =>
    command ? `- ${title}: ${code(command)}` : `- ${title}. ${escaped(text)}`,
  );
  const rows = [
    ...report.kinds.map((count) => ({ title: kindTitles[count.kind], count })),
    { title: "**all**", count: summary },
  ];
  return [
    "## Data platform coverage",
    "",
    `**${escaped(headline(report))}**`,
    "",
    "| kind | exist | managed | coverage |",
    "|---|---:|---:|---:|",
    ...rows.map(({ title, count }) => `| ${title} | ${count.existing} | ${count.managed} | ${percentText(count)} |`),
    "",
    `Stacks looked at: ${limited(
      stacks.map((one) => code(stackTitle(one))),
      maxStacks,
    )}. Accounts: ${limited(
      accounts.map((one) => `${code(accountTitle(one))} ${percentText(one.summary)}`),
      maxStacks,
    )}. Checked ${checkedAt} by ${code(tool)}.`,
    "",
    ...(steps.length > 0 ? ["**What to do next**", "", ...steps, ""] : []),
  ].join("\n");
}

function limited(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : "";
  return texts.length === 0 ? "none" : `${texts.slice(0, most).join(", ")}${more}`;
}

function section(kind: Kind, things: readonly Unmanaged[], report: CoverageReport, budget: number): string {
  const blocks: string[] = [];
  let left = budget;
  for (const thing of things) {
    const text = block(thing, report);
    left -= bytes(text) + 1;
    if (left < 0) break;
    blocks.push(text);
  }
  const omitted = things.length - blocks.length;
  return [
    `<details open><summary>${kindTitles[kind]}: ${things.length} not managed</summary>`,
    "",
    ...blocks,
    ...(omitted > 0
      ? [
          `\n… and ${omitted} more, left out to keep this short. The whole report: \`dataplatform drift --coverage --format html\`.`,
        ]
      : []),
    "",
    "</details>",
    "",
  ].join("\n");
}

function block({ what, id, import: adopt, note, account }: Unmanaged, { accounts }: CoverageReport): string {
  const where = accounts.length > 1 ? ` in ${code(accountTitle(accounts[account]!))}` : "";
  const command = adopt ? `: ${code(adopt.command)}` : "";
  return `- ${code(what)}${id === undefined ? "" : ` (${code(id)})`}${where}${command}${note === undefined ? "" : `; ${escaped(clip(note, longestLine))}`}`;
}

/** What the percentage does not cover. */
function remarks(report: CoverageReport): string {
  const { unread, cannotBeListed, notCounted, notes } = report;
  const lines = [
    ...unread.map(({ what, why }) => `not readable: ${what}: ${why}`),
    ...notes.map((note) => `note: ${note}`),
    ...cannotBeListed.map((one) => `cannot be listed: ${unlistedText(one, report)}`),
    ...notCounted.map(({ what, why }) => `not counted: ${what}: ${why}`),
  ];
  const more = lines.length > maxRemarks ? [`- … and ${lines.length - maxRemarks} more`] : [];
  return [
    `<details${unread.length > 0 ? " open" : ""}><summary>What the percentage does not cover</summary>`,
    "",
    ...lines.slice(0, maxRemarks).map((line) => `- ${escaped(clip(line, longestLine))}`),
    ...more,
    "",
    "</details>",
    "",
  ].join("\n");
}
