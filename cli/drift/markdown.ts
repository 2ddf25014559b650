import { bytes, clip, code, escaped, longestComment, longestLine, longestRun } from "../report/markdown-text";
import { plural } from "../terminal/plural";
import { printable } from "../terminal/style";
import { type Line, linesOf } from "./lines";
import { nextSteps } from "./next-steps";
import { leftOut } from "./only";
import { type DriftReport, headline, type ResourceReport, repairs, type Status, statuses, titles } from "./report";

/** Reserved for section markup and the "left out" lines. */
const markupReserve = 3_000;
/** The largest share of the remaining space that one section may use, to leave room for the next. */
const share = 0.8;
const maxLines = 60;

/** For a pull-request or issue comment: summary first, details collapsed, within the size limit. */
export function markdownReport(report: DriftReport): string {
  const head = heading(report);
  let left = longestComment - bytes(head) - markupReserve;
  const sections: string[] = [];
  for (const status of statuses) {
    const resources = report.resources.filter((resource) => resource.status === status);
    if (resources.length === 0) continue;
    const text = section(status, resources, left * share);
    left -= bytes(text);
    sections.push(text);
  }
  return [head, ...sections].join("\n");
}

function heading(report: DriftReport): string {
  const { summary, platforms, otherResources } = report;
  const where = platforms.length > 0 ? ` against ${platforms.slice(0, 5).map(code).join(", ")}` : "";
  const others = otherResources > 0 ? ` ${plural(otherResources, "resource")} of other providers not checked.` : "";
  const notListed = leftOut(report);
  const hidden = notListed === undefined ? "" : ` ${notListed}.`;
  const steps = nextSteps(report).map(({ title, text, command }) =>
    command ? `- ${title}: ${code(command)}` : `- ${title}. ${escaped(text)}`,
  );
  return [
    `## Data platform drift: ${code(`${report.project}/${report.stack}`)}`,
    "",
    `**${escaped(headline(report))}**`,
    "",
    "| status | resources |",
    "|---|---:|",
    ...statuses.map((status) => `| ${titles[status]} | ${summary[status]} |`),
    "",
    `Checked ${report.checkedAt}${where} by ${code(report.tool)}.${others}${hidden}`,
    "",
    ...(steps.length > 0 ? ["**What to do next**", "", ...steps, ""] : []),
  ].join("\n");
}

function section(status: Status, resources: readonly ResourceReport[], budget: number): string {
  const blocks: string[] = [];
  let left = budget;
  for (const [index, resource] of resources.entries()) {
    const text = block(resource, resources[index - 1]);
    left -= bytes(text) + 1;
    if (left < 0) break;
    blocks.push(text);
  }
  const omitted = resources.length - blocks.length;
  const more =
    omitted > 0
      ? [
          `\n… and ${omitted} more, left out to keep this short. The whole report: \`dataplatform drift --format html\`.`,
        ]
      : [];
  return [
    `<details${status === "drifted" || status === "gone" ? " open" : ""}><summary>${resources.length} ${titles[status]}</summary>`,
    "",
    ...blocks,
    ...more,
    "",
    "</details>",
    "",
  ].join("\n");
}

function block(resource: ResourceReport, before: ResourceReport | undefined): string {
  const { type, name, id, repair, reason, properties, lost } = resource;
  const action = repair ? `, a repair would ${repairs[repair]}` : "";
  const was = lost === undefined ? "" : `: lost ${code(lost)}`;
  const lines = [`- ${code(type)} ${code(name)} (${code(id)})${was}${action}`];
  // Resources of one type usually have the same reason; print it once.
  if (reason !== undefined && reason !== before?.reason)
    lines.push(fenced("text", [{ sign: " ", text: printable(reason) }]));
  if (properties) {
    const texts = properties.flatMap((property): Line[] => [
      { sign: " ", text: `${printable(property.property)}:` },
      ...linesOf(property),
    ]);
    lines.push(fenced("diff", texts));
  }
  return lines.join("\n");
}

function fenced(language: string, lines: readonly Line[]): string {
  const visible = lines.slice(0, maxLines).map(({ sign, text }) => `${sign} ${clip(text, longestLine)}`.trimEnd());
  if (lines.length > maxLines) visible.push(`  … ${lines.length - maxLines} more lines`);
  const fence = "`".repeat(Math.max(3, longestRun(visible.join("\n")) + 1));
  return ["", `${fence}${language}`, ...visible, fence].map((line) => (line ? `  ${line}` : line)).join("\n");
}
