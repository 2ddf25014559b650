import { urnParts } from "../../provider/core/urn";
import { kindOf } from "./names";
import type { Ran } from "./run";

interface State {
  readonly inputs?: Readonly<Record<string, unknown>>;
}
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: State;
  readonly newState?: State;
  readonly replaceReasons?: readonly string[];
}
interface Preview {
  readonly steps?: readonly Step[];
  readonly diagnostics?: readonly { readonly severity: string; readonly message: string; readonly urn?: string }[];
  readonly changeSummary?: Readonly<Record<string, number>>;
}

/** GitHub's limit is 65,536 characters, GitLab's is higher. */
const most = 60_000;

const words: Readonly<Record<string, string>> = {
  create: "to create",
  update: "to change",
  replace: "to replace",
  delete: "to delete",
  same: "unchanged",
  read: "to read",
};

/** The steps of which a replacement consists say the same as `replace`. */
const silent = new Set(["same", "create-replacement", "delete-replaced"]);

/** Markdown: the summary first, details folded. `details`: what else there is to say, before the changes. */
export function previewReport(stack: string, ran: Ran, details: readonly string[] = []): string {
  const preview = parse(ran.stdout);
  if (!preview) return failure(`Preview of \`${stack}\``, ran);
  const summary = Object.entries(preview.changeSummary ?? {}).filter(([op]) => op !== "same" && words[op]);
  const problems = (preview.diagnostics ?? []).filter(({ severity }) => severity === "error" || severity === "warning");
  const changes = (preview.steps ?? []).filter(
    ({ op, urn }) => !silent.has(op) && !urnParts(urn).type.startsWith("pulumi:"),
  );
  const headline =
    ran.code !== 0
      ? "**The preview failed: a merge would fail too.**"
      : summary.length === 0
        ? "No changes."
        : `**${summary.map(([op, count]) => `${count} ${words[op]}`).join(", ")}**`;
  return limited([
    `### Preview of \`${stack}\``,
    headline,
    ...problems.map(
      ({ severity, message, urn }) => `- ${severity}${urn ? ` at \`${nameOf(urn)}\`` : ""}: ${inline(message)}`,
    ),
    ...details,
    changes.length === 0 ? "" : "| | resource | what |\n|---|---|---|",
    ...changes.map(
      (step) => `| ${step.op} | \`${inline(kindOf(step.urn))}\` \`${nameOf(step.urn)}\` | ${differences(step)} |`,
    ),
  ]);
}

/** `renew`: the command that makes a new plan, for what has one. */
export function updateReport(stack: string, what: string, ran: Ran, renew?: string): string {
  if (/the stack is currently locked/.test(ran.stderr))
    return failure(`${what} of \`${stack}\`: another run holds it`, ran);
  const next = renew && `If it has changed anything, the plan is used up. Make a new one: \`${renew}\``;
  if (ran.code !== 0) return failure(`${what} of \`${stack}\``, ran, next);
  // With a plan, the preview comes first, with a summary of its own.
  const summary = [...ran.stdout.matchAll(/^Resources:\n((?: {4}.*\n?)+)/gm)].at(-1)?.[1] ?? "";
  const resources = summary.trim().split(/\n\s*/);
  return limited([`### ${what} of \`${stack}\``, `**Done: ${resources.join(", ")}**`, fold("Output", ran.stdout)]);
}

export function driftFailed(stack: string, ran: Ran): string {
  return failure(`Drift of \`${stack}\` could not be checked`, ran);
}

/** `renew`: the command that makes a new plan. */
export function refusalReport(stack: string, reasons: readonly string[], renew: string): string {
  return limited([
    `### Plan of \`${stack}\` refused`,
    "**Nothing was changed.**",
    ...reasons.map((reason) => `- ${inline(reason)}`),
    `Make a new plan: \`${renew}\`. Read it, then run this again.`,
  ]);
}

function failure(title: string, { code, stdout, stderr }: Ran, next = ""): string {
  const output = fold("Output", `${stdout}\n${stderr}`.trim());
  return limited([`### ${title}`, `**Failed with exit code ${code}.**`, next, output]);
}

function parse(text: string): Preview | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Secrets are `[secret]` in the preview, before and after. */
function differences({ op, oldState, newState, replaceReasons = [] }: Step): string {
  const before = oldState?.inputs ?? {};
  const after = newState?.inputs ?? {};
  if (op === "delete") return "";
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => name !== "__provider" && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0 && op !== "create")
    return replaceReasons.map((name) => `\`${name}\``).join(", ") || "a secret";
  return names
    .map(
      (name) =>
        `${name}: ${name in before ? `${value(before[name])} → ` : ""}${name in after ? value(after[name]) : "removed"}`,
    )
    .join("<br>");
}

function value(content: unknown): string {
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  return `\`${inline(text.length > 120 ? `${text.slice(0, 117)}…` : text)}\``;
}

/** Whatever a value holds, it stays in its line and its cell. */
export function inline(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll("`", "'")
    .replaceAll("|", "\\|")
    .replaceAll("<", "‹")
    .replaceAll(">", "›");
}
const nameOf = (urn: string): string => inline(urnParts(urn).name);

function fold(title: string, text: string): string {
  // A fence longer than any in the text cannot be closed by it.
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const kept = text.length > most / 2 ? `${text.slice(0, most / 2)}\n… the job's log has the rest` : text;
  return `<details><summary>${title}</summary>\n\n${fence}text\n${kept.trim()}\n${fence}\n\n</details>`;
}

function limited(parts: readonly string[]): string {
  let text = "";
  let previous: string | undefined;
  for (const [index, part] of parts.filter(Boolean).entries()) {
    if (text.length + part.length > most) return `${text}\n\n… and ${parts.length - index} more: see the job's log.\n`;
    const kind = /^[|-] /.exec(part)?.[0];
    text += `${text === "" ? "" : kind && kind === previous ? "\n" : "\n\n"}${part}`;
    previous = kind;
  }
  return `${text}\n`;
}
