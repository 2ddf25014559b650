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

/** The objects and folders of a stack and a plan. With `wanted`, only those, whether the stack has them or not. */
export function itemsOf(
  state: readonly StateResource[],
  plan: Plan | undefined,
  wanted: readonly Target[] | undefined,
): Items {
  const found = new Found();
  for (const resource of managedResources(state).filter(setsAccess)) found.note(resource)?.declared.push(resource);
  for (const resource of plan?.untouched.filter(setsAccess) ?? []) found.note(resource);
  for (const step of plan?.steps.filter((one) => setsAccess(resourceIn(one))) ?? [])
    found.change(resourceIn(step))?.steps.push(step);
  return found.chosen(wanted);
}

interface Collected extends Item {
  readonly declared: Managed[];
  readonly steps: Step[];
}

class Found {
  readonly #items = new Map<string, Collected>();
  readonly #notes = new Set<string>();
  readonly #unclear = new Set<string>();

  note(resource: Managed): Collected | undefined {
    return this.#find(resource, this.#notes);
  }

  /** What the plan does to the resource changes access. */
  change(resource: Managed): Collected | undefined {
    return this.#find(resource, this.#unclear);
  }

  chosen(wanted: readonly Target[] | undefined): Items {
    const nameOf = ({ kind, key }: Target) => `${kind} ${key}`;
    const present = new Set([...this.#items.values()].map(({ target }) => nameOf(target)));
    for (const target of wanted ?? []) if (!present.has(nameOf(target))) this.#at(target, undefined);
    const names = wanted && new Set(wanted.map(nameOf));
    const order = new Intl.Collator("en", { numeric: true });
    const items = [...this.#items.values()]
      .filter(({ target }) => names?.has(nameOf(target)) ?? true)
      .sort((a, b) => order.compare(titleOf(a.target), titleOf(b.target)));
    return { items, notes: [...new Set([...this.#notes, ...this.#unclear])], unclear: [...this.#unclear] };
  }

  #find(resource: Managed, missed: Set<string>): Collected | undefined {
    const target = targetOf(resource);
    if (!("unknown" in target)) return this.#at(target, resource.provider);
    missed.add(`${resource.type} ${resource.name} is left out: ${target.unknown}`);
    return undefined;
  }

  #at(target: Target, provider: string | undefined): Collected {
    const key = JSON.stringify([provider, target.kind, target.key]);
    const known = this.#items.get(key) ?? { target, provider, declared: [], steps: [] };
    this.#items.set(key, known);
    return known;
  }
}
