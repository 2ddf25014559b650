import { z } from "zod";
import { urnParts } from "../../provider/core/urn";
import type { StateResource } from "./state";

/** Of a resource in a plan, what says which one of the state it is. */
interface Named {
  readonly goal?:
    | { readonly parent?: unknown; readonly aliases?: unknown; readonly structuredAliases?: unknown }
    | null
    | undefined;
}
type Plans = Readonly<Record<string, Named | undefined>>;

const text = z.string().catch("");
const structured = z.array(z.object({ URN: text, Name: text, Type: text })).catch([]);
const urns = z.array(z.string()).catch([]);

/** By its new URN, what the state has under another: the program gave it, or the component that it is in, an alias. */
export function renamedIn(plans: Plans, resources: readonly StateResource[]): ReadonlyMap<string, StateResource> {
  const left = unplannedIn(plans, resources);
  const known = new Set(resources.map(({ urn }) => urn));
  const found = Object.keys(plans).flatMap((urn) => {
    if (known.has(urn)) return [];
    const { names, types, whole } = aliasesOf(urn, plans);
    const isIt = (one: StateResource): boolean => {
      const { name, type } = urnParts(one.urn);
      return whole.has(one.urn) || (names.has(name) && types.has(type));
    };
    const candidates = left.filter(isIt);
    // Of several, nobody here knows which one the engine takes.
    return candidates.length === 1 ? [[urn, candidates[0]!] as const] : [];
  });
  return new Map(found);
}

/** What the state has and the plan does not name. */
export function unplannedIn(plans: Plans, resources: readonly StateResource[]): StateResource[] {
  return resources.filter(({ urn, delete: isGone }) => isGone !== true && !(urn in plans));
}

/** The names, types and URNs that a resource may have had. A child whose name begins with its parent's follows that. */
function aliasesOf(urn: string, plans: Plans, depth = 0) {
  const { goal } = plans[urn] ?? {};
  const own = urnParts(urn);
  const aliases = structured.parse(goal?.structuredAliases);
  const names = new Set([own.name, ...aliases.map(({ Name }) => Name)]);
  const parent = typeof goal?.parent === "string" ? goal.parent : "";
  const parentName = urnParts(parent).name;
  if (parent in plans && own.name.startsWith(parentName) && depth < 10)
    for (const before of aliasesOf(parent, plans, depth + 1).names)
      names.add(before + own.name.slice(parentName.length));
  return {
    names: new Set([...names].filter(Boolean)),
    types: new Set([own.type, ...aliases.map(({ Type }) => Type)]),
    whole: new Set([...urns.parse(goal?.aliases), ...aliases.map(({ URN }) => URN)]),
  };
}
