import type { Id } from "../../provider/values/id";
import { plural, shortList } from "../terminal/plural";
import { printable } from "../terminal/style";
import type { ChangeKind } from "./changes";
import type { AccessReport, ChangeReport, ObjectReport, PlatformReport, PolicyReport, UserReport } from "./report";
import { titleOf } from "./target";
import type { State, Verdict } from "./verdicts";

/** For people. */
export const stateWords: Readonly<Record<State, string>> = {
  allowed: "allowed",
  denied: "denied",
  "not-said": "not said",
  unknown: "unknown",
};

export const changeTitles: Readonly<Record<ChangeKind | "unknown", string>> = {
  gains: "Gained",
  "may-gain": "Possibly gained",
  unknown: "Not known in advance",
  loses: "Lost",
  "may-lose": "Possibly lost",
};

const verbs: Readonly<Record<ChangeKind, readonly [one: string, many: string]>> = {
  gains: ["gains", "gain"],
  "may-gain": ["may gain", "may gain"],
  loses: ["loses", "lose"],
  "may-lose": ["may lose", "may lose"],
};

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

  /** `104 (ana@example.com), 105 (otto@example.com) and 3 more` */
  users(ids: readonly Id[], limit: number): string {
    return shortList(
      ids.map((id) => this.user(id)),
      limit,
    );
  }
}

function marksOf({ disabled, pending, listed }: UserReport, hasList: boolean): string[] {
  const unlisted = pending ? "pending" : "not in the list of users";
  return [disabled ? "disabled" : "", listed || !hasList ? "" : unlisted].filter(Boolean);
}

/** ` through group 204 (analysts)`, or nothing. */
export function through({ group }: Verdict, people: People): string {
  return group === undefined ? "" : ` through ${people.group(group)}`;
}

/** `note/501`, with the address if the report is about several accounts. */
export function objectTitle({ kind, object, platform }: Place, { platforms }: AccessReport): string {
  const title = printable(titleOf({ kind, key: object }));
  return platforms.length > 1 ? `${title} (account ${platform + 1} at ${platforms[platform]!.address || "?"})` : title;
}
type Place = Pick<ObjectReport, "kind" | "object" | "platform">;

/** `members of group 204 (analysts) and 3 other groups` */
export function membersText(groups: readonly Id[], people: People, limit: number): string {
  const listed = groups.slice(0, limit).map((group) => people.group(group));
  const more = groups.length > limit ? ` and ${plural(groups.length - limit, "other group")}` : "";
  return `members of ${listed.join(", ")}${more}`;
}

/** `user 104 (ana@example.com) gains delete on note/501 through group 204 (analysts)` */
export function changeSentence(change: ChangeReport, report: AccessReport, people: People, limit: number): string {
  const object = objectTitle(change, report);
  if (change.change === "unknown") return `${object}: ${printable(change.reason ?? "")}`;
  const { users, groups, action, before, after } = change;
  const [one, many] = verbs[change.change];
  const decides = change.change === "gains" || change.change === "may-gain" ? after : before;
  const way = decides ? through(decides, people) : "";
  if (users.length === 0) return `${membersText(groups, people, limit)} ${many} ${action} on ${object}`;
  const who = `${users.length === 1 ? "user" : "users"} ${people.users(users, limit)}`;
  return `${who} ${users.length === 1 ? one : many} ${action} on ${object}${way}`;
}

/** `not said before, allowed after: element 0 allows …` */
export function changeReason({ before, after }: ChangeReport): string {
  if (!before || !after) return "";
  const old =
    before.verdict === "unknown" ? `unknown before (${before.reason})` : `${stateWords[before.verdict]} before`;
  return printable(`${old}, ${stateWords[after.verdict]} after: ${after.reason}`);
}

/** In words: where the policy comes from. */
export function sourceWords({ from, unknown }: PolicyReport): string {
  if (unknown !== undefined) return `policy unknown: ${printable(unknown)}`;
  return from === "platform" ? "policy from the platform" : `policy from the ${from}`;
}
