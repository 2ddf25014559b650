import { code, type More, type Report, type Row, type Section, type Tone } from "../report/model";
import { plural } from "../terminal/plural";
import type { OperationReport, Verdict } from "./findings";
import { type ConformReport, countOf, exitCode, headline } from "./report";

/** In the order in which they are counted. */
const looks: Readonly<Record<Verdict, { readonly mark: string; readonly tone: Tone }>> = {
  deviates: { mark: "≠", tone: "warning" },
  "as-specified": { mark: "✓", tone: "good" },
  there: { mark: "✓", tone: "good" },
  lacking: { mark: "-", tone: "quiet" },
  "not-allowed": { mark: "!", tone: "bad" },
  "not-tried": { mark: "?", tone: "quiet" },
};

const titleOf = (verdict: Verdict): string => verdict.replace("-", " ");

export function readable(report: ConformReport): Report {
  const { platform, account, mode, readings, open, checkedAt, tool } = report;
  const counts = (Object.keys(looks) as Verdict[]).map((verdict) => ({ verdict, count: countOf(report, verdict) }));
  return {
    about: "Data platform",
    title: `${platform}${account === undefined ? "" : `, account ${account}`}`,
    headline: headline(report),
    tone: exitCode(report) === 0 ? "good" : "warning",
    checkedAt,
    tool,
    facts: [
      counts.flatMap(({ verdict, count }) => (count > 0 ? [`${count} ${titleOf(verdict)}`] : [])).join(", "),
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
  return { ...looks[verdict], cells: [titleOf(verdict), code(request), where], more };
}
