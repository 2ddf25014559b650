import type { PolicySource } from "../../provider/platform/policies/objects";
import { folderTypes } from "../../provider/values/folder";
import { wrongValue } from "../errors";
import { objectIn } from "../platform/named";

export interface ObjectTarget {
  readonly source_type: PolicySource["sourceType"];
  readonly source_id: string;
}

export interface FolderTarget {
  readonly type: (typeof folderTypes)[number];
  readonly id: string;
  readonly location: string;
}

/** What the user lets the examination look at, or change: the API cannot list these. */
export interface Targets {
  readonly objects: readonly ObjectTarget[];
  /** Their policies may be overwritten. */
  readonly overwritable: readonly ObjectTarget[];
  readonly environment: string | undefined;
  /** A package that the environment does not have. */
  readonly package: string | undefined;
  readonly folder: FolderTarget | undefined;
  /** A role that the group does not have. */
  readonly groupRole: { readonly group: string; readonly role: string } | undefined;
  /** Is enabled afterwards. */
  readonly user: string | undefined;
  readonly table: { readonly schema: string; readonly table: string } | undefined;
  /** The default location with which the account was created. */
  readonly defloc: string | undefined;
  readonly editAccount: boolean;
}

export function objectTarget(option: string, text: string): ObjectTarget {
  const { sourceType, sourceId } = objectIn(option, text);
  return { source_type: sourceType, source_id: sourceId };
}

export const objectText = ({ source_type, source_id }: ObjectTarget): string => `${source_type}/${source_id}`;

export function folderTarget(text: string): FolderTarget {
  const [, kind, id, location] = /^(\w+)\/([^/]+)\/(.+)$/.exec(text) ?? [];
  const type = folderTypes.find((known) => known === kind);
  if (!type || !id || !location)
    throw wrongValue(
      "--folder",
      text,
      `TYPE/ID/LOCATION, such as notes/701/Common/reports; TYPE is one of ${folderTypes.join(", ")}`,
    );
  return { type, id, location };
}

export function groupRoleTarget(text: string): { group: string; role: string } {
  const [, group, role] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (!group || !role) throw wrongValue("--group-role", text, "GROUP/ROLE, such as 205/analyst");
  return { group, role };
}

export function tableTarget(text: string): { schema: string; table: string } {
  const [, schema, table] = /^([^.]+)\.(.+)$/.exec(text) ?? [];
  if (!schema || !table) throw wrongValue("--table", text, "SCHEMA.TABLE, such as sales.orders");
  return { schema, table };
}
