import { randomUUID } from "node:crypto";
import type { Id } from "../../provider/values/id";
import type { PlainPolicy } from "../../sdk/prepared-policy";
import { type AccountMismatch, mismatchHeadline } from "../platform/accounts";
import { plural } from "../terminal/plural";
import type { Group, UserReport } from "./directory";
import type { UnnamedGroups } from "./read-directory";
import type { Kind } from "./target";
import { type AccessRow, type ChangeKind, changeTitles, type Verdict } from "./verdicts";

/** An account of a platform: its users and groups. */
export interface PlatformReport {
  readonly address: string;
  readonly users: readonly UserReport[];
  readonly groups: readonly Group[];
  /** What could not be read. */
  readonly notes: readonly string[];
  /** What `--group` can connect, so that verdicts do not depend on it any more. */
  readonly unnamedGroups?: UnnamedGroups;
}

/** A policy and what it means, or why it is not known. */
export interface PolicyReport {
  readonly from?: "platform" | "state" | "plan";
  readonly policy?: PlainPolicy;
  readonly unknown?: string;
  readonly access: readonly AccessRow[];
}

export interface ObjectReport extends PolicyReport {
  /** Index in `platforms`. */
  readonly platform: number;
  readonly kind: Kind;
  /** `note/501`, or the type and location of a folder. */
  readonly object: string;
  readonly actions: readonly string[];
  /** URNs of the resources that set it. */
  readonly resources: readonly string[];
  readonly notes: readonly string[];
  /** With a plan that changes it. */
  readonly after?: PolicyReport;
}

export interface ChangeReport {
  readonly platform: number;
  readonly kind: Kind;
  readonly object: string;
  /** `unknown`: what the policy will be is not known, so neither is who gains or loses what. */
  readonly change: ChangeKind | "unknown";
  /** Absent with `unknown`. */
  readonly action?: string;
  readonly users: readonly Id[];
  readonly groups: readonly Id[];
  readonly before?: Verdict;
  readonly after?: Verdict;
  readonly reason?: string;
}

export interface AccessReport {
  /** Increases with breaking changes. */
  readonly format: 1;
  readonly tool: string;
  readonly project: string;
  readonly stack: string;
  readonly checkedAt: string;
  readonly platforms: readonly PlatformReport[];
  /** Tokens that belong to a different account than the resources: nothing is read with them. */
  readonly accountMismatches?: readonly AccountMismatch[];
  readonly summary: Summary;
  readonly objects: readonly ObjectReport[];
  /** With `--preview` or `--plan-file`. */
  readonly changes?: readonly ChangeReport[];
  /** What is left out, and why. */
  readonly notes: readonly string[];
}

/** Changes are counted for each user or group, object and action; `unknown` also counts notes about the plan. */
interface Summary {
  readonly objects: number;
  readonly users: number;
  /** Objects whose policy could not be read anywhere, although it should be readable. */
  readonly unreadable: number;
  readonly changes?: Readonly<Record<ChangeKind | "unknown", number>>;
}

/** `unclear`: what the plan changes beside them, without saying whose access to what. */
export function countChanges(changes: readonly ChangeReport[], unclear = 0): Record<ChangeKind | "unknown", number> {
  const counts = { gains: 0, "may-gain": 0, loses: 0, "may-lose": 0, unknown: unclear };
  for (const { change, users, groups } of visibleChanges(changes))
    counts[change] += change === "unknown" ? 1 : users.length || groups.length;
  return counts;
}

/** What people need to read: a group's change only if no user's change shows it. */
export function visibleChanges(changes: readonly ChangeReport[]): ChangeReport[] {
  const keyOf = ({ platform, kind, object, change, action }: ChangeReport, group: Id | undefined) =>
    JSON.stringify([platform, kind, object, change, action, group]);
  const shown = new Set(
    changes
      .filter(({ users }) => users.length > 0)
      .flatMap((change) => [keyOf(change, change.before?.group), keyOf(change, change.after?.group)]),
  );
  return changes.flatMap((change): ChangeReport[] => {
    if (change.users.length > 0 || change.change === "unknown") return [change];
    const groups = change.groups.filter((group) => !shown.has(keyOf(change, group)));
    return groups.length > 0 ? [{ ...change, groups }] : [];
  });
}

/** An unreadable policy, or a token of another account, outranks a gain: there may be others. */
export function exitCode({ summary, accountMismatches = [] }: AccessReport, failOnGain: boolean): 0 | 1 | 2 {
  if (summary.unreadable > 0 || accountMismatches.length > 0) return 1;
  const { changes } = summary;
  return failOnGain && changes && changes.gains + changes["may-gain"] + changes.unknown > 0 ? 2 : 0;
}

export function headline({ summary, changes, accountMismatches = [] }: AccessReport): string {
  const { objects, unreadable } = summary;
  const [wrongAccount] = accountMismatches;
  if (wrongAccount) return mismatchHeadline(wrongAccount);
  if (objects === 0 && !summary.changes?.unknown) return "No objects or folders with a policy";
  if (unreadable > 0) return `${plural(unreadable, "policy", "policies")} could not be read`;
  if (!changes || !summary.changes) return `Access of ${plural(summary.users, "user")} to ${plural(objects, "object")}`;
  const counts = Object.entries(summary.changes) as [ChangeKind | "unknown", number][];
  const parts = counts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) =>
      [kind === "unknown" ? plural(count, "change") : count, changeTitles[kind].toLowerCase()].join(" "),
    );
  return parts.length > 0 ? `The plan changes access: ${parts.join(", ")}` : "The plan changes no access by policies";
}

/** Lists of ids on one line each: there may be a million of them. */
export function jsonReport(report: AccessReport): string {
  // Nothing in the report can contain it, because nobody has seen it before.
  const mark = randomUUID();
  const marked = (_: string, value: unknown) => (isIds(value) ? `${mark}${value.join(", ")}` : value);
  const text = JSON.stringify(report, marked, 2);
  return `${text.replace(new RegExp(`"${mark}([^"]*)"`, "g"), "[$1]")}\n`;
}

function isIds(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "number");
}
