import type { Finding } from "../../policies/judge";
import { urnParts } from "../../provider/core/urn";
import { accountText } from "../platform/accounts";
import { kindOf, shortName } from "../pulumi/subject";
import { code } from "../report/markdown";
import { plural } from "../terminal/plural";
import { differences, outputRows } from "./differences";
import type { Drift } from "./drift";
import type { Guard } from "./guard";
import type { Guarded } from "./guarded";
import type { Change } from "./guarded-config";
import { forgeKind } from "./place";
import type { Bound } from "./plan";
import { isChange, type Planned, staysBecause } from "./planned";
import type { Diagnostic } from "./preview";
import { cell, type Part, said, signedWords } from "./report";
import { canonical } from "./state";

export const titles = { change: "Preview", repair: "Repair" } as const;

const words: Readonly<Record<string, string>> = {
  create: "to create",
  update: "to change",
  replace: "to replace",
  delete: "to delete",
  discard: "to read no more",
  protect: "to protect or unprotect",
  import: "to take over",
};

/** By what they do, worst first: the order of a plan is that of whoever wrote it. */
export const changesIn = (planned: readonly Planned[]): Planned[] =>
  planned.filter(isChange).sort((a, b) => rank(a) - rank(b) || (a.urn < b.urn ? -1 : 1));

const order = ["delete", "replace", "protect", "update", "create", "discard"];

function rank({ op }: Planned): number {
  return order.includes(op) ? order.indexOf(op) : -1;
}

/** Counts what the table lists, and nothing else. */
export function headlineOf(planned: readonly Planned[]): string {
  const counts = new Map<string, number>();
  for (const { op } of changesIn(planned)) counts.set(op, (counts.get(op) ?? 0) + 1);
  if (counts.size === 0) {
    const outputs = outputRows(planned, inComment).length;
    return outputs > 0 ? `No changes, except for ${plural(outputs, "output")} of the stack.` : "No changes.";
  }
  return `**${[...counts].map(([op, count]) => `${count} ${words[op] ?? said(op)}`).join(", ")}**`;
}

/** How long things may be: of a comment, the log and the job's report have the rest. */
export const inComment = {
  name: 120,
  value: 10_000,
  /** Of all changes together: if they are longer, long ones give way, so that each is named. */
  changes: 30_000,
  access: 15_000,
  addresses: 50,
  /** Of settings and packages that need no approval. */
  settings: 10_000,
};
export type Limits = Readonly<typeof inComment>;
const none = Number.POSITIVE_INFINITY;
export const inFull = Object.fromEntries(Object.keys(inComment).map((name) => [name, none])) as Limits;

/** `left`: by URN, what stays on the platform if the resource is deleted. */
export function changesPart(
  planned: readonly Planned[],
  left: ReadonlyMap<string, string> = new Map(),
  limits = inComment,
  drift: Partial<Pick<Drift, "overwritten" | "differing">> = {},
): Part {
  const changes = changesIn(planned);
  if (changes.length === 0) return { lines: [] };
  const changing = new Set(changes.map(({ urn }) => urn));
  const made = new Set(planned.filter(({ isMade }) => isMade).map(({ urn }) => urn));
  const rows = changes.map((one) => {
    const stays = one.op === "delete" || one.op === "replace" ? left.get(one.urn) : undefined;
    const because = staysBecause(one, planned);
    const over = drift.overwritten?.find(({ urn }) => urn === one.urn);
    const what = [
      differences(one, changing, limits, drift),
      one.wasRead ? `was only read until now${one.op === "discard" ? ", and stays as it is on the platform" : ""}` : "",
      protection(one),
      throughProvider(one, made, limits.name),
      stays === undefined ? "" : said(stays),
      over?.unknown === undefined ? "" : `what is there already is not known: ${said(over.unknown)}`,
      ...Object.entries(over?.found ?? {})
        .filter(([name, found]) => canonical(found) !== canonical(one.after?.[name]))
        .map(([, found]) => `takes the place of ${cell(JSON.stringify(found), limits.value)}`),
      because && `${one.op === "delete" ? "it" : "the old one"} stays on the platform: ${because}`,
    ]
      .filter(Boolean)
      .join("<br>");
    const kind = `${one.isCustom ? "" : "component "}${cell(kindOf(one.urn), limits.name)}`;
    return { who: `| ${said(one.op)} | ${kind} ${cell(urnParts(one.urn).name, limits.name)} |`, what };
  });
  const isLong = rows.reduce((sum, { what }) => sum + what.length, 0) > limits.changes;
  const fair = isLong ? limits.changes / rows.length : none;
  const lines = rows.map(({ who, what }) => `${who} ${what.length > fair ? "**long: the job's log has it**" : what} |`);
  return { lines: ["| | resource | what |\n|---|---|---|", ...lines] };
}

