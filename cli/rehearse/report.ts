import type { LoggedRequest } from "../../emulator";
import { nameOf } from "../pulumi/stack";
import { code, type Report, type Row, type Section, type Text } from "../report/model";
import { plural } from "../terminal/plural";
import type { Assumption } from "./draft";

export interface Message {
  /** Absent for a message about the whole run. */
  readonly urn?: string | undefined;
  readonly message: string;
}

/** One request that production would receive. */
export type Call = Pick<LoggedRequest, "operation" | "method" | "path" | "body" | "status" | "fault">;

/** A resource of ours in the state at the end. */
export interface EndResource {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /** Absent if the platform gives it: production will give another one. */
  readonly id?: string;
  /** What the update did: `create`, `update`, `replace`, `same`. */
  readonly op: string;
}

/** The rehearsal with faults. */
export interface FaultReport {
  /** How often `pulumi up` ran, and how many of its requests were hit. */
  readonly updates: number;
  readonly faults: number;
  readonly recovered: boolean;
  readonly errors: readonly Message[];
  /** Where the platform ended differently than without faults. */
  readonly differences: readonly string[];
}

/** The stable JSON format. */
export interface RehearsalReport {
  readonly format: 1;
  readonly tool: string;
  readonly project: string;
  readonly stack: string;
  readonly platform: string;
  readonly rehearsedAt: string;
  readonly outcome: "succeeded" | "failed";
  /** Where it failed. */
  readonly failedAt?: "preview" | "update";
  readonly changes: Readonly<Record<string, number>>;
  readonly calls: readonly Call[];
  /** Earlier calls that the emulator no longer has. */
  readonly callsLeftOut: number;
  readonly warnings: readonly Message[];
  readonly errors: readonly Message[];
  /** What stays on the platform although the stack gives it up. */
  readonly leftBehind: readonly string[];
  readonly seconds: number;
  readonly latencyMs: number;
  readonly resources: readonly EndResource[];
  readonly notShown: readonly Assumption[];
  readonly faults?: FaultReport;
}

export function exitCode({ outcome, faults }: RehearsalReport): number {
  return outcome === "failed" || (faults && !isSameEnd(faults)) ? 2 : 0;
}

/** A run that succeeded in the end, but left something else behind, has not recovered either. */
const isSameEnd = ({ recovered, differences }: FaultReport): boolean => recovered && differences.length === 0;

export function headline(report: RehearsalReport): string {
  const { outcome, calls, callsLeftOut, warnings, errors, seconds, latencyMs, failedAt } = report;
  const writes = calls.filter(({ method }) => method !== "GET").length;
  const total = calls.length + callsLeftOut;
  const what =
    outcome === "succeeded"
      ? "the rehearsal succeeded"
      : `the rehearsal failed${failedAt === "preview" ? " at preview" : ""}`;
  const pace = latencyMs > 0 ? ` at ${latencyMs} ms a call` : "";
  return (
    `${what}: ${changesText(report)}, ${plural(total, "call")} (${plural(writes, "write")}), ` +
    `${plural(warnings.length, "warning")}, ${plural(errors.length, "error")}, ${seconds.toFixed(1)} s${pace}`
  );
}

export function changesText({ changes }: RehearsalReport): string {
  const parts = Object.entries(changes).filter(([op]) => op !== "same");
  return parts.length === 0 ? "no changes" : parts.map(([op, count]) => `${count} to ${op}`).join(", ");
}

function faultsText({ updates, faults, recovered, differences }: FaultReport): string {
  if (faults === 0) return "with faults: none hit, because nothing was sent";
  const end = differences.length === 0 ? "the same end" : `${plural(differences.length, "difference")} at the end`;
  const result = recovered ? `recovered after ${plural(updates, "update")}, with ${end}` : "did not recover";
  return `with ${plural(faults, "fault")}: ${result}`;
}

export function readable(report: RehearsalReport): Report {
  const { project, stack, platform, rehearsedAt, tool, faults } = report;
  return {
    about: "Data platform rehearsal",
    title: `${project}/${stack}`,
    headline: headline(report),
    tone: exitCode(report) === 0 ? "good" : "bad",
    checkedAt: rehearsedAt,
    tool,
    platforms: [platform],
    facts: faults ? [faultsText(faults)] : [],
    lists: "Calls",
    sections: sectionsOf(report),
    isRanked: true,
    whole: "dataplatform rehearse --format json",
  };
}

function sectionsOf(report: RehearsalReport): Section[] {
  const { calls, callsLeftOut, resources, notShown, faults } = report;
  const said = faults && [
    ...faults.errors.map(messageRow),
    ...faults.differences.map((one) => ({ cells: [oneLine(one)] })),
  ];
  const lost = callsLeftOut > 0 ? [{ cells: [`(${callsLeftOut} earlier ones are not listed)`] }] : [];
  return [
    { title: "Errors", isOpen: true, rows: report.errors.map(messageRow) },
    { title: "Warnings", isOpen: true, rows: report.warnings.map(messageRow) },
    { title: "Left behind", isOpen: true, rows: report.leftBehind.map((text) => ({ cells: [oneLine(text)] })) },
    { title: "With faults", isOpen: true, rows: said ?? [] },
    {
      title: `${plural(calls.length + callsLeftOut, "call")} that production would receive`,
      rows: [...lost, ...calls.map((call, index) => callRow(call, index + callsLeftOut + 1))],
    },
    {
      title: `${plural(resources.length, "resource")} at the end`,
      rows: resources.map(({ op, type, name, id }) => ({
        cells: [op, type, code(name), id === undefined ? "(the platform gives the id)" : code(id)],
      })),
    },
    {
      title: "Not shown by the API to this token",
      rows: notShown.map(({ what, assumed }) => ({ cells: [`${what}; assumed: ${assumed}`] })),
    },
  ];
}

const longestBody = 300;

function callRow({ method, path, body, status, fault }: Call, number: number): Row {
  const sent = JSON.stringify(body);
  const shown = sent.length > longestBody ? `${sent.slice(0, longestBody - 1).toWellFormed()}…` : sent;
  const answer = `→ ${status ?? "reset"}${fault ? ` (${fault})` : ""}`;
  const request: Text = body === null ? [code(path), ` ${answer}`] : [code(path), " ", code(shown), ` ${answer}`];
  return { tone: method === "GET" ? "quiet" : "plain", cells: [String(number), method, request] };
}

function messageRow({ urn, message }: Message): Row {
  const text = oneLine(message);
  return { cells: [urn === undefined ? text : [code(nameOf(urn)), `: ${text}`]] };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
