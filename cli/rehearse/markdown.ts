import { nameOf } from "../pulumi/stack";
import { bytes, code, escaped, longestComment } from "../report/markdown-text";
import { plural } from "../terminal/plural";
import { faultsText, headline, type Message, type RehearsalReport } from "./report";

/** A comment for a pull request: what does not fit is left out, from the end. */
export function markdownReport(report: RehearsalReport): string {
  const { project, stack, outcome, calls, callsLeftOut, errors, warnings, leftBehind, resources, notShown, faults } =
    report;
  const head = [
    `## Rehearsal of ${escaped(`${project}/${stack}`)}: ${outcome}`,
    "",
    `${escaped(headline(report))}.`,
  ].join("\n");
  const sections = [
    list("Errors", errors.map(messageLine)),
    list("Warnings", warnings.map(messageLine)),
    list("Left behind", leftBehind.map(escaped)),
    faults
      ? list(`Faults: ${faultsText(faults)}`, [...faults.errors.map(messageLine), ...faults.differences.map(code)])
      : "",
    details(
      `${plural(calls.length + callsLeftOut, "call")} that production would receive`,
      calls.map(
        ({ method, path, body, status }, index) =>
          `${index + callsLeftOut + 1}. ${code(`${method} ${path}`)}${body === null ? "" : ` ${code(JSON.stringify(body))}`} → ${status ?? "reset"}`,
      ),
    ),
    details(
      `${plural(resources.length, "resource")} at the end`,
      resources.map(
        ({ op, type, name, id }) => `- ${op}: ${type} ${code(name)}${id === undefined ? "" : ` ${code(id)}`}`,
      ),
    ),
    details(
      "What the API does not show, and what was assumed",
      notShown.map(({ what, assumed }) => `- ${escaped(what)}; assumed: ${escaped(assumed)}`),
    ),
  ];
  return fitted([head, ...sections.filter(Boolean)]);
}

const notice = "\n\nThe rest does not fit into a comment; `--format json` has all of it.\n";

function fitted(parts: readonly string[]): string {
  let text = "";
  for (const part of parts) {
    const next = text === "" ? part : `${text}\n\n${part}`;
    if (bytes(next) + bytes(notice) > longestComment) return `${text}${notice}`;
    text = next;
  }
  return `${text}\n`;
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0 && !title.startsWith("Faults")) return "";
  return [`### ${escaped(title)}`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}

function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return ["<details>", `<summary>${escaped(title)}</summary>`, "", ...lines, "", "</details>"].join("\n");
}

function messageLine({ urn, message }: Message): string {
  const text = escaped(message.replace(/\s*\n\s*/g, " "));
  return urn === undefined ? text : `${code(nameOf(urn))}: ${text}`;
}
