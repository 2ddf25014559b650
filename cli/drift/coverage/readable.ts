import { kinds } from "../../inventory/kinds";
import { code, type Note, type Report, type Row, type Section } from "../../report/model";
import { plural } from "../../terminal/plural";
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

export function readable(report: CoverageReport): Report {
  const { stacks, accounts, checkedAt, tool } = report;
  return {
    about: "Data platform coverage",
    title: stacks.map(stackTitle).join(", "),
    headline: headline(report),
    tone: exitCode(report) === 1 ? "bad" : exitCode(report) === 2 || report.unmanaged.length > 0 ? "warning" : "good",
    checkedAt,
    tool,
    platforms: [...new Set(accounts.map(({ platform }) => platform))],
    facts: [`${stacks.length === 1 ? "the only stack" : plural(stacks.length, "stack")} looked at`],
    notes: notesOf(report),
    lists: "In no stack",
    sections: [counts(report), ...unmanagedSections(report), accountsTable(report)],
    isRanked: true,
    steps: nextSteps(report),
    whole: "dataplatform drift --coverage --format html",
  };
}

function countRow(title: string, count: Count): Row {
  const { existing, managed } = count;
  return { cells: [title, String(existing), String(managed), String(existing - managed), percentText(count)] };
}

function counts({ kinds: all, summary }: CoverageReport): Section {
  const rows = all.map((count) => countRow(kindTitles[count.kind], count));
  return {
    title: "What can be listed",
    isOpen: true,
    columns: ["kind", "exist", "managed", "not managed", "coverage"],
    rows: [...rows, countRow("all", summary)],
  };
}

function accountsTable({ accounts }: CoverageReport): Section {
  return {
    title: "Accounts",
    isOpen: true,
    columns: ["account", "exist", "managed", "not managed", "coverage"],
    rows: accounts.map((account) => countRow(accountTitle(account), account.summary)),
  };
}

function unmanagedSections({ kinds: all, unmanaged, accounts }: CoverageReport): Section[] {
  return kinds.flatMap((kind) => {
    const own = unmanaged.filter((one) => one.kind === kind);
    if (own.length === 0 && !all.some((one) => one.kind === kind)) return [];
    return [
      {
        title: `${kindTitles[kind]} not managed`,
        count: own.length,
        tone: own.length > 0 ? ("warning" as const) : ("good" as const),
        isOpen: true,
        rows: own.map((one) => rowOf(one, accounts)),
      },
    ];
  });
}

function rowOf({ what, id, import: adopt, note, account }: Unmanaged, accounts: CoverageReport["accounts"]): Row {
  return {
    tone: "warning",
    cells: [
      code(what),
      ...(id === undefined ? [] : [code(id)]),
      ...(accounts.length > 1 ? [accountTitle(accounts[account]!)] : []),
    ],
    more: [
      ...(adopt ? [{ command: adopt.command }] : []),
      ...(note === undefined ? [] : [{ remark: note, tone: "quiet" as const }]),
    ],
  };
}

/** What the percentage does not cover. */
function notesOf(report: CoverageReport): Note[] {
  const { unread, cannotBeListed, notCounted, notes } = report;
  return [
    ...unread.map(({ what, why }) => ({ note: `not readable: ${what}: ${why}`, tone: "bad" as const })),
    ...notes.map((note) => ({ note: `note: ${note}`, tone: "warning" as const })),
    ...cannotBeListed.map((one) => ({
      note: `cannot be listed: ${unlistedText(one, report)}`,
      tone: "quiet" as const,
    })),
    ...notCounted.map(({ what, why }) => ({ note: `not counted: ${what}: ${why}`, tone: "quiet" as const })),
  ];
}
