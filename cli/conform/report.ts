import { extendedReadings } from "../../emulator/extended/readings";
import { catalogue, type ReadingName } from "../../emulator/readings";
import { plural } from "../terminal/plural";
import type { OperationName } from "./catalogue";
import type { LeftBehind } from "./cleanup";
import type { Verdict } from "./findings";
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
