import { createHash } from "node:crypto";
import { plural } from "../terminal/plural";
import { printable } from "../terminal/style";
import { script } from "./html-script";
import { style } from "./html-style";
import { type Line, linesOf } from "./lines";
import { nextSteps } from "./next-steps";
import { leftOut } from "./only";
import {
  type DriftReport,
  headline,
  type PropertyDrift,
  type ResourceReport,
  repairs,
  type Status,
  statuses,
  titles,
} from "./report";

/** One file that needs nothing else: it can be opened, sent and kept. Without scripts it shows everything. */
export function htmlReport(report: DriftReport): string {
  const title = escaped(`${report.project}/${report.stack}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>Drift of ${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${header(report)}
${steps(report)}
${resources(report)}
</main>
<footer>Made by ${escaped(report.tool)}. Secrets are masked. The state was not changed.</footer>
<script>${script}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return printable(text).replace(/[&<>"']/g, (character) => entities[character]!);
}

function header(report: DriftReport): string {
  const { summary, platforms, checkedAt, otherResources } = report;
  const differ = summary.drifted + summary.gone > 0 && !report.accountMismatches?.length;
  const mood = differ ? "drift" : summary.error > 0 ? "failed" : "calm";
  const where = platforms.map((address) => `<code>${escaped(address)}</code>`).join(", ");
  const hidden = leftOut(report);
  const when = escaped(checkedAt.replace("T", " ").replace(/\.\d+Z$/, " UTC"));
  const others = otherResources > 0 ? ` · ${plural(otherResources, "resource")} of other providers not looked at` : "";
  return `<header>
<p class="kicker">Data platform drift</p>
<h1>${escaped(report.project)}<span class="slash">/</span>${escaped(report.stack)}</h1>
<p class="meta"><time datetime="${escaped(checkedAt)}">${when}</time>${where ? ` · ${where}` : ""}${others}</p>
<p class="headline ${mood}" role="status">${escaped(headline(report))}</p>${hidden === undefined ? "" : `\n<p class="meta">${escaped(hidden)}</p>`}
</header>`;
}

function steps(report: DriftReport): string {
  const all = nextSteps(report);
  if (all.length === 0) return "";
  const items = all.map(({ title, text, command }) => {
    const run = command
      ? `<div class="command"><code>${escaped(command)}</code><button type="button" class="copy">Copy</button></div>`
      : "";
    return `<li><div class="say"><h3>${escaped(title)}</h3><p>${escaped(text)}</p></div>${run}</li>`;
  });
  return `<section aria-labelledby="next"><h2 id="next">What to do next</h2><ol class="steps">${items.join("")}</ol></section>`;
}

function resources(report: DriftReport): string {
  // With --only, what is counted need not be listed: a tile that shows nothing must not be pressed.
  const listed = new Set(report.resources.map(({ status }) => status));
  const tiles = statuses.map(
    (status) =>
      `<button type="button" class="tile ${status}" data-status="${status}" aria-pressed="false"${listed.has(status) ? "" : " disabled"}><b>${report.summary[status]}</b> ${titles[status]}</button>`,
  );
  return `<section aria-labelledby="all"><h2 id="all">Resources</h2>
<div class="tiles" role="group" aria-label="Show only">${tiles.join("")}</div>
<div class="search"><input id="filter" type="search" placeholder="Filter by name, type, id or value" aria-label="Filter the resources" autocomplete="off"><output id="count">${report.resources.length} of ${report.resources.length}</output></div>
<div id="list">${report.resources.map(card).join("\n")}</div>
<p id="nothing" hidden>No resource fits the filter.</p>
</section>`;
}

function card(resource: ResourceReport): string {
  const { status, type, name, id, reason, lost, properties = [] } = resource;
  const was = lost === undefined ? "" : ` <span class="lost">lost <code>${escaped(lost)}</code></span>`;
  const row = `<span class="pill ${status}">${titles[status]}</span> <span class="what"><span class="type">${escaped(type)}</span> <b class="name">${escaped(name)}</b> <code class="id">${escaped(id)}</code>${was}</span>${note(resource)}`;
  const body = `${reason === undefined ? "" : `<p class="reason">${escaped(reason)}</p>`}${properties.length > 0 ? table(properties) : ""}`;
  if (!body) return `<div class="resource flat" data-status="${status}"><div class="row">${row}</div></div>`;
  return `<details class="resource" data-status="${status}"${opens(status) ? " open" : ""}><summary class="row">${row}</summary>${body}</details>`;
}

function opens(status: Status): boolean {
  return status === "drifted" || status === "error";
}

function note({ repair }: ResourceReport): string {
  return repair ? `<span class="note">a repair would ${repairs[repair]}</span>` : "";
}

function table(properties: readonly PropertyDrift[]): string {
  const rows = properties.map((property) => {
    const lines = linesOf(property);
    const name = `<th scope="row">${escaped(property.property)}</th>`;
    if (lines.every(({ sign }) => sign === " ")) return `<tr>${name}<td colspan="2">${items(lines, " ")}</td></tr>`;
    return `<tr>${name}<td class="declared">${items(lines, "-")}</td><td class="actual">${items(lines, "+")}${items(lines, " ")}</td></tr>`;
  });
  return `<div class="scroll"><table><thead><tr><th>Property</th><th>Declared</th><th>On the platform</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function items(lines: readonly Line[], sign: Line["sign"]): string {
  const kind = sign === "-" ? "del" : sign === "+" ? "ins" : "span";
  return lines
    .filter((line) => line.sign === sign)
    .map(({ text }) => `<${kind}>${escaped(text)}</${kind}>`)
    .join("");
}
