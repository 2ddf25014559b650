import type { Id } from "../../provider/values/id";
import { type AccessRow, possibleStates, type Verdict } from "./verdicts";

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