/** Apart from the changes, which they must not crowd out: a program has as many as it likes. */
export function outputsPart(planned: readonly Planned[], limits = inComment): Part {
  const rows = outputRows(planned, limits);
  return { lines: rows.length === 0 ? [] : ["| output of the stack | what |\n|---|---|", ...rows] };
}

function protection({ op, wasProtected, isProtected }: Planned): string {
  return op === "delete" || wasProtected === isProtected ? "" : `${cell("protect")}: ${wasProtected} → ${isProtected}`;
}

/** One that the program declares can belong to another account, and have any name. */
function throughProvider({ provider = "" }: Planned, made: ReadonlySet<string>, longest: number): string {
  return provider === "" || made.has(provider) ? "" : `through provider ${cell(urnParts(provider).name, longest)}`;
}

/** What there is to say before the reasons. */
export function headlines(
  planned: readonly Planned[] | undefined,
  gates: readonly string[],
  kind: Bound["kind"] = "change",
): string[] {
  const changes = planned ? [headlineOf(planned)] : [];
  if (gates.length === 0) return changes;
  return [
    ...changes,
    `**A ${kind === "repair" ? "repair" : "merge"} would be refused, for ${plural(gates.length, "reason")}:**`,
  ];
}

/** `signer`: fingerprint of the key. */
export function planPart(id: string | undefined, bound: Omit<Bound, "planSha256">, signer: string | undefined): Part {
  const where = `Platform: ${code(bound.platform)}${bound.account ? `, ${code(accountText(bound.account))}` : ""}.`;
  if (!id) return { lines: [`${where} No plan was sealed.`] };
  return {
    lines: [
      `Plan ${code(id)} of commit ${code(bound.commit.slice(0, 12))} (tree ${code(bound.tree.slice(0, 12))}), sealed ${bound.createdAt}. ` +
        `${where} Judged by ${code(bound.rules.pack)} with the rules of ${code(bound.base.slice(0, 12))}. ` +
        `${approvedWords(bound)}${signedWords(signer)} The ${bound.kind === "repair" ? "repair" : "merge"} applies this plan and nothing else.${nextAtDesk(id, bound)}`,
    ],
  };
}

/** A change waits for its merge, a repair for nothing. */
function nextAtDesk(id: string, { kind, stack }: Pick<Bound, "kind" | "stack">): string {
  if (kind === "change" || forgeKind()) return "";
  return ` Carry it out: ${code(`dataplatform pipeline apply ${stack} --plan ${id}`)}.`;
}

const approvedWords = ({ approved }: Pick<Bound, "approved">): string =>
  approved.length === 0 ? "" : `Approved beside the review: ${approved.map((one) => code(one)).join(", ")}. `;

type Guarding = Pick<Guard, "guarded" | "since" | "loosening">;
const loosens = ({ loosens: is }: Change): boolean => is;

/** What loosens rules, workflows and packages, by this change or before it. Or that nothing changes. */
export function guardedPart({ guarded, since, loosening }: Guarding, isCompared = true): Part {
  const mark = loosening?.isApproved ? "- approved: " : "- **needs approval** ";
  const own = guardedLines(guarded, mark, loosens);
  const loosened = [...(since.isKnown ? earlierLines(since, own, mark) : asTheyAre(since.loosened, mark)), ...own];
  const base = isCompared ? "the protected branch, and with " : "";
  const compared = `Compared with ${base}${said(since.words)}.`;
  if (loosened.length === 0) {
    if (settingLines(guarded).length > 0)
      return {
        lines: [`Settings and packages change; none of these changes loosens what guards the platform. ${compared}`],
      };
    const what = isCompared ? "no change" : "judged by those of this commit itself";
    return { lines: [`Rules, workflows, packages and settings: ${what}. ${compared}`] };
  }
  const isOwn = guarded.some(({ changes }) => changes.some(loosens));
  const before = since.isKnown
    ? "What guards the platform may have been loosened"
    : "What guards the platform is judged anew";
  const what = isOwn ? "This change touches what guards the platform" : before;
  const state = loosening?.isApproved ? `, approved as ${code(loosening.digest)}` : ", not approved";
  return { title: `**${what}${state}.** ${compared}`, lines: loosened };
}

/** Since the last deployment: each once, and only what main itself does is said to be there already. */
function earlierLines(
  { loosened, merged = loosened }: Guarding["since"],
  own: readonly string[],
  mark: string,
): string[] {
  const onMain = new Set(guardedLines(merged, mark, loosens));
  return guardedLines(loosened, mark, loosens).flatMap((line) => {
    if (onMain.has(line)) return `${line} (on the protected branch already)`;
    return own.includes(line) ? [] : `${line} (since the last deployment)`;
  });
}

