import { extendedReadings } from "../../emulator/extended/readings";
import { catalogue, type ReadingName } from "../../emulator/readings";
import { code, type More, type Report, type Row, type Section, type Tone } from "../report/model";
import { plural } from "../terminal/plural";
import type { OperationName } from "./catalogue";
import type { LeftBehind } from "./cleanup";
import type { OperationReport, Verdict } from "./findings";
import { parts, writingProbes } from "./probes";
import type { Session } from "./session";

/** Readings that no probe can determine, and why. A test goes through all the others. */
export const undetermined = {
  createdAccountId: "would create an account, which nothing can delete",
} as const satisfies Partial<Record<ReadingName, string>>;

/** Operations that are never tried, with --write or without, and why. */
export const neverTried = {
  "account.create": "an account cannot be deleted",
  "account.createV2": "an account cannot be deleted",
  "folders.create": "no operation deletes a folder",
  "folders.move": "no operation deletes a folder",
} as const satisfies Partial<Record<OperationName, string>>;

/** Those that only writing can determine. */
const needWriting = new Set<ReadingName>(parts.flatMap((part) => writingProbes[part].finds ?? []));

/** Why a reading is open when its probe had no more to say. */
export function usualReason(name: ReadingName, writes: boolean): string {
  if (Object.hasOwn(undetermined, name)) return undetermined[name as keyof typeof undetermined];
  if (!writes && needWriting.has(name)) return "needs --write";
  return Object.hasOwn(extendedReadings, name)
    ? "the extended operation that shows it is lacking, not allowed or not tried"
    : `nothing that shows it was found: ${catalogue[name].open}`;
}

export type ConformReport = ReturnType<typeof reportOf>;

export function reportOf(session: Session, leftBehind: readonly LeftBehind[]) {
  const { options, facts, cleanup } = session;
  const writes = options.write !== undefined;
  return {
    format: 1,
    tool: options.tool,
    platform: options.settings.baseUrl,
    account: facts.account?.id,
    checkedAt: `${new Date().toISOString().slice(0, 19)}Z`,
    mode: writes ? "write" : "read",
    operations: session.operations(),
    readings: session.readings(),
    /** Readings that were not determined, and why. */
    open: session.openReadings((name) => usualReason(name, writes)),
    /** What the run changes for good; announced before anything was sent. */
    announced: [...cleanup.stayed],
    /** What it could not remove. */
    leftBehind,
  } as const;
}

export const countOf = ({ operations }: ConformReport, verdict: Verdict): number =>
  operations.filter((each) => each.verdict === verdict).length;

export function headline(report: ConformReport): string {
  const deviations = report.operations.flatMap((each) => each.deviations);
  const needed = deviations.filter(({ provider }) => provider === "needs this").length;
  if (report.leftBehind.length > 0) return `${plural(report.leftBehind.length, "thing")} could not be removed`;
  if (deviations.length === 0) return "No deviations from the specification";
  // The counts of the report are of operations, and one can deviate in several ways.
  const where = plural(countOf(report, "deviates"), "operation");
  return `${plural(deviations.length, "deviation")} in ${where}: the provider copes with ${deviations.length - needed}, and needs ${needed} to be as specified`;
}

/** 0 as specified, 2 deviations, 1 something could not be removed. */
export function exitCode(report: ConformReport): number {
  if (report.leftBehind.length > 0) return 1;
  return countOf(report, "deviates") > 0 ? 2 : 0;
}

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
