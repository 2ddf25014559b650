import { deepEqual } from "../../provider/core/properties";
import { isFields } from "../../provider/values/json";
import { code, type Line, type Report, type Row, type Section, type Text, type Tone } from "../report/model";
import { plural } from "../terminal/plural";
import { nextSteps } from "./next-steps";
import { leftOut } from "./only";
import {
  type DriftReport,
  headline,
  type PropertyDrift,
  type ResourceReport,
  refreshNote,
  repairs,
  type Status,
  statuses,
  titles,
} from "./report";

const looks: Readonly<Record<Status, { readonly mark: string; readonly tone: Tone; readonly isOpen?: boolean }>> = {
  drifted: { mark: "≠", tone: "warning", isOpen: true },
  gone: { mark: "✗", tone: "bad", isOpen: true },
  error: { mark: "!", tone: "bad", isOpen: true },
  unverifiable: { mark: "?", tone: "quiet" },
  "as-declared": { mark: "✓", tone: "good" },
};

export function readable(report: DriftReport, inPipeline = false): Report {
  const { project, stack, checkedAt, tool, platforms, summary, otherResources } = report;
  const differ = summary.drifted + summary.gone > 0 && !report.accountMismatches?.length;
  const counts = statuses
    .filter((status) => summary[status] > 0)
    .map((status) => `${summary[status]} ${titles[status]}`);
  const others = otherResources > 0 ? `${plural(otherResources, "resource")} of other providers not checked` : "";
  const note = refreshNote(report);
  return {
    about: "Data platform drift",
    title: `${project}/${stack}`,
    headline: headline(report),
    tone: differ ? "warning" : summary.error > 0 ? "bad" : note ? "warning" : "good",
    checkedAt,
    tool,
    platforms,
    facts: [counts.join(", "), others, leftOut(report) ?? ""].filter(Boolean),
    legend: report.resources.some(({ properties }) => properties) ? ['"-" is declared, "+" is on the platform'] : [],
    notes: note ? [{ note, tone: "warning" }] : [],
    lists: "Resources",
    sections: statuses.map((status) => sectionOf(status, report)),
    isRanked: true,
    steps: nextSteps(report, inPipeline),
    whole: "dataplatform drift --format html",
  };
}

function sectionOf(status: Status, { summary, resources }: DriftReport): Section {
  const { mark, ...look } = looks[status];
  const own = resources.filter((resource) => resource.status === status);
  return {
    title: titles[status],
    count: summary[status],
    ...look,
    rows: own.map((one) => rowOf(one, look.tone, mark)),
  };
}

function rowOf(
  { type, name, id, lost, repair, reason, properties = [] }: ResourceReport,
  tone: Tone,
  mark: string,
): Row {
  const was: Text[] = lost === undefined ? [] : [["lost ", code(lost)]];
  const action = repair ? [`(a repair would ${repairs[repair]})`] : [];
  return {
    tone,
    mark,
    cells: [type, code(name), code(id), ...was, ...action],
    more: [
      ...(reason === undefined ? [] : [{ remark: reason }]),
      ...properties.map((property) => ({ property: property.property, lines: linesOf(property) })),
    ],
  };
}

/** The diff of a property, down to the list elements and object properties that differ. */
export function linesOf({ declared, actual, secret }: PropertyDrift): Line[] {
  if (secret) return [{ sign: " ", text: "differs (secret values)" }];
  return differences("", declared, actual);
}

function differences(path: string, declared: unknown, actual: unknown): Line[] {
  if (Array.isArray(declared) && Array.isArray(actual)) return listDifferences(path, declared, actual);
  if (isFields(declared) && isFields(actual)) {
    const keys = [...new Set([...Object.keys(declared), ...Object.keys(actual)])];
    return keys
      .filter((key) => !deepEqual(declared[key], actual[key]))
      .flatMap((key) => differences(path ? `${path}.${key}` : key, declared[key], actual[key]));
  }
  return both(path, declared, actual);
}

function listDifferences(path: string, declared: readonly unknown[], actual: readonly unknown[]): Line[] {
  const removed = without(declared, actual).map((item) => line("-", path, item));
  const added = without(actual, declared).map((item) => line("+", path, item));
  if (removed.length + added.length === 0)
    return [{ sign: " ", text: `${path ? `${path}: ` : ""}the order differs` }, ...both(path, declared, actual)];
  return [...removed, ...added];
}

function both(path: string, declared: unknown, actual: unknown): Line[] {
  return [line("-", path, declared), line("+", path, actual)];
}

/** Items of `list` that are not in `other`; duplicates count individually. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const left = [...other];
  return list.filter((item) => {
    const index = left.findIndex((candidate) => deepEqual(candidate, item));
    if (index < 0) return true;
    left.splice(index, 1);
    return false;
  });
}

function line(sign: "-" | "+", path: string, value: unknown): Line {
  return { sign, text: `${path ? `${path}: ` : ""}${valueText(value)}` };
}

function valueText(value: unknown): string {
  return value === undefined || value === null ? "(not set)" : JSON.stringify(value);
}