/** What needs no approval. There can be thousands of them, which must not crowd out what follows. */
export function settingsPart({ guarded }: Pick<Guard, "guarded">, limits = inComment): Part {
  const lines = settingLines(guarded);
  return lines.length === 0
    ? { lines }
    : { title: "Settings and packages that change, and need no approval:", lines, most: limits.settings };
}

const settingLines = (guarded: readonly Guarded[]): string[] =>
  guardedLines(guarded, "- ", (change) => !loosens(change));

/** Compared with nothing, every line of every file is new. Rules are compared with what counts without their file. */
function asTheyAre(guarded: readonly Guarded[], mark: string): string[] {
  const isRules = ({ path }: Guarded): boolean => /(^|\/)policies\.json$/i.test(path);
  const rules = guardedLines(guarded.filter(isRules), mark, ({ loosens }) => loosens);
  const others = guarded.filter((one) => !isRules(one));
  const paths = others.map(({ path }) => code(path)).join(", ");
  if (!paths) return rules;
  return [...rules, `${mark}${paths}: as on the protected branch, with nothing earlier to compare with`];
}

function guardedLines(guarded: readonly Guarded[], mark: string, isShown: (change: Change) => boolean): string[] {
  return guarded.flatMap(({ path, changes }) =>
    changes.filter(isShown).map(({ words: what }) => `${mark}${code(path)}: ${said(what)}`),
  );
}

export function findingsPart(findings: readonly Finding[]): Part {
  const blind = findings.filter(({ isBlind }) => isBlind);
  const advisory = findings.filter(({ level, isBlind }) => level === "advisory" && !isBlind);
  const mandatory = findings.length - advisory.length - blind.length;
  const unable = blind.length > 0 ? `, ${blind.length} cannot judge` : "";
  return {
    title: `**Guardrails: ${mandatory} mandatory violated, ${advisory.length} advisory${unable}**`,
    lines: [
      ...blind.map((one) => `- **cannot judge** ${said(withoutPage(one))}`),
      ...advisory.map((one) => `- advisory ${code(one.rule.name)}: ${said(withoutPage(one))}`),
    ],
  };
}

export function findingGate(finding: Finding): string {
  return `mandatory ${finding.rule.name}: ${withoutPage(finding)}`;
}

/** The page is a path of an installed package, which nobody can follow from a comment. */
const withoutPage = ({ rule, message }: Finding): string => message.replace(` (${rule.page})`, "");

export function driftPart(drift: Drift | undefined): Part {
  if (!drift) return { lines: ["**Drift could not be checked.**"] };
  const differing = Object.entries(drift.differing).sort();
  const { unreadable, compared, notShown } = drift;
  const lines = [
    ...differing.map(([urn, what]) => `- ${code(shortName(urn))} is ${said(what)}`),
    ...unreadable.map((what) => `- could not be read: ${said(what)}`),
  ];
  const untold = notShown > 0 ? ` ${notShown} cannot be compared: the API does not show them.` : "";
  if (lines.length === 0 && compared === 0)
    return {
      lines: [
        `Drift: not known, because nothing was read.${untold || " The stack has no resources of the platform yet."}`,
      ],
    };
  if (lines.length === 0) return { lines: [`Drift: none.${untold}`] };
  const differ = differing.length === 1 ? "differs" : "differ";
  const unread = unreadable.length > 0 ? `, ${unreadable.length} could not be read` : "";
  const count = `${differing.length} ${differ} from what is declared${unread}`;
  return { title: `**Drift: ${count}**`, lines };
}

/** What the provider says where the token of the preview may not look. It is meant to have no rights. */
const notAllowed = /cannot preview what this changes on the platform: .*\(403\)/s;

export function warningsPart(diagnostics: readonly Diagnostic[], limits = inComment): Part {
  const isShown = (message: string): boolean => limits === inFull || !notAllowed.test(message);
  const warnings = diagnostics.filter(({ severity, message }) => severity === "warning" && isShown(message));
  // The engine repeats a warning, at the resource and at the end.
  const lines = [...new Set(warnings.map((one) => `- ${diagnosticText(one)}`))];
  return lines.length === 0 ? { lines } : { title: `**Warnings of the program: ${lines.length}**`, lines };
}

function diagnosticText({ severity, message, urn }: Diagnostic): string {
  // The engine's messages may begin with the word.
  const text = message.replace(/^\s*(warning|error): /, "");
  return `${said(severity)}${urn ? ` at ${code(shortName(urn))}` : ""}: ${said(text)}`;
}
