import { nameOf } from "../pulumi/stack";
import { code, type Report, type Row, type Section, type Text } from "../report/model";
import { plural } from "../terminal/plural";
import type { Call } from "./calls";
import { exitCode, faultsText, headline, type Message, type RehearsalReport } from "./report";

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
      title: "Not shown by the API",
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
