import { code, type NextStep, type Note, type Report, type Row, type Section, type Tone } from "../report/model";
import { shortList } from "../terminal/plural";
import { quoted } from "../terminal/quote";
import { type AccessReport, countChanges, exitCode, headline, type ObjectReport, visibleChanges } from "./report";
import { type AccessRow, changeTitles, type State } from "./verdicts";
import {
  actionText,
  changeReason,
  changeSentence,
  groupRowText,
  inWords,
  maxNames,
  objectTitle,
  People,
  sourceWords,
} from "./words";

const looks: Readonly<Record<State, { readonly mark: string; readonly tone: Tone }>> = {
  allowed: { mark: "✓", tone: "good" },
  denied: { mark: "✗", tone: "bad" },
  "not-said": { mark: "?", tone: "quiet" },
  unknown: { mark: "!", tone: "warning" },
};

/** With a plan, what it changes; otherwise who may do what. `args`: those of the command, to run it again with more. */
export function readable(report: AccessReport, args: readonly string[] = []): Report {
  const { project, stack, platforms, checkedAt, tool, changes, objects } = report;
  const rows = objects.flatMap(({ access }) => access);
  const isSilent = rows.some(({ verdicts }) => Object.values(verdicts).some(({ verdict }) => verdict === "not-said"));
  return {
    about: "Data platform access",
    title: project ? `${project}/${stack}` : "",
    headline: headline(report),
    tone: ([changes ? "good" : "plain", "bad", "warning"] as const)[exitCode(report, true)],
    checkedAt,
    tool,
    platforms: platforms.flatMap(({ address }) => (address ? [address] : [])),
    legend: [
      ...actionText(report),
      ...(!changes && rows.some(({ groups }) => groups.length > 0) ? [groupRowText] : []),
      ...(!changes && isSilent ? ["not said: the API's manual does not say what applies; neither yes nor no"] : []),
    ],
    notes: notesOf(report),
    lists: "What the plan changes",
    sections: changes ? changeSections(report) : objectSections(report),
    isRanked: changes !== undefined,
    // A plan that changes nobody's access leaves nothing to find out.
    steps: changes && visibleChanges(changes).length === 0 ? [] : nameGroups(report, args),
    whole: "dataplatform access --format html",
  };
}

function nameGroups({ platforms }: AccessReport, args: readonly string[]): NextStep[] {
  const unnamed = platforms.flatMap(({ unnamedGroups }) => unnamedGroups ?? []);
  // To ask again for a name that was given would lead nowhere: a note says that nobody is shown in that group.
  const told = new Set(args.map((arg) => /^(?:--group=)?([^=]+)=/.exec(arg)?.[1]));
  const ids = [...new Set(unnamed.flatMap((one) => one.ids))].filter((id) => !told.has(String(id)));
  if (ids.length === 0) return [];
  const names = [...new Set(unnamed.flatMap((one) => one.names))];
  const given = [...args, ...ids.flatMap((id) => ["--group", `${id}=NAME`])].map(quoted);
  return [
    {
      isFirst: true,
      title: "Say which name belongs to which id, and run",
      text: `Policies name groups by id, but this platform shows the groups of users by name (${shortList(names, maxNames)}), so who is in group ${shortList(ids, maxNames)} is open.`,
      command: ["dataplatform access", ...given].join(" "),
    },
  ];
}

function notesOf(report: AccessReport): Note[] {
  const all = [...report.notes, ...report.platforms.flatMap((platform) => platform.notes)];
  const ofObjects = report.changes
    ? []
    : report.objects.flatMap((object) => {
        const unknown = object.unknown === undefined ? [] : [sourceWords(object)];
        return [...unknown, ...object.notes].map((note) => `${objectTitle(object, report)}: ${note}`);
      });
  return [...ofObjects, ...all.map((note) => `note: ${note}`)].map((note) => ({ note, tone: "warning" }));
}

function peopleIn({ platforms }: AccessReport): People[] {
  return platforms.map((platform) => new People(platform, { withMarks: true }));
}

/** A row may be about many users; the count is that of the headline. */
function changeSections(report: AccessReport): Section[] {
  const people = peopleIn(report);
  const visible = visibleChanges(report.changes ?? []);
  return (["gains", "may-gain", "unknown", "loses", "may-lose"] as const).flatMap((kind) => {
    const own = visible.filter(({ change }) => change === kind);
    if (own.length === 0) return [];
    const tone = kind === "loses" || kind === "may-lose" ? "plain" : "warning";
    const rows = own.map((change): Row => {
      const reason = changeReason(change);
      const sentence = changeSentence(change, report, people[change.platform]!);
      return { tone, cells: [sentence], more: reason ? [{ remark: reason, tone: "quiet" }] : [] };
    });
    return [{ title: changeTitles[kind], count: countChanges(own)[kind], tone, isOpen: tone === "warning", rows }];
  });
}

function objectSections(report: AccessReport): Section[] {
  const people = peopleIn(report);
  return report.objects.flatMap((object) => {
    const title = objectTitle(object, report);
    const elements = object.policy?.map((element, index) => ({
      cells: [`element ${index}:`, code(JSON.stringify(element))],
    }));
    return [
      {
        title: `${title}: ${sourceWords(object)}`,
        columns: [...object.actions, "who", "why"],
        rows: object.access.map((row) => accessRow(row, object, people[object.platform]!)),
      },
      { title: `${title}: the policy`, isAside: true, rows: elements ?? [] },
    ];
  });
}

function accessRow({ users, groups, verdicts }: AccessRow, { actions }: ObjectReport, people: People): Row {
  const words = actions.map((action) => {
    const { verdict, dependsOn } = verdicts[action]!;
    const { mark, tone } = looks[verdict];
    const word = dependsOn ? `depends on group ${shortList(dependsOn, 2)}` : inWords(verdict);
    return { word: `${mark} ${word}`, tone };
  });
  const who = [users.length > 0 ? people.users(users) : "", groups.length > 0 ? people.membersOf(groups) : ""];
  // An undecided action needs a reason only if something else is decided, or cannot be read.
  const isSilent = actions.every(
    (action) => verdicts[action]!.verdict === "not-said" && verdicts[action]!.by === undefined,
  );
  const reasons = isSilent
    ? [verdicts[actions[0]!]!.reason.replace(/covers \S+ for/, "covers this for")]
    : actions.map((action) => `${action}: ${verdicts[action]!.reason}`);
  return {
    cells: [...words, who.filter(Boolean).join("; ")],
    more: reasons.map((remark) => ({ remark, tone: "quiet" })),
  };
}
