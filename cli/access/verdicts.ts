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

export function possibleStates({ verdict, possible }: Verdict): readonly State[] {
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
