import { code, fenceFor, inFull, tamed } from "../report/markdown";
import { forRunner } from "../terminal/style";
import type { Progress } from "./progress";
import { isRenewable } from "./refused";
import { isLeftBehind, isLocked, type Ran } from "./run";
import { type Failure, failureIn } from "./violation";

/** GitHub's limit is 65,536 characters, GitLab's is higher. */
const most = 60_000;

/** Of a warning, or of an error of the program. */
const longestLine = 3_000;

/** A part of a report: Markdown whose foreign text is escaped already. */
export interface Part {
  /** Before the lines, and kept with the first of them. */
  readonly title?: string;
  readonly lines: readonly string[];
  /** How many characters it may take of what is left. */
  readonly most?: number;
}

export interface Outcome {
  readonly code: number;
  /** For a comment, which has little room. */
  readonly markdown: string;
  /** For the log and the job's reports: nothing is left out. */
  readonly full?: string;
  /** For the log of a job that has shown the engine's output already. */
  readonly brief?: string;
  /** What is done when people can read the report, and not before. */
  readonly afterwards?: (() => Promise<void>) | undefined;
}

/**
 * `gates`: what stops the merge, each a line, before everything else. All is in its order of importance: what does not fit
 * is missing at the end.
 */
export function composed(
  heading: readonly string[],
  gates: readonly string[],
  parts: readonly Part[],
  room = most,
): string {
  const texts = [...heading];
  let left = room - sizeOf(texts);
  const fitting: string[] = [];
  for (const gate of gates) {
    // A long one takes no other with it.
    if (left - gate.length < 200) continue;
    left -= gate.length + 1;
    fitting.push(gate);
  }
  if (gates.length > 0) texts.push(fitting.join("\n"));
  if (fitting.length < gates.length)
    texts.push(`**${gates.length - fitting.length} more reasons do not fit here; the job's log has all.**`);
  for (const part of parts) {
    const text = partText(part, Math.min(left, part.most ?? left));
    if (text === undefined) continue;
    left -= text.length + 2;
    texts.push(text);
  }
  return `${texts.filter(Boolean).join("\n\n")}\n`;
}

const rest = "the job's log has the rest";

function partText({ title, lines }: Part, room: number): string | undefined {
  if (lines.length === 0) return title;
  const head = title === undefined ? "" : `${title}\n\n`;
  const kept: string[] = [];
  let left = room - head.length - rest.length - 40;
  for (const line of lines) {
    // A long one takes no other with it.
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    kept.push(line);
  }
  const omitted = lines.length - kept.length;
  if (kept.length === 0)
    return left > -most ? `${title ?? ""}${title ? ": " : ""}${omitted} left out; ${rest}.` : undefined;
  return `${head}${kept.join("\n")}${omitted > 0 ? `\n\n… and ${omitted} more; ${rest}.` : ""}`;
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length + 2, 0);

/** Names and values as they are, in a table: neither markup nor a cell's border. */
export function cell(text: string, longest = 120): string {
  return code(text, longest).replaceAll("|", "\\|");
}

/** A line of foreign text between our own. */
export const said = (text: string): string => line(clipped(text));

