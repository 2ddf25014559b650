import type { Id } from "../../provider/values/id";
import { escaped, htmlReport } from "../report/html";
import type { Section } from "../report/model";
import { printable } from "../terminal/style";
import { script } from "./html-script";
import { style } from "./html-style";
import { readable } from "./readable";
import type { AccessReport, ObjectReport, PlatformReport, PolicyReport } from "./report";
import { objectTitle, People, sourceWords } from "./words";

/** A matrix instead of lists of objects. It needs scripts, which build only what is visible: it may have a million cells. */
export function accessPage(report: AccessReport, args?: readonly string[]): string {
  const { title, sections, ...rest } = readable(report, args);
  const data = JSON.stringify(dataOf(report)).replaceAll("<", "\\u003c");
  const after = `<section id="why" aria-labelledby="why-title" aria-live="polite" hidden>
<header><h2 id="why-title"></h2><button type="button" id="close">Close</button></header>
<small id="why-source"></small>
<dl id="why-list"></dl>
</section>
<script type="application/json" id="data">${data}</script>
`;
  const changes = report.changes ? sections.map(shortened) : [];
  const page = { ...rest, title: title || "objects", sections: changes };
  return htmlReport(page, { style, script, main: matrix(report), after });
}

/** More would make the page slow. */
const mostChanges = 200;

function shortened(section: Section): Section {
  const left = section.rows.length - mostChanges;
  if (left <= 0) return section;
  return {
    ...section,
    rows: [...section.rows.slice(0, mostChanges), { cells: [`… and ${left} more: see the matrix`] }],
  };
}

function matrix(report: AccessReport): string {
  const actions = actionsIn(report);
  const first = report.changes?.[0];
  // It opens on something that changes.
  const opening = actions.find((action) => action === first?.action) ?? actions[0];
  const buttons = actions.map(
    (action) =>
      `<button type="button" data-action="${escaped(action)}" aria-pressed="${action === opening}">${escaped(action)}</button>`,
  );
  const options = report.platforms.map(
    ({ address }, index) =>
      `<option value="${index}"${index === first?.platform ? " selected" : ""}>account ${index + 1}: ${escaped(address || "unknown")}</option>`,
  );
  const account =
    report.platforms.length > 1 ? `<label>Account<select id="account">${options.join("")}</select></label>` : "";
  const changed = first
    ? '<label class="check"><input type="checkbox" id="changed" checked> only what changes</label>'
    : "";
  const when = report.changes ? ", after the plan" : "";
  return `<section aria-labelledby="all"><h2 id="all">Who may do what${when}</h2>
<noscript><p>The matrix needs scripts. "dataplatform access --format table" shows the same without.</p></noscript>
<div class="tools">
<fieldset><legend>Action</legend>${buttons.join("")}</fieldset>
${account}
<label>People<input id="who" type="search" placeholder="Name, id or group" autocomplete="off"></label>
<label>Objects<input id="what" type="search" placeholder="Type, id or folder" autocomplete="off"></label>
${changed}
</div>
<output id="count"></output>
<div id="grid" role="grid" tabindex="0" aria-labelledby="all" aria-describedby="keys"><div id="sheet" role="presentation"></div></div>
<p id="nothing" hidden>Nothing matches.</p>
<ul class="legend"><li>✓ allowed</li><li>✗ denied</li><li>? not said by the API's manual</li><li>! cannot be read, or known only after up</li>${changed && "<li>a framed cell changes; other actions that change are named in it</li>"}<li id="keys">Arrow keys move, Enter shows why.</li><li>Only policies are taken into account: what an owner or an administrator may do besides is not in them.</li></ul>
</section>`;
}

function actionsIn({ objects }: AccessReport): string[] {
  const found = [...new Set(objects.flatMap(({ actions }) => actions))];
  return found.length > 0 ? found : ["read"];
}

/** What the script needs, with people as numbers: there may be a million pairs. */
function dataOf(report: AccessReport): unknown {
  const rows = report.objects.flatMap(({ access, after }) => [...access, ...(after?.access ?? [])]);
  const judged = new Set(rows.flatMap((row) => row.groups));
  // Groups without a verdict, which no policy names, are no rows.
  const accounts = report.platforms.map((platform) => ({
    platform,
    groups: platform.groups.map(({ id }) => id).filter((id) => judged.has(id)),
  }));
  const numbers = accounts.map(({ platform: { users }, groups }) => ({
    users: new Map(users.map(({ id }, index) => [id, index])),
    groups: new Map(groups.map((id, index) => [id, users.length + index])),
  }));
  return {
    accounts: accounts.map(({ platform, groups }) => ({ people: peopleOf(platform, groups) })),
    objects: report.objects.map((object) => ({
      account: object.platform,
      title: objectTitle(object, report),
      actions: object.actions,
      source: object.after
        ? `${sourceWords(object)}; after the plan: ${sourceWords(object.after)}`
        : sourceWords(object),
      notes: object.notes.map(printable),
      now: sideOf(object, object, numbers[object.platform]!),
      ...(object.after ? { after: sideOf(object, object.after, numbers[object.platform]!) } : {}),
    })),
  };
}

function peopleOf(platform: PlatformReport, groups: readonly Id[]): unknown[] {
  const people = new People(platform);
  const users = platform.users.map(({ id, name, groups, groupsKnown, disabled, listed }) => {
    const more = [
      name ?? "",
      disabled ? "disabled" : "",
      listed ? "" : "not in the list of users",
      ...groups.map((group) => people.group(group)),
      groupsKnown ? "" : "may be in other groups",
    ];
    return { label: people.user(id), more: printable(more.filter(Boolean).join(", ")), disabled };
  });
  return [...users, ...groups.map((id) => ({ label: people.group(id), more: "members whom no element names" }))];
}

interface Numbers {
  readonly users: ReadonlyMap<Id, number>;
  readonly groups: ReadonlyMap<Id, number>;
}

/** The people of the longest row are left out: they are the rest. Groups that this policy does not name are in no row. */
function sideOf({ actions }: ObjectReport, side: PolicyReport, numbers: Numbers): unknown {
  if (side.unknown !== undefined) return { unknown: printable(side.unknown) };
  const rows = side.access.map(({ users, groups, verdicts }) => ({
    v: actions.map((action) => {
      const { verdict, reason, by } = verdicts[action]!;
      return [verdict, printable(reason), by ?? null];
    }),
    p: [...users.map((id) => numbers.users.get(id)!), ...groups.flatMap((id) => numbers.groups.get(id) ?? [])],
  }));
  const named = new Set(side.access.flatMap(({ groups }) => groups));
  const others = [...numbers.groups].filter(([id]) => !named.has(id)).map(([, number]) => number);
  const longest = rows.reduce((best, row, index) => (row.p.length > (rows[best]?.p.length ?? -1) ? index : best), 0);
  const packed = [...rows.map((row, index) => (index === longest ? { ...row, p: [] } : row)), { v: [], p: others }];
  return {
    rest: longest,
    rows: packed,
    policy: (side.policy ?? []).map((element) => printable(JSON.stringify(element))),
  };
}
