import { allOfFolders, allOfObjects } from "../../provider/values/policy";
import { folderIn, objectIn } from "../platform/named";
import { type Managed, managedResources } from "../pulumi/managed";
import type { StateResource } from "../pulumi/stack";
import { type Plan, resourceIn, type Step } from "./plan";
import { whyHidden } from "./policy";

export type Kind = "object" | "folder";

/** Folders may have other actions too; these are the ones that the API's manual shows. */
export const actionsOf: Readonly<Record<Kind, readonly string[]>> = {
  object: ["read", "update", "delete", "manage"],
  folder: ["read", "write"],
};

/** What `all` stands for in a policy. */
export const allOf: Readonly<Record<Kind, readonly string[]>> = { object: allOfObjects, folder: allOfFolders };

/** What has a policy: `note/501`, or the folder `notes/Common/reports`. */
export interface Target {
  readonly kind: Kind;
  /** Unique together with the kind and the platform. */
  readonly key: string;
  readonly type: string;
  /** The id of an object, the location of a folder. */
  readonly id: string;
  /** Of a folder: some platforms want it. */
  readonly name?: string | undefined;
}

const kinds: Readonly<Record<string, Kind>> = {
  ObjectPolicy: "object",
  ObjectGrant: "object",
  FolderPolicy: "folder",
  FolderGrant: "folder",
};

function setsAccess({ type }: Pick<Managed, "type">): boolean {
  return Object.hasOwn(kinds, type);
}

/** What a resource sets the policy of, or why that is not known. */
function targetOf(resource: Managed): Target | { readonly unknown: string } {
  const { state } = resource;
  const kind = kinds[resource.type]!;
  const names = kind === "object" ? ["sourceType", "sourceId"] : ["type", "location"];
  const [type, id] = names.map((name) => state[name]);
  const hidden = whyHidden(resource, names);
  if (hidden)
    return { unknown: hidden === "secret" ? "the program marks it as a secret" : "which one is known only after up" };
  if (typeof type !== "string" || (typeof id !== "string" && typeof id !== "number"))
    return { unknown: "the state does not name it" };
  const { name } = state;
  return { ...target(kind, type, String(id)), ...(kind === "folder" && typeof name === "string" ? { name } : {}) };
}

function target(kind: Kind, type: string, id: string): Target {
  // `/Common/reports/` and `Common/reports` are the same folder.
  const key = `${type}/${kind === "folder" ? id.replace(/^\/+|\/+$/g, "") : id}`;
  return { kind, key, type, id };
}

export function objectNamed(text: string): Target {
  const { sourceType, sourceId } = objectIn("--object", text);
  return target("object", sourceType, sourceId);
}

export function folderNamed(text: string): Target {
  const { type, location } = folderIn("--folder", text);
  return target("folder", type, location);
}

/** `note/501`, or `folder notes/Common/reports`. */
export function titleOf({ kind, key }: Pick<Target, "kind" | "key">): string {
  return kind === "folder" ? `folder ${key}` : key;
}

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

interface Collected extends Item {
  readonly declared: Managed[];
  readonly steps: Step[];
}

/**
 * The objects and folders of a stack and a plan. If some are `wanted`, only those, whether the stack has them or not.
 * `notes`: resources whose object is not known; those that are `unclear` the plan changes, so somebody may gain by them.
 */
export function itemsOf(
  state: readonly StateResource[],
  plan: Plan | undefined,
  wanted: readonly Target[] = [],
): { readonly items: readonly Item[]; readonly notes: readonly string[]; readonly unclear: readonly string[] } {
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
