import { allOfFolders, allOfObjects } from "../../provider/values/policy";
import { folderIn, objectIn } from "../platform/named";
import type { Managed } from "../pulumi/managed";
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

export function setsAccess({ type }: Pick<Managed, "type">): boolean {
  return Object.hasOwn(kinds, type);
}

/** What a resource sets the policy of, or why that is not known. */
export function targetOf(resource: Managed): Target | { readonly unknown: string } {
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
