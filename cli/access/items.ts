import { type Managed, managedResources } from "../pulumi/managed";
import type { StateResource } from "../pulumi/stack";
import { type Plan, resourceIn, type Step } from "./plan";
import { setsAccess, type Target, targetOf, titleOf } from "./target";

/** An object or a folder, and the resources that set its policy. */
export interface Item {
  readonly target: Target;
  /** The explicit provider of those resources; undefined for the stack's settings. */
  readonly provider: string | undefined;
  /** In the state. */
  readonly declared: readonly Managed[];
  /** What the plan does to those resources. */
  readonly steps: readonly Step[];
}

export interface Items {
  readonly items: readonly Item[];
  /** Resources whose object is not known. */
  readonly notes: readonly string[];
  /** Those of the notes about resources that the plan changes: somebody may gain something by them. */
  readonly unclear: readonly string[];
}

interface Collected extends Item {
  readonly declared: Managed[];
  readonly steps: Step[];
}

/** The objects and folders of a stack and a plan. If some are `wanted`, only those, whether the stack has them or not. */
export function itemsOf(
  state: readonly StateResource[],
  plan: Plan | undefined,
  wanted: readonly Target[] = [],
): Items {
  const found = new Map<string, Collected>();
  const at = (target: Target, provider?: string): Collected => {
    const key = JSON.stringify([provider, titleOf(target)]);
    const item = found.get(key) ?? { target, provider, declared: [], steps: [] };
    found.set(key, item);
    return item;
  };
  const [notes, unclear] = [new Set<string>(), new Set<string>()];
  const itemOf = (resource: Managed, missed: Set<string>): Collected | undefined => {
    const target = targetOf(resource);
    if (!("unknown" in target)) return at(target, resource.provider);
    missed.add(`${resource.type} ${resource.name} is left out: ${target.unknown}`);
    return undefined;
  };
  for (const resource of managedResources(state).filter(setsAccess)) itemOf(resource, notes)?.declared.push(resource);
  for (const resource of plan?.untouched.filter(setsAccess) ?? []) itemOf(resource, notes);
  for (const step of plan?.steps ?? [])
    if (setsAccess(resourceIn(step))) itemOf(resourceIn(step), unclear)?.steps.push(step);
  const present = new Set([...found.values()].map(({ target }) => titleOf(target)));
  for (const target of wanted) if (!present.has(titleOf(target))) at(target);
  const titles = wanted.length > 0 ? new Set(wanted.map(titleOf)) : present;
  const order = new Intl.Collator("en", { numeric: true });
  const items = [...found.values()]
    .filter(({ target }) => titles.has(titleOf(target)))
    .sort((a, b) => order.compare(titleOf(a.target), titleOf(b.target)));
  return { items, notes: [...new Set([...notes, ...unclear])], unclear: [...unclear] };
}
