import type { Id } from "../../provider/values/id";
import { plural, shortList } from "../terminal/plural";
import { printable } from "../terminal/style";
import type { UserReport } from "./directory";
import type { AccessReport, ChangeReport, ObjectReport, PlatformReport, PolicyReport } from "./report";
import { titleOf } from "./target";
import type { ChangeKind, State } from "./verdicts";

/** More names would bury the rest; the JSON lists everybody. */
export const maxNames = 12;

/** `not said`, `may gain`: a verdict or a change, for people. */
export function inWords(name: State | ChangeKind): string {
  return name.replace("-", " ");
}

/** Why the row of a user can differ from that of a group that the user is in. */
export const groupRowText =
  "members of a group: what that group alone gets; the row of a user counts all groups and elements that cover the user";

/** What the actions are, as policies and verdicts name them. */
export function actionText({ objects }: Pick<AccessReport, "objects">): string[] {
  const kinds = new Set(objects.map(({ kind }) => kind));
  return [
    ...(kinds.has("object")
      ? ["manage: change the object's permissions; all, in a policy: read, update and delete, but not manage"]
      : []),
    ...(kinds.has("folder") ? ["all, in the policy of a folder: the API's manual does not say what it covers"] : []),
  ];
}

/** How the users and groups of an account are called in texts. */
export class People {
  readonly #users: ReadonlyMap<Id, string>;
  readonly #groups: ReadonlyMap<Id, string>;

  /** `withMarks`: also says who is disabled, pending or not listed. */
  constructor({ users, groups }: PlatformReport, { withMarks = false } = {}) {
    const label = (id: Id, ...words: readonly (string | undefined)[]) => {
      const known = words.filter(Boolean).join(", ");
      return printable(known ? `${id} (${known})` : String(id));
    };
    // Without a list of users, that nobody is in it says nothing.
    const hasList = users.some(({ listed }) => listed);
    const marks = (user: UserReport) => (withMarks ? marksOf(user, hasList) : []);
    this.#users = new Map(users.map((user) => [user.id, label(user.id, user.email ?? user.name, ...marks(user))]));
    this.#groups = new Map(groups.map(({ id, name }) => [id, label(id, name)]));
  }

  user(id: Id): string {
    return this.#users.get(id) ?? printable(String(id));
  }

  /** `group 204 (analysts)` */
  group(id: Id): string {
    return `group ${this.#groups.get(id) ?? printable(String(id))}`;
  }

  /** `users 104 (ana@example.com), 105 (otto@example.com) and 3 more` */
  users(ids: readonly Id[]): string {
    const names = ids.map((id) => this.user(id));
    return `${ids.length === 1 ? "user" : "users"} ${shortList(names, maxNames)}`;
  }

  /** `members of group 204 (analysts) and 3 other groups` */
  membersOf(groups: readonly Id[]): string {
    const listed = groups.slice(0, maxNames).map((group) => this.group(group));
    const more = groups.length > maxNames ? ` and ${plural(groups.length - maxNames, "other group")}` : "";
    return `members of ${listed.join(", ")}${more}`;
  }
}

function marksOf({ disabled, pending, listed }: UserReport, hasList: boolean): string[] {
  const unlisted = pending ? "pending" : "not in the list of users";
  return [disabled ? "disabled" : "", listed || !hasList ? "" : unlisted].filter(Boolean);
}

/** `note/501`, with the address if the report is about several accounts. */
export function objectTitle({ kind, object, platform }: Place, { platforms }: AccessReport): string {
  const title = printable(titleOf({ kind, key: object }));
  return platforms.length > 1 ? `${title} (account ${platform + 1} at ${platforms[platform]!.address || "?"})` : title;
}
type Place = Pick<ObjectReport, "kind" | "object" | "platform">;

/** `user 104 (ana@example.com) gains delete on note/501 through group 204 (analysts)` */
export function changeSentence(change: ChangeReport, report: AccessReport, people: People): string {
  const object = objectTitle(change, report);
  if (change.change === "unknown") return `${object}: ${printable(change.reason ?? "")}`;
  const { users, groups, action, before, after } = change;
  const verb = inWords(change.change);
  const many = verb.replace(/s$/, "");
  if (users.length === 0) return `${people.membersOf(groups)} ${many} ${action} on ${object}`;
  const group = (change.change === "gains" || change.change === "may-gain" ? after : before)?.group;
  const way = group === undefined ? "" : ` through ${people.group(group)}`;
  return `${people.users(users)} ${users.length === 1 ? verb : many} ${action} on ${object}${way}`;
}

/** `not said before, allowed after: element 0 allows …` */
export function changeReason({ before, after }: ChangeReport): string {
  if (!before || !after) return "";
  const old = before.verdict === "unknown" ? `unknown before (${before.reason})` : `${inWords(before.verdict)} before`;
  return printable(`${old}, ${inWords(after.verdict)} after: ${after.reason}`);
}

/** In words: where the policy comes from. */
export function sourceWords({ from, unknown }: PolicyReport): string {
  return unknown === undefined ? `policy from the ${from}` : `policy unknown: ${printable(unknown)}`;
}
