import type { Id } from "../../provider/values/id";
import type { Decision, PreparedPolicy, UserClass } from "../../sdk/prepared-policy";
import { type User, uncertain } from "./directory";

const states = ["allowed", "denied", "not-said", "unknown"] as const;
export type State = (typeof states)[number];

/** What a policy means for somebody and an action. */
export interface Verdict {
  readonly verdict: State;
  /** Index of the element that decides. */
  readonly by?: number;
  /** The group through which it decides. */
  readonly group?: Id;
  readonly reason: string;
  /** What `unknown` can turn out to be. Absent if nothing is known about it. */
  readonly possible?: readonly State[];
  /** Groups that decide it, if the user is in them. */
  readonly dependsOn?: readonly Id[];
}

function possibleStates({ verdict, possible }: Verdict): readonly State[] {
  return verdict === "unknown" ? (possible ?? states) : [verdict];
}

/** Everybody for whom a policy means the same, for the same reason. */
export interface AccessRow {
  readonly users: readonly Id[];
  /** A group stands for a member whom no element names. */
  readonly groups: readonly Id[];
  /** By action. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

interface Collected extends AccessRow {
  readonly users: Id[];
  readonly groups: Id[];
}

/** What one policy means for these users, and for members of these groups. */
export function accessOf(
  policy: PreparedPolicy,
  users: readonly User[],
  actions: readonly string[],
  groups: readonly Id[],
): readonly AccessRow[] {
  const rows = new Map<UserClass | string, Collected>();
  const rowOf = (key: UserClass | string, decide: (action: string) => Verdict): Collected => {
    const known = rows.get(key);
    if (known) return known;
    const verdicts = Object.fromEntries(actions.map((action) => [action, decide(action)]));
    const row = { users: [], groups: [], verdicts };
    rows.set(key, row);
    return row;
  };
  const numbers = new Map<UserClass, number>();
  const numberOf = (one: UserClass): number => numbers.get(one) ?? numbers.set(one, numbers.size).size - 1;
  const rowOfUser = (user: User): Collected => {
    const [userId, groupIds] = [user.id as number, user.groups as readonly number[]];
    const certain = policy.classOf({ userId, groupIds });
    const open = user.groupsKnown ? [] : (uncertain(user, policy.groupIds) as readonly number[]);
    if (open.length === 0) return rowOf(certain, (action) => verdictOf(certain.decide(action), "the user"));
    const possible = open.map((group) => policy.classOf({ userId, groupIds: [...groupIds, group] }));
    const key = [certain, ...possible].map(numberOf).join(" ");
    return rowOf(key, (action) => uncertainVerdict(certain, possible, open, action));
  };
  for (const user of users) rowOfUser(user).users.push(user.id);
  for (const group of groups) {
    const found = policy.classOf({ userId: Number.NaN, groupIds: [group as number] });
    const row = rowOf(`member ${numberOf(found)}`, (action) => verdictOf(found.decide(action), "a member"));
    row.groups.push(group);
  }
  return [...rows.values()];
}

function stateOf(allowed: Decision["allowed"]): State {
  return allowed === undefined ? "not-said" : allowed ? "allowed" : "denied";
}

function verdictOf({ allowed, by, group, reason }: Decision, who: string): Verdict {
  return {
    verdict: stateOf(allowed),
    ...(by === undefined ? {} : { by }),
    ...(group === undefined ? {} : { group }),
    reason: reason(who),
  };
}

/**
 * For a user of whom nobody knows whether some groups are hers: the verdict if it is the same either way. It is enough to
 * try each group alone: the elements of highest priority decide, and one group alone brings them all.
 */
function uncertainVerdict(
  certain: UserClass,
  possible: readonly UserClass[],
  groups: readonly number[],
  action: string,
): Verdict {
  const without = certain.decide(action);
  const results = possible.map((one) => one.decide(action).allowed);
  const matter = groups.filter((_, index) => results[index] !== without.allowed);
  if (matter.length === 0) return verdictOf(without, "the user");
  return {
    verdict: "unknown",
    dependsOn: matter,
    reason: `it depends on whether the user is in group ${matter.join(" or ")}, which cannot be read`,
    possible: [...new Set([without.allowed, ...results].map(stateOf))],
  };
}

export type ChangeKind = "gains" | "may-gain" | "loses" | "may-lose";

export const changeTitles: Readonly<Record<ChangeKind | "unknown", string>> = {
  gains: "Gained",
  "may-gain": "Possibly gained",
  loses: "Lost",
  "may-lose": "Possibly lost",
  unknown: "Not known in advance",
};

/** One change of access, for everybody for whom it has the same reason. */
interface AccessChange extends Omit<AccessRow, "verdicts"> {
  readonly action: string;
  readonly change: ChangeKind;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** What changes between two readings of the same users. */
export function changesOf(
  before: readonly AccessRow[] | Verdict,
  after: readonly AccessRow[],
  actions: readonly string[],
): AccessChange[] {
  return (["users", "groups"] as const).flatMap((part) => {
    const rows = "verdict" in before ? [] : before;
    const rowBefore = new Map(rows.flatMap((row) => row[part].map((id) => [id, row] as const)));
    return after.flatMap(({ verdicts, [part]: everybody }) =>
      [...groupedBy(everybody, (id) => rowBefore.get(id))].flatMap(([row, some]) =>
        actions.flatMap((action) => {
          const [old, now] = ["verdict" in before ? before : row?.verdicts[action], verdicts[action]];
          const change = old && now && kindOf(old, now);
          return change ? [{ users: [], groups: [], [part]: some, action, change, before: old, after: now }] : [];
        }),
      ),
    );
  });
}

function groupedBy<K>(ids: readonly Id[], keyOf: (id: Id) => K): Map<K, Id[]> {
  const groups = new Map<K, Id[]>();
  for (const id of ids) {
    const group = groups.get(keyOf(id)) ?? [];
    groups.set(keyOf(id), group);
    group.push(id);
  }
  return groups;
}

/** "Not said" is not a verdict, so what comes of it is at most a possibility. */
function kindOf(before: Verdict, after: Verdict): ChangeKind | undefined {
  const [old, now] = [before.verdict, after.verdict];
  // What depends on a group that nobody knows the members of may be another thing than before.
  const [couldBe, canBe] = [before, after].map((verdict) => possibleStates(verdict).includes("allowed"));
  if (old === now) return old !== "unknown" || couldBe === canBe ? undefined : canBe ? "may-gain" : "may-lose";
  if (now === "allowed") return couldBe ? "may-gain" : "gains";
  if (now === "denied") return old === "allowed" ? "loses" : "may-lose";
  if (old === "allowed") return "may-lose";
  if (old === "denied") return "may-gain";
  // From "not said" to something open: nobody gains what no element allows.
  if (now === "unknown") return canBe ? "may-gain" : "may-lose";
  return undefined;
}
