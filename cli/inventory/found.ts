import type { Named } from "../../provider/platform/references";
import { sameId } from "../../provider/values/id";
import type { Entry } from "../platform/lists";
import type { Holder } from "./accounts";

/** What can be listed and declared, in the order of the reports. */
export const kinds = ["account", "address", "user", "role", "group", "member", "group-role", "data-store"] as const;
export type Kind = (typeof kinds)[number];

/** The import that adopts something. */
export interface Adoption {
  readonly type: string;
  /** A text to make a resource name of. */
  readonly name: string;
  readonly id: string;
}

/** Something on the platform that no stack declares. */
export interface Thing {
  readonly what: string;
  readonly id?: string | undefined;
  readonly adopt?: Adoption | undefined;
  readonly note?: string | undefined;
  /** The group, if it is a member or a role of one. */
  readonly part?: { readonly group: Named; readonly one: Named };
  /** The import of something else brings it along. */
  readonly comesAlong?: true;
}

/** What was found of a kind. */
export interface Found {
  readonly kind: Kind;
  readonly existing: number;
  readonly unmanaged: readonly Thing[];
  /** What of it could not be compared, and is not counted. */
  readonly notes?: readonly string[];
}

/** The group, role or data store that a resource manages. */
export function entryOf(holder: Holder, entries: readonly Entry[], byName = true): Entry | undefined {
  const { name } = holder.state;
  return (
    entries.find(({ id }) => sameId(id, holder.id)) ??
    (byName ? entries.find((entry) => entry.name !== undefined && entry.name === (name ?? holder.id)) : undefined)
  );
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** `IpWhitelist offices` */
export function labelOf({ type, name }: Holder): string {
  return `${type} ${name}`;
}

export function stackOf({ source: { project, stack } }: Holder): string {
  return project === "" ? stack : `${project}/${stack}`;
}
