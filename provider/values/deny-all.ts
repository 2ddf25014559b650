import type { Id } from "./id";

/** A policy as the program writes it. */
export interface Element {
  readonly access: "allow" | "deny";
  readonly action?: readonly string[] | undefined;
  readonly condition?: Condition | undefined;
}
interface Condition {
  readonly svcUsers?: readonly Id[] | undefined;
  readonly svcGroups?: readonly Id[] | undefined;
}
export type Policy = readonly Element[];

/** Whether the last element denies everything to everybody whom the policy names, as object policies of the user interface do. */
export function endsWithDenyAll(policy: Policy): boolean {
  const last = policy.at(-1);
  if (last?.access !== "deny" || (last.action && !last.action.includes("all"))) return false;
  const { condition } = last;
  if (!condition) return true;
  return (["svcUsers", "svcGroups"] as const).every((key) => covers(condition[key] ?? [], listedIn(policy, key)));
}

export function listedIn(policy: Policy, key: keyof Condition): Id[] {
  return policy.flatMap((element) => element.condition?.[key] ?? []);
}

export function covers(whole: readonly Id[], part: readonly Id[]): boolean {
  const members = new Set(whole.map(String));
  return part.every((item) => members.has(String(item)));
}
