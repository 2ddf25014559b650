import type { Id } from "../../provider/values/id";
import type { Decision, PreparedPolicy, Subject, UserClass } from "../../sdk/prepared-policy";
import type { Directory } from "./directory";

export const states = ["allowed", "denied", "not-said", "unknown"] as const;
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

export type Verdicts = Readonly<Record<string, Verdict>>;

export function possibleStates({ verdict, possible }: Verdict): readonly State[] {
  return verdict === "unknown" ? (possible ?? states) : [verdict];
}

/** Everybody for whom a policy means the same, for the same reason. */
export interface AccessClass {
  readonly verdicts: Verdicts;
  readonly users: Id[];
  /** Ids of groups: what applies to a member whom no element names. */
  readonly groups: Id[];
}

/** What one policy means for everybody. */
export interface Access {
  readonly classes: readonly AccessClass[];
  /** For each of the directory's users, the index of the class. */
  readonly classOfUser: Uint32Array;
}

/** `groups`: which groups to judge too. */
export function accessOf(
  policy: PreparedPolicy,
  directory: Directory,
  actions: readonly string[],
  groups: readonly Id[],
): Access {
  const classes = new Classes(policy, directory, actions);
  const classOfUser = new Uint32Array(directory.users.length);
  for (const [index, subject] of directory.subjects.entries()) classOfUser[index] = classes.addUser(subject);
  for (const group of groups) classes.addGroup(group);
  return { classes: classes.all, classOfUser };
}

class Classes {
  readonly all: AccessClass[] = [];
  readonly #policy: PreparedPolicy;
  readonly #directory: Directory;
  readonly #actions: readonly string[];
  readonly #indexes = new Map<UserClass | string, number>();
  readonly #numbers = new Map<UserClass, number>();

  constructor(policy: PreparedPolicy, directory: Directory, actions: readonly string[]) {
    this.#policy = policy;
    this.#directory = directory;
    this.#actions = actions;
  }

  addUser(subject: Required<Subject>): number {
    const at = this.#classOf(subject);
    this.all[at]!.users.push(subject.userId);
    return at;
  }

  addGroup(group: Id): void {
    const found = this.#policy.classOf({ userId: Number.NaN, groupIds: [group as number] });
    const key = `member ${this.#number(found)}`;
    const at = this.#index(key, () => this.#verdicts((action) => verdictOf(found.decide(action), "a member")));
    this.all[at]!.groups.push(group);
  }

  #classOf(subject: Required<Subject>): number {
    const { userId, groupIds } = subject;
    const certain = this.#policy.classOf(subject);
    const { isCertain } = this.#directory;
    const open = isCertain ? [] : this.#directory.uncertain(userId, this.#policy.groupIds);
    if (open.length === 0)
      return this.#index(certain, () => this.#verdicts((action) => verdictOf(certain.decide(action), "the user")));
    const possible = open.map((group) => this.#policy.classOf({ userId, groupIds: [...groupIds, group] }));
    const key = [certain, ...possible].map((one) => this.#number(one)).join(" ");
    return this.#index(key, () => this.#verdicts((action) => uncertainVerdict(certain, possible, open, action)));
  }

  #number(found: UserClass): number {
    const known = this.#numbers.get(found) ?? this.#numbers.size;
    this.#numbers.set(found, known);
    return known;
  }

  #index(key: UserClass | string, make: () => Verdicts): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.all.length);
    return this.all.push({ verdicts: make(), users: [], groups: [] }) - 1;
  }

  #verdicts(decide: (action: string) => Verdict): Verdicts {
    return Object.fromEntries(this.#actions.map((action) => [action, decide(action)]));
  }
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
