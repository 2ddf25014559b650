import { kinds } from "../../inventory/found";
import { extendedApiOn } from "../../inventory/things";
import { onStack } from "../../pulumi/run";
import { code, type NextStep, type Note, type Report, type Row, type Section } from "../../report/model";
import { plural } from "../../terminal/plural";
import { quoted } from "../../terminal/quote";
import { findOutWhy, rightToken } from "../next-steps";
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

/** What the user can do about a report, most useful first. */
export function nextSteps(report: CoverageReport): NextStep[] {
  const { stacks, unmanaged, unread, accounts, accountMismatches = [] } = report;
  const on = onStack(stacks.find(({ file }) => file === undefined)?.stack);
  if (accountMismatches.length > 0) return rightToken(accountMismatches, on);
  const steps: NextStep[] = [];
  if (unread.length > 0) steps.push(findOutWhy("a list", on));
  if (unmanaged.length > 0)
    steps.push({
      title: "Write the code for what is not managed",
      text: "Writes TypeScript or Python, with a file for pulumi import. To adopt single things, declare them and run the commands of this report.",
      command: `dataplatform export --missing${managers(stacks)} ./adopt`,
    });
  const title = "Count roles, groups and data stores too";
  const text = "If this installation of the platform has the extended API, which can list them.";
  const command = `pulumi config set dataplatform:extendedApi true${on}`;
  for (const provider of new Set(accounts.filter((one) => !one.extendedApi).map((one) => one.provider)))
    steps.push(
      provider === undefined ? { title, text, command } : { title: `${title}: set ${extendedApiOn(provider)}`, text },
    );
  return steps;
}

/** The same stacks and files, so that what they manage is left out. */
function managers(stacks: CoverageReport["stacks"]): string {
  return stacks
    .map(({ stack, file }) => (file === undefined ? ` --stack ${quoted(stack)}` : ` --state ${quoted(file)}`))
    .join("");
}