function line(text: string): string {
  // Inside a word, an underscore is no markup.
  return inFull(oneLine(text).toWellFormed()).replace(/(?<=\w)&#95;(?=\w)/g, "_");
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, " ");

/** What others wrote, and may be as long as they like. */
export function clipped(text: string): string {
  const whole = oneLine(text);
  return whole.length > longestLine ? `${whole.slice(0, longestLine)}…` : whole;
}

/** A report for the log of a job: without what only a browser reads. What is in a code span is text already. */
export function forTerminal(markdown: string): string {
  const text = markdown.replace(
    /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|&#8203;|&#(\d+);|<br>|<\/?(?:details|summary)(?: open)?>/g,
    (found, _span, code) =>
      code ? String.fromCharCode(Number(code)) : found === "<br>" ? "; " : found.startsWith("`") ? found : "",
  );
  return forRunner(text);
}

/** `signer`: fingerprint of a key; undefined if there is none. */
export function signedWords(signer: string | undefined): string {
  return signer === undefined
    ? "Not signed: it has a checksum only, which anybody can write."
    : `Signed by the key ${code(signer)}.`;
}

export interface Updated {
  readonly stack: string;
  readonly ran: Ran;
  readonly signer: string | undefined;
  /** What the run has done, or why that is not known. */
  readonly progress?: (Progress & { readonly isUsedUp: boolean }) | string;
}

/** A program can print as many as it likes. */
const mostErrors = 10;

export function updateReport(title: string, { stack, ran, signer, progress }: Updated, renew: string): Outcome {
  const isHeld = isLocked(ran);
  const output = ran.code === 0 ? ran.stdout : `${ran.stdout}\n${ran.stderr}`;
  const { departure, errors, missing }: Failure =
    ran.code === 0 || isHeld ? { errors: [] } : failureIn(output, ran.isInterrupted);
  const headline =
    departure === undefined ? headlineOf(ran, progress) : "**The program departed from its plan, and was stopped.**";
  const heading = [`### ${title}${isHeld ? ": another run holds it" : ""}`, headline];
  if (isHeld) heading.push(`Nothing was changed. ${heldWords(ran, stack)}`);
  const parts = [
    ...(departure === undefined ? [] : [departurePart(departure, renew)]),
    ...(errors.length === 0 ? [] : [errorsPart(errors, missing)]),
    ...(progress === undefined || ran.code === 0 ? [] : failureParts(progress, renew, departure !== undefined)),
  ];
  const signed = { lines: [signedWords(signer)] };
  return {
    code: ran.code,
    markdown: composed(heading, [], [...parts, signed, outputPart(output)]),
    brief: composed(heading, [], [...parts, signed]),
  };
}

/** Whose lock it is. */
function heldWords(ran: Ran, stack: string): string {
  const [, lock = ""] = /^\s*\S+: (created by .{1,300})$/m.exec(ran.stderr) ?? [];
  const ended = isLeftBehind(ran) ? "That run was on this machine, and has ended" : "If that run has ended";
  return `The lock was ${said(lock || "made by another run")}. ${ended}: ${code(`pulumi cancel --stack ${stack}`)} removes it, and ${code(`dataplatform doctor --stack ${stack}`)} says what it had begun.`;
}

/** After a failure, the engine misses what would have followed; but a program can print errors of its own. */
function errorsPart(errors: readonly string[], missing: string | undefined): Part {
  const lines = errors.slice(0, mostErrors).map((error) => `- ${said(clipped(error))}`);
  if (missing === undefined) return { lines };
  const why = "If that does not follow from these errors, do not run it again before you know why.";
  return { lines: [...lines, "", `Then ${said(missing)}. ${why}`] };
}

/** Nobody approved what it tried to do: the way on is to find out why, not to try again. */
function departurePart(departure: string, renew: string): Part {
  return {
    lines: [
      `- ${said(departure)}`,
      "",
      "**Do not run it again before you know why.** The same files did something else than in the preview: they depend on " +
        "something that is in no commit, such as the time, the network or whether it is a preview, or somebody wants to " +
        `get past the approval. Read the program and its packages first. ${renew}`,
    ],
  };
}

function failureParts(failure: NonNullable<Updated["progress"]>, renew: string, hasDeparted: boolean): Part[] {
  const again = hasDeparted ? "" : renew;
  if (typeof failure === "string") return [{ lines: [said(failure)] }, { lines: again ? [again] : [] }];
  const { done, open, unknown, isUsedUp } = failure;
  const listed = (title: string, items: readonly string[]): Part[] =>
    items.length > 0 ? [{ title, lines: items.map((item) => `- ${said(item)}`) }] : [];
  const isNothing = done.length + unknown.length === 0;
  const usedUp = isNothing
    ? `**Nothing of the plan was done**, but the state has moved, so it is of no use any more. ${again}`
    : `The plan is used up: the state has moved. ${again}`;
  const held = hasDeparted ? "The state has not moved." : "The state has not moved, so the plan can be applied again.";
  return [
    { lines: [isUsedUp ? usedUp.trim() : isNothing ? `**Nothing of the plan was done.** ${held}` : held] },
    ...listed("**Done before it failed:**", done),
    ...listed("**Begun, with an outcome that is not known; before a new plan, ask `dataplatform doctor`:**", unknown),
    ...listed("**Not done:**", open),
  ];
}

/** By the state: a program can print what it likes. */
function headlineOf({ code: exit, isInterrupted }: Ran, progress: Updated["progress"]): string {
  if (exit !== 0 && isInterrupted) return "**Interrupted.**";
  if (exit !== 0) return `**Failed with exit code ${exit}.**`;
  if (progress === undefined || typeof progress === "string") return `**Done.** ${said(progress ?? "")}`.trim();
  const { done, open, unknown } = progress;
  const missing = [...open, ...unknown];
  const names = done.length > 0 ? `: ${said(done.join(", "))}` : "";
  return `**Done: ${done.length} of ${done.length + missing.length} changes of the plan**${names}${missing.length > 0 ? `; not in the state: ${said(missing.join(", "))}` : ""}`;
}

export function failureReport(title: string, { code: exit, stdout, stderr }: Ran): Outcome {
  const heading = [`### ${title}`, `**Failed with exit code ${exit}.**`];
  return { code: exit || 1, markdown: composed(heading, [], [outputPart(`${stdout}\n${stderr}`)]) };
}

/** `renew`: how a new plan is made, in words. */
export function refusalReport(title: string, reasons: readonly string[], renew: string | undefined): Outcome {
  const heading = [`### ${title} refused`, "**Nothing was changed.**"];
  const next = renew && isRenewable(reasons) ? [{ lines: [renew] }] : [];
  return { code: 1, markdown: composed(heading, gateLines(reasons), next) };
}

export const gateLines = (reasons: readonly string[]): string[] => reasons.map((reason) => `- ${line(reason)}`);

export const folded = (title: string, body: string): string =>
  `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;

/** Text that cannot end its fence. */
export function fenced(text: string, longest = Number.POSITIVE_INFINITY): string {
  const plain = tamed(text);
  const fence = fenceFor(plain);
  const kept = plain.length > longest ? `${plain.slice(0, longest)}\n… ${rest}` : plain;
  return `${fence}text\n${kept.trim()}\n${fence}`;
}

/** What a program printed, which must not fill the report. */
const outputPart = (output: string): Part => ({ lines: [folded("Output", fenced(output.trim(), most / 2))] });
