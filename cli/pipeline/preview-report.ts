import type { Drift } from "./drift";
import { shortName } from "./names";
import { type Bound, planId } from "./plan";
import { inline } from "./report";
import type { Ran } from "./run";

/** The rest of the comment needs room too. */
const longestAccess = 15_000;

export function planSection(bound: Bound | undefined, whyNone: string | undefined): string[] {
  if (!bound) return [`No plan was saved: ${inline(whyNone ?? "")}.`];
  const { commit, tree, validUntil } = bound;
  return [
    `Plan \`${planId(bound)}\` of commit \`${commit.slice(0, 12)}\` (tree \`${tree.slice(0, 12)}\`), valid until ${validUntil}. ` +
      "The merge applies this plan and nothing else.",
  ];
}

interface PolicyEvent {
  readonly enforcementLevel: string;
  readonly policyName: string;
  readonly message: string;
}

/** `events`: the engine's log of events, a line of JSON each. */
export function guardrailSection(events: string): string[] {
  const found = events
    .split("\n")
    .filter((line) => line.includes('"policyEvent"'))
    .map((line) => JSON.parse(line).policyEvent as PolicyEvent);
  if (found.length === 0) return ["Guardrails: nothing to report."];
  const isMandatory = ({ enforcementLevel }: PolicyEvent): boolean => enforcementLevel === "mandatory";
  const mandatory = found.filter(isMandatory);
  const sorted = [...mandatory, ...found.filter((violation) => !isMandatory(violation))];
  return [
    `**Guardrails: ${mandatory.length} mandatory violated, ${found.length - mandatory.length} advisory**`,
    ...sorted.map(
      ({ enforcementLevel, policyName, message }) =>
        `- ${enforcementLevel} \`${policyName}\`: ${inline(withoutColours(message))}`,
    ),
  ];
}

/** `ran`: of `dataplatform access --format markdown`. */
export function accessSection({ stdout, stderr }: Ran): string[] {
  const headline = /^\*\*(.+)\*\*$/m.exec(stdout)?.[1];
  if (!headline) return [`**Access: what changes could not be found out.** ${inline(stderr)}`];
  const text = stdout.slice(stdout.indexOf("\n")).trim();
  const kept =
    text.length > longestAccess ? `${text.slice(0, longestAccess)}\n\n… \`dataplatform access\` shows the rest.` : text;
  return [`<details><summary>Access: ${headline}</summary>\n\n${kept}\n\n</details>`];
}

export function driftSection(drift: Drift | undefined): string[] {
  if (!drift) return ["**Drift could not be checked.**"];
  const differing = Object.entries(drift.differing).sort();
  const { unreadable, compared, notShown } = drift;
  const lines = [
    ...differing.map(([urn, what]) => `- \`${inline(shortName(urn))}\` is ${inline(what)}`),
    ...unreadable.map((what) => `- could not be read: ${inline(what)}`),
  ];
  const untold = notShown > 0 ? ` ${notShown} cannot be compared: the API does not show them.` : "";
  if (lines.length === 0 && compared === 0)
    return [
      `Drift: not known, because nothing was read.${untold || " The stack has no resources of the platform yet."}`,
    ];
  if (lines.length === 0) return [`Drift: none.${untold}`];
  const count = `${differing.length} differ from what is declared, ${unreadable.length} could not be read`;
  return [`**Drift: ${count}**. The merge does not repair it.`, ...lines];
}

/** The engine marks colours as `<{%reset%}>`. */
const withoutColours = (text: string): string => text.replace(/<\{%[^%]*%\}>/g, "");
