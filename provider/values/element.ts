import type { Id } from "./id";

/** The elements of policies. Without zod, which the policy pack must not load. */

export interface Element {
  readonly access: "allow" | "deny";
  readonly action?: readonly string[] | undefined;
  readonly condition?: Condition | undefined;
}
interface Condition {
  readonly svcUsers?: readonly Id[] | undefined;
  readonly svcGroups?: readonly Id[] | undefined;
}
/** A policy as the program writes it. */
export type Policy = readonly Element[];

/** Whom an element is about: `user 104`, `group 203`. Empty where it is about everybody. */
export function principalsIn({ condition }: Element): string[] {
  const { svcUsers, svcGroups } = condition ?? {};
  return [...(svcUsers ?? []).map((id) => `user ${id}`), ...(svcGroups ?? []).map((id) => `group ${id}`)];
}

export function listedIn(policy: Policy, key: keyof Condition): Id[] {
  return policy.flatMap((element) => element.condition?.[key] ?? []);
}

/** With `all` written out as the actions it stands for. */
export function expanded(actions: readonly string[], all: readonly string[]): string[] {
  return actions.flatMap((name) => (name === "all" ? all : [name]));
}

/** Whether these are all actions that `all` stands for, and perhaps others. */
export function coversAll(actions: readonly string[], all: readonly string[]): boolean {
  return all.every((name) => expanded(actions, all).includes(name));
}

/** Whether the last element denies everything to everybody whom the policy names, as object policies of the user interface do. */
export function endsWithDenyAll(policy: Policy): boolean {
  const last = policy.at(-1);
  if (last?.access !== "deny" || (last.action && !last.action.includes("all"))) return false;
  const denied = new Set(principalsIn(last));
  return !last.condition || policy.flatMap(principalsIn).every((one) => denied.has(one));
}

/** What may narrow an element down: conditions that the manual does not know, and that say something else than who it is about. */
export function unknownConditionsOf({ condition = {} }: Element): string[] {
  const { svcUsers: _, svcGroups: __, ...others } = condition;
  const saysNothing = (value: unknown) => (value ?? "") === "" || (Array.isArray(value) && value.length === 0);
  return Object.entries<unknown>(others)
    .filter(([name, value]) => !saysNothing(value) && !saysWho(name, value, condition))
    .map(([name]) => name);
}

/** A platform may show names beside the ids, such as `svc_group_names`: one for each of them. */
export function saysWho(field: string, value: unknown, condition: Element["condition"]): boolean {
  const [, who] =
    /^(?:svc)?(user|group)s?(?:display|full)?(?:name|e?mail|login|label)s?$/i.exec(field.replace(/[_-]/g, "")) ?? [];
  const ids = (who?.toLowerCase() === "user" ? condition?.svcUsers : condition?.svcGroups) ?? [];
  const said = typeof value === "string" ? value.split(",") : Object(value);
  return who !== undefined && Object.keys(said).length === ids.length;
}
