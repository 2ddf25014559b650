import { plural } from "../terminal/plural";
import { type OutputStream, printable, type Style, styleOf } from "../terminal/style";
import type { changeKinds } from "./changes";
import { type AccessReport, type AccessRow, headline, type ObjectReport, visibleChanges } from "./report";
import type { State } from "./verdicts";
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

const marks: Readonly<Record<State, string>> = { allowed: "✓", denied: "✗", "not-said": "?", unknown: "!" };
/** More names would bury the rest; the other formats list everybody. */
const maxNames = 8;
const order = ["unknown", "may-lose", "loses", "may-gain", "gains"] as const satisfies readonly (
  | (typeof changeKinds)[number]
  | "unknown"
)[];

/** For a terminal: with a plan, only what it changes. The most important rows come last, next to the prompt. */
export function tableReport(report: AccessReport, stream: OutputStream = process.stdout): string {
  const style = styleOf(stream);
  const people = report.platforms.map((platform) => new People(platform, { withMarks: true }));
  const body = report.changes
    ? changeLines(report, people, style)
    : report.objects.flatMap((object) => objectLines(object, report, people[object.platform]!, style));
  return `${[...body, ...ending(report, style)].join("\n")}\n`;
}

function objectLines(object: ObjectReport, report: AccessReport, people: People, style: Style): string[] {
  const { actions, access, notes } = object;
  const title = `${style.bold(objectTitle(object, report))}  ${style.dim(sourceWords(object))}`;
  const remarks = notes.map((note) => style.yellow(`  ${printable(note)}`));
  const widths = actions.map((action) =>
    Math.max(action.length, ...Object.values(stateWords).map((word) => word.length + 2)),
  );
  const header = actions.map((action, column) => action.toUpperCase().padEnd(widths[column]!)).join("  ");
  const rows = access.flatMap((row) => rowLines(row, object, { people, style, widths }));
  return [title, ...remarks, ...(rows.length > 0 ? [style.bold(`  ${header}  WHO`), ...rows] : []), ""];
}

interface Look {
  readonly people: People;
  readonly style: Style;
  readonly widths: readonly number[];
}

function rowLines(
  { users, groups, verdicts }: AccessRow,
  { actions }: ObjectReport,
  { people, style, widths }: Look,
): string[] {
  const cells = actions.map((action, column) => {
    const { verdict } = verdicts[action]!;
    return painter(verdict, style)(`${marks[verdict]} ${stateWords[verdict]}`.padEnd(widths[column]!));
  });
  const names = [
    users.length > 0 ? `${users.length === 1 ? "user" : "users"} ${people.users(users, maxNames)}` : "",
    groups.length > 0
      ? `members of ${groups
          .slice(0, maxNames)
          .map((group) => people.group(group))
          .join(", ")}`
      : "",
  ];
  const more = groups.length > maxNames ? ` and ${plural(groups.length - maxNames, "other group")}` : "";
  const who = `${names.filter(Boolean).join("; ")}${more}`;
  // An undecided action needs a reason only if something else is decided, or cannot be read.
  const isSilent = actions.every(
    (action) => verdicts[action]!.verdict === "not-said" && verdicts[action]!.by === undefined,
  );
  const reasons = isSilent
    ? [style.dim(`      ${printable(verdicts[actions[0]!]!.reason.replace(/covers \S+ for/, "covers this for"))}`)]
    : actions.map((action) => style.dim(`      ${action}: ${printable(verdicts[action]!.reason)}`));
  return [`  ${cells.join("  ")}  ${who}`, ...reasons];
}

function changeLines(report: AccessReport, people: readonly People[], style: Style): string[] {
  const visible = visibleChanges(report.changes ?? []);
  return order.flatMap((kind) => {
    const own = visible.filter(({ change }) => change === kind);
    if (own.length === 0) return [];
    const lines = own.flatMap((change) => {
      const paint = kind === "gains" || kind === "may-gain" ? style.yellow : (text: string) => text;
      const reason = changeReason(change);
      return [
        `  ${paint(changeSentence(change, report, people[change.platform]!, maxNames))}`,
        ...(reason ? [style.dim(`      ${reason}`)] : []),
      ];
    });
    return [style.bold(changeTitles[kind]), ...lines, ""];
  });
}

function ending(report: AccessReport, style: Style): string[] {
  const { project, stack, platforms, notes, changes, objects } = report;
  const all = [...notes, ...platforms.flatMap((platform) => platform.notes)];
  const where = platforms
    .map(({ address }) => address)
    .filter(Boolean)
    .join(", ");
  const name = project ? `${project}/${stack}` : "";
  const silent = objects.some(({ access }) =>
    access.some(({ verdicts }) => Object.values(verdicts).some(({ verdict }) => verdict === "not-said")),
  );
  const hasGroups = objects.some(({ access }) => access.some(({ groups }) => groups.length > 0));
  return [
    ...all.map((note) => style.yellow(`note: ${printable(note)}`)),
    ...(hasGroups && !changes ? [style.dim(groupRowText)] : []),
    ...(silent && !changes
      ? [style.dim("not said: the API's manual does not say what applies; neither yes nor no")]
      : []),
    `${style.bold(printable(name))}${name && where ? " " : ""}${where ? `on ${printable(where)}` : ""}`.trim(),
    style.bold(printable(headline(report))),
  ].filter(Boolean);
}

function painter(state: State, style: Style): (text: string) => string {
  if (state === "allowed") return style.green;
  if (state === "denied") return style.red;
  return state === "unknown" ? style.yellow : style.dim;
}
