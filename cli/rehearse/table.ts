import { nameOf } from "../pulumi/stack";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import type { Call } from "./calls";
import { faultsText, headline, type Message, type RehearsalReport } from "./report";

const longestBody = 300;

export function tableReport(report: RehearsalReport, stream: OutputStream): string {
  const style = styleOf(stream);
  const { project, stack, platform, calls, callsLeftOut, warnings, errors, leftBehind, resources, notShown } = report;
  const colour = report.outcome === "succeeded" ? style.green : style.red;
  const sections = [
    section(style, "Calls that production would receive", [
      ...(callsLeftOut > 0 ? [`(${callsLeftOut} earlier ones are not listed)`] : []),
      ...calls.map((call, index) => callLine(call, index + callsLeftOut + 1, style)),
    ]),
    section(style, "Errors", errors.map(messageLine)),
    section(style, "Warnings", warnings.map(messageLine)),
    section(style, "Left behind", leftBehind.map(oneLine)),
    section(
      style,
      "Resources at the end",
      resources.map(({ type, name, id, op }) =>
        oneLine(`${op.padEnd(8)} ${type} ${name}${id === undefined ? " (the platform gives the id)" : ` ${id}`}`),
      ),
    ),
    section(
      style,
      "Not shown by the API",
      notShown.map(({ what, assumed }) => oneLine(`${what}; assumed: ${assumed}`)),
    ),
    section(style, "With faults", faultLines(report)),
  ];
  const title = `${project}/${stack}, rehearsed for ${platform}`;
  return `${[style.bold(printable(title)), ...sections.filter(Boolean), colour(headline(report))].join("\n\n")}\n`;
}

function section(style: Style, title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [style.bold(title), ...lines.map((line) => `  ${line}`)].join("\n");
}

function callLine({ method, path, body, status, fault }: Call, number: number, style: Style): string {
  const text = body === null ? "" : ` ${clipped(JSON.stringify(body))}`;
  const answer = status === null ? "reset" : String(status);
  const line = `${String(number).padStart(3)}  ${method.padEnd(6)} ${path}${text}  → ${answer}${fault ? ` (${fault})` : ""}`;
  return method === "GET" ? style.dim(printable(line)) : printable(line);
}

function clipped(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody - 1).toWellFormed()}…` : text;
}

function messageLine({ urn, message }: Message): string {
  return oneLine(urn === undefined ? message : `${nameOf(urn)}: ${message}`);
}

function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " "));
}

function faultLines({ faults }: RehearsalReport): string[] {
  if (!faults) return [];
  return [faultsText(faults), ...faults.errors.map(messageLine), ...faults.differences.map(oneLine)];
}
