import type { Client } from "../../provider/api/client";
import type { Shown } from "../../provider/platform/group-parts";
import { folders, type PolicyFolder } from "../../provider/platform/policies/folders";
import { objects, type PolicySource } from "../../provider/platform/policies/objects";
import type { Named } from "../../provider/platform/references";
import type { Policy } from "../../provider/values/policy";
import { readThings } from "../inventory/things";
import { ifAboutOneThing, isAboutOneThing, reading } from "../platform/connect";
import { type ListName, listNames } from "../platform/lists";
import type { StatusLine } from "../terminal/status-line";

type Row = Readonly<Record<string, unknown>>;

interface GroupParts {
  /** Undefined: this installation does not show them. */
  readonly members: readonly Named[] | undefined;
  readonly roles: readonly Named[] | undefined;
}

/** The lists of an account. One that the token may not read, or that the API does not have, is absent. */
export type Production = Partial<Record<Exclude<ListName, "account">, readonly Row[]>> & {
  readonly account?: Row;
  readonly groupParts: ReadonlyMap<string, GroupParts>;
};

/** Reads production, with the provider's own functions that read and nothing else. */
export async function readProduction(client: Client, progress: StatusLine): Promise<Production> {
  const reading = { names: listNames, leavesOthers: isAboutOneThing };
  const { lists, groups = [] } = await readThings({ clients: [client] }, progress, reading);
  const shown = (part: Shown) => (typeof part === "string" ? undefined : part);
  const parts = groups.map(
    ({ group, members, roles }) => [String(group.id), { members: shown(members), roles: shown(roles) }] as const,
  );
  // The copy needs more of what the lists show than other commands do.
  return { ...(lists as unknown as Omit<Production, "groupParts">), groupParts: new Map(parts) };
}

/** `absent`: the platform says that there is none, or nothing that could have one. Undefined: not shown. */
export type ShownPolicy = Policy | "absent" | undefined;

export async function readPolicy(client: Client, at: PolicySource | PolicyFolder): Promise<ShownPolicy> {
  const isObject = "sourceId" in at;
  if (!isObject && !client.settings.extendedApi) return undefined;
  const found = await reading(client, "cannot read", [], (context) =>
    (isObject ? objects.placeOf(context, at) : folders.placeOf(context, at)).read(context.api),
  ).catch(ifAboutOneThing(() => undefined));
  return found === "unknown" ? undefined : found;
}
