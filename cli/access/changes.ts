import type { Id } from "../../provider/values/id";
import { type Access, type AccessClass, possibleStates, type Verdict } from "./verdicts";

export const changeKinds = ["gains", "may-gain", "loses", "may-lose"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One change of access, for everybody for whom it has the same reason. */
export interface AccessChange {
  readonly action: string;
  readonly change: ChangeKind;
  /** Indexes in the directory's users. */
  readonly users: readonly number[];
  readonly groups: readonly Id[];
  readonly before: Verdict;
  readonly after: Verdict;
}

/** What changes between two readings of the same users. */
export function changesOf(before: Access | Verdict, after: Access, actions: readonly string[]): AccessChange[] {
  const pairs = new Map<string, Pair>();
  const note = (old: AccessClass | undefined, now: AccessClass, key: string, add: (pair: Pair) => void): void => {
    const pair = pairs.get(key) ?? { old, now, users: [], groups: [] };
    pairs.set(key, pair);
    add(pair);
  };
  const isKnown = "classes" in before;
  for (const [user, at] of after.classOfUser.entries()) {
    const was = isKnown ? before.classOfUser[user]! : undefined;
    note(
      was === undefined || !isKnown ? undefined : before.classes[was],
      after.classes[at]!,
      `u ${was} ${at}`,
      (pair) => pair.users.push(user),
    );
  }
  const groupsBefore = isKnown ? groupClasses(before) : new Map<Id, AccessClass>();
  for (const [group, now] of groupClasses(after)) {
    const old = groupsBefore.get(group);
    const key = `g ${old && isKnown ? before.classes.indexOf(old) : ""} ${after.classes.indexOf(now)}`;
    note(old, now, key, (pair) => pair.groups.push(group));
  }
  const unknown = isKnown ? undefined : before;
  return [...pairs.values()].flatMap((pair) => actions.flatMap((action) => changeIn(pair, action, unknown)));
}

interface Pair {
  readonly old: AccessClass | undefined;
  readonly now: AccessClass;
  readonly users: number[];
  readonly groups: Id[];
}

function groupClasses({ classes }: Access): Map<Id, AccessClass> {
  return new Map(classes.flatMap((one) => one.groups.map((group): [Id, AccessClass] => [group, one])));
}

function changeIn({ old, now, users, groups }: Pair, action: string, unknown: Verdict | undefined): AccessChange[] {
  const before = old?.verdicts[action] ?? unknown;
  const after = now.verdicts[action];
  const change = before && after && kindOf(before, after);
  return change ? [{ action, change, users, groups, before, after }] : [];
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
