import { z } from "zod";
import { urnParts } from "../../provider/core/urn";
import { shortName } from "../pulumi/subject";
import { Refused } from "./refused";
import type { StateResource } from "./state";

/** Of a resource in a plan, what says which one of the state it is. The engine does not read `aliases` back. */
interface Named {
  readonly goal?:
    | { readonly parent?: unknown; readonly structuredAliases?: unknown; readonly id?: unknown }
    | null
    | undefined;
  readonly steps?: readonly string[] | null | undefined;
}
type Plans = Readonly<Record<string, Named | undefined>>;

const text = z.string().catch("");
const Aliases = z
  .array(
    z.object({
      ...{ URN: text, Name: text, Type: text, Project: text, Stack: text, Parent: text },
      NoParent: z.boolean().catch(false),
    }),
  )
  .catch([]);

/** By its new URN, what the state has under another: the program gave it, or the component that it is in, an alias. */
export function renamedIn(plans: Plans, resources: readonly StateResource[]): ReadonlyMap<string, StateResource> {
  const known = new Set(resources.map(({ urn }) => urn));
  const left = new Map(unplannedIn(plans, resources).map((resource) => [resource.urn, resource]));
  const seen: Seen = new Map();
  const found = Object.keys(plans).flatMap((urn) => {
    const isItself = (alias: string): boolean => left.has(alias) && isKept(plans[urn], left.get(alias)!);
    const candidates = known.has(urn) ? [] : [...aliasesOf(urn, plans, seen)].filter(isItself);
    // Of several, nobody here knows which one the engine takes.
    return candidates.length === 1 ? [[urn, candidates[0]!] as const] : [];
  });
  const isTakenOnce = (old: string): boolean => found.filter(([, other]) => other === old).length === 1;
  return new Map(found.filter(([, old]) => isTakenOnce(old)).map(([urn, old]) => [urn, left.get(old)!]));
}

/** What is created, or imported by another id, is something else, whatever its aliases say: the old one is not in it. */
function isKept({ goal, steps }: Named = {}, { id, importID }: StateResource): boolean {
  return !steps?.includes("create") && (!goal?.id || goal.id === (importID || id));
}

/** What the state has and the plan does not name. */
function unplannedIn(plans: Plans, resources: readonly StateResource[]): StateResource[] {
  return resources.filter(({ urn, delete: isGone }) => isGone !== true && !(urn in plans));
}

/** The same, without what the plan has under another name. */
export function leftOutOf(plans: Plans, resources: readonly StateResource[]): StateResource[] {
  const renamed = new Set(renamedIn(plans, resources).values());
  return unplannedIn(plans, resources).filter((resource) => !renamed.has(resource));
}

/**
 * The engine writes a step for all that is managed, and none for what a program reads instead: from then on, nobody
 * compares or protects that, and the plan would not say so.
 */
export function releasedGates(plans: Plans, resources: readonly StateResource[]): string[] {
  const isManaged = ({ custom, external, viewOf }: StateResource): boolean =>
    custom !== false && external !== true && !viewOf;
  return leftOutOf(plans, resources)
    .filter(isManaged)
    .map(
      ({ urn, protect }) =>
        `released: ${shortName(urn)} is managed by this stack${protect === true ? ", and protected" : ""}, and the plan has no step for it: the program would only read it, or the plan was changed. To leave it to others, run "pulumi state delete '${urn}'" first`,
    );
}

/** The URNs that a resource may have had, as the engine works them out: from its own aliases, and from its parent's. */
function aliasesOf(urn: string, plans: Plans, seen: Seen): ReadonlySet<string> {
  const before = seen.get(urn);
  if (before) return before;
  // Of a circle, which the engine does not write, the second round adds nothing.
  seen.set(urn, new Set());
  const found = workedOut(urn, plans, seen);
  seen.set(urn, found);
  return found;
}

type Seen = Map<string, ReadonlySet<string>>;

/** Aliases of parents multiply: who has more of them wants to keep us busy. */
const most = 10_000;

function workedOut(urn: string, plans: Plans, seen: Seen): ReadonlySet<string> {
  const { goal } = plans[urn] ?? {};
  const own = urnParts(urn);
  const parent = text.parse(goal?.parent);
  const aliases = Aliases.parse(goal?.structuredAliases);
  const found = new Set(aliases.flatMap(({ URN }) => (URN ? [URN] : [])));
  const parents = [parent, ...(parent in plans ? aliasesOf(parent, plans, seen) : [])];
  if (parents.length * (aliases.length + 1) > most)
    throw new Refused([`not verifiable: ${urn} has more aliases, with those of its parents, than are worked out here`]);
  for (const { Name, Type, Project, Stack, Parent, NoParent } of [noAlias, ...aliases])
    for (const before of NoParent ? [""] : [...parents, ...(Parent ? [Parent] : [])]) {
      // A child whose name begins with its parent's follows that.
      const { name: parentName } = urnParts(parent);
      const follows = parentName !== "" && own.name.startsWith(parentName) && before !== "";
      const inherited = follows ? urnParts(before).name + own.name.slice(parentName.length) : own.name;
      const types = `${typesOf(before)}${Type || own.type}`;
      found.add(`urn:pulumi:${Stack || own.stack}::${Project || own.project}::${types}::${Name || inherited}`);
    }
  found.delete(urn);
  return found;
}

const noAlias = { URN: "", Name: "", Type: "", Project: "", Stack: "", Parent: "", NoParent: false };

/** What a URN says about the parents of a resource: the stack is none. */
function typesOf(parent: string): string {
  const { type, parentTypes } = urnParts(parent);
  return parent === "" || type === "pulumi:pulumi:Stack" ? "" : `${[...parentTypes, type].join("$")}$`;
}
