import { code, type More, type Report, type Row, type Section, type Tone } from "../report/model";
import { plural } from "../terminal/plural";
import type { OperationReport, Verdict } from "./findings";
import { type ConformReport, countOf, exitCode, headline, titles, verdicts } from "./report";

const looks: Readonly<Record<Verdict, { readonly mark: string; readonly tone: Tone }>> = {
  deviates: { mark: "≠", tone: "warning" },
  "as-specified": { mark: "✓", tone: "good" },
  there: { mark: "✓", tone: "good" },
  lacking: { mark: "-", tone: "quiet" },
  "not-allowed": { mark: "!", tone: "bad" },
  "not-tried": { mark: "?", tone: "quiet" },
};

export function readable(report: ConformReport): Report {
  const { platform, account, mode, readings, open, checkedAt, tool } = report;
  const known = verdicts.map((verdict) => [countOf(report, verdict), titles[verdict]] as const);
  return {
    about: "Data platform",
    title: `${platform}${account === undefined ? "" : `, account ${account}`}`,
    headline: headline(report),
    tone: exitCode(report) === 0 ? "good" : "warning",
    checkedAt,
    tool,
    facts: [
      known.flatMap(([count, title]) => (count > 0 ? [`${count} ${title}`] : [])).join(", "),
      `${plural(Object.keys(readings).length, "reading")} determined, ${Object.keys(open).length} open`,
      mode === "write" ? "reading and writing" : "reading only",
    ],
    lists: "Operations",
    sections: sectionsOf(report),
    isRanked: true,
    whole: "dataplatform conform --format json",
  };
}

function sectionsOf({ operations, announced, leftBehind, open }: ConformReport): Section[] {
  return [
    {
      title: "Could not be removed",
      isOpen: true,
      rows: leftBehind.map(({ what, why }) => ({ tone: "bad", cells: [`${what}: ${why}`] })),
    },
    { title: "Stays, as announced", isOpen: true, rows: announced.map((text) => ({ cells: [text] })) },
    section(
      "Specified operations",
      operations.filter(({ extended }) => !extended),
    ),
    section(
      "Extended operations",
      operations.filter(({ extended }) => extended),
    ),
    {
      title: "Open readings",
      isAside: true,
      rows: Object.entries(open).map(([name, why]) => ({ cells: [code(name), why] })),
    },
  ];
}

function section(title: string, operations: readonly OperationReport[]): Section {
  return { title, isOpen: operations.some(({ deviations }) => deviations.length > 0), rows: operations.map(rowOf) };
}

function rowOf({ verdict, request, section: where, deviations, readings, notes }: OperationReport): Row {
  const values = Object.entries(readings).map(([name, value]) => `${name}=${value}`);
  const more: More[] = [
    ...deviations.map(({ what, section: says, provider }) => ({
      remark: `deviates: ${what} (${says}); the provider ${provider}`,
      tone: "warning" as const,
    })),
    ...(values.length > 0 ? [{ title: "reading", command: values.join(", ") }] : []),
    ...notes.map((remark) => ({ remark, tone: "quiet" as const })),
  ];
  return { ...looks[verdict], cells: [titles[verdict], code(request), where], more };
}
