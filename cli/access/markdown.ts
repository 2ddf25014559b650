import { bytes, clip, code, escaped, longestComment } from "../report/markdown-text";
import type { changeKinds } from "./changes";
import {
  type AccessReport,
  type ChangeReport,
  countChanges,
  headline,
  type ObjectReport,
  visibleChanges,
} from "./report";
import {
  changeReason,
  changeSentence,
  changeTitles,
  groupRowText,
  objectTitle,
  People,
  sourceWords,
  stateWords,
} from "./words";

const maxNames = 20;
const maxNotes = 20;
/** Reserved for section markup and the "left out" lines. */
const markupReserve = 3_000;
const kinds = ["gains", "may-gain", "unknown", "loses", "may-lose"] as const satisfies readonly (
  | (typeof changeKinds)[number]
  | "unknown"
)[];

/** For a pull-request comment: what the plan changes, or who may do what. Within the size limit. */
export function markdownReport(report: AccessReport): string {
  const people = report.platforms.map((platform) => new People(platform, { withMarks: true }));
  const head = heading(report);
  const budget = longestComment - bytes(head) - markupReserve;
  const sections = report.changes ? changeSections(report, people, budget) : objectSections(report, people, budget);
  return [head, ...sections].join("\n");
}

function heading(report: AccessReport): string {
  const { project, stack, platforms, notes, checkedAt, tool } = report;
  const all = [...notes, ...platforms.flatMap((platform) => platform.notes)];
  const where = platforms.flatMap(({ address }) => (address ? [code(address)] : []));
  return [
    `## Data platform access${project ? `: ${code(`${project}/${stack}`)}` : ""}`,
    "",
    `**${escaped(headline(report))}**`,
    "",
    `Checked ${checkedAt}${where.length > 0 ? ` against ${where.slice(0, 5).join(", ")}` : ""} by ${code(tool)}. "Not said" means that the API's manual does not say what applies: neither yes nor no.`,
    "",
    ...all.slice(0, maxNotes).map((note) => `- ${escaped(clip(note, 400))}`),
    ...(all.length > maxNotes ? [`- … and ${all.length - maxNotes} more notes`] : []),
    ...(all.length > 0 ? [""] : []),
  ].join("\n");
}

function changeSections(report: AccessReport, people: readonly People[], budget: number): string[] {
  let left = budget;
  const visible = visibleChanges(report.changes ?? []);
  return kinds.flatMap((kind) => {
    const own = visible.filter(({ change }) => change === kind);
    if (own.length === 0) return [];
    const lines = own.map((change) => changeLine(change, report, people[change.platform]!));
    const text = section(
      `${changeTitles[kind]}: ${countChanges(own)[kind]}`,
      kind === "gains" || kind === "may-gain" || kind === "unknown",
      lines,
      left,
    );
    left -= bytes(text);
    return [text];
  });
}

function changeLine(change: ChangeReport, report: AccessReport, people: People): string {
  const reason = changeReason(change);
  const sentence = `- ${escaped(changeSentence(change, report, people, maxNames))}`;
  return reason ? `${sentence}\n  <br><sub>${escaped(clip(reason, 600))}</sub>` : sentence;
}

function objectSections(report: AccessReport, people: readonly People[], budget: number): string[] {
  const sections: string[] = [];
  let left = budget;
  for (const object of report.objects) {
    const text = objectSection(object, report, people[object.platform]!);
    left -= bytes(text) + 1;
    if (left < 0) {
      sections.push(leftOut(report.objects.length - sections.length));
      break;
    }
    sections.push(text);
  }
  return sections;
}

function objectSection(object: ObjectReport, report: AccessReport, people: People): string {
  const { actions, access, notes } = object;
  const hasGroups = access.some(({ groups }) => groups.length > 0);
  const rows = access.map(({ users, groups, verdicts }) => {
    const who = [
      users.length > 0 ? people.users(users, maxNames) : "",
      groups.length > 0
        ? `members of ${groups
            .slice(0, maxNames)
            .map((group) => people.group(group))
            .join(", ")}`
        : "",
    ].filter(Boolean);
    const cells = actions.map((action) => {
      const { verdict, by } = verdicts[action]!;
      return `${verdict === "allowed" ? `**${stateWords[verdict]}**` : stateWords[verdict]}${by === undefined ? "" : ` (${by})`}`;
    });
    return `| ${escaped(clip(who.join("; "), 1_000))} | ${cells.join(" | ")} |`;
  });
  const table = [`| who | ${actions.join(" | ")} |`, `|---|${actions.map(() => "---|").join("")}`, ...rows];
  const policy = object.policy?.map((element, index) => `${index}. ${code(JSON.stringify(element))}`) ?? [];
  return [
    `<details><summary>${escaped(objectTitle(object, report))}: ${escaped(sourceWords(object))}</summary>`,
    "",
    ...notes.map((note) => `- ${escaped(clip(note, 400))}`),
    ...(notes.length > 0 ? [""] : []),
    ...(rows.length > 0
      ? [...table, "", `In brackets: the element that decides.${hasGroups ? ` ${escaped(groupRowText)}.` : ""}`, ""]
      : []),
    ...policy,
    "",
    "</details>",
    "",
  ].join("\n");
}

/** A line may be about many users; the title counts them as the headline does. */
function section(title: string, isOpen: boolean, lines: readonly string[], budget: number): string {
  const shown: string[] = [];
  let left = budget;
  for (const line of lines) {
    left -= bytes(line) + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const omitted = lines.length - shown.length;
  return [
    `<details${isOpen ? " open" : ""}><summary>${title}</summary>`,
    "",
    ...shown,
    ...(omitted > 0 ? [leftOut(omitted)] : []),
    "",
    "</details>",
    "",
  ].join("\n");
}

function leftOut(count: number): string {
  return `\n… and ${count} more, left out to keep this short. The whole report: \`dataplatform access --format html\`.`;
}
