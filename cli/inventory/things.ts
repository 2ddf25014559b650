import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import { extendedOperations } from "../../provider/api/extended-operations";
import { installationOf } from "../../provider/api/installation";
import { members } from "../../provider/platform/group-members";
import { groupRoles, type Part, type Shown } from "../../provider/platform/group-parts";
import type { Named } from "../../provider/platform/references";
import { Reader, reading } from "../platform/connect";
import { type ListName, type Lists, type Refused, readLists } from "../platform/lists";
import { nameOf } from "../pulumi/stack";
import type { StatusLine } from "../terminal/status-line";
import type { Account } from "./accounts";
import type { Kind } from "./found";

/** A group with its members and roles, as far as the platform shows them. */
export interface GroupParts {
  readonly group: Named;
  readonly members: Shown;
  readonly roles: Shown;
}

type PartName = "members" | "roles";

interface Unread {
  readonly what: string;
  readonly why: string;
}

/** What exists in an account. */
export type Things = Awaited<ReturnType<typeof readThings>>;

const countedLists: readonly ListName[] = ["account", "whitelist", "users", "roles", "groups", "dataStores"];
const kindsOf: Partial<Record<ListName, readonly Kind[]>> = {
  roles: ["role"],
  groups: ["group", "member", "group-role"],
  dataStores: ["data-store"],
};
const isForbidden = (error: unknown): boolean => isPlatformError(error, "forbidden");
const needsExtendedApi = (setting = "dataplatform:extendedApi") =>
  `the API cannot list them; the extended API can (${setting})`;

/** An explicit provider does not read the stack's configuration. */
export const extendedApiOn = (provider: string) => `extendedApi on Provider ${provider} (Python: extended_api)`;

interface Reading {
  readonly names?: readonly ListName[];
  /** Failures after which the rest can still be read; by default, refusals. Any other ends it. */
  readonly leavesOthers?: (error: unknown) => boolean;
}

/** Lists what exists in an account: by default, everything that can be counted. Sends reading calls only. */
export async function readThings(
  { clients, adopter }: Pick<Account, "clients"> & Partial<Pick<Account, "adopter">>,
  progress: StatusLine,
  { names = countedLists, leavesOthers = isForbidden }: Reading = {},
) {
  const [best] = clients as [Client];
  const { lists, refused } = await readWithAny(clients, progress, { names, leavesOthers });
  const unlisted = new Map<Kind, string>();
  const unread: Unread[] = [];
  for (const { name, what, why, isForbidden } of refused)
    if (isForbidden) unread.push({ what, why });
    else for (const kind of kindsOf[name] ?? []) unlisted.set(kind, why);
  const setting = adopter?.provider && `set ${extendedApiOn(nameOf(adopter.provider))}`;
  if (!best.settings.extendedApi)
    for (const kind of Object.values(kindsOf).flat()) unlisted.set(kind, needsExtendedApi(setting));
  const forbidden = new Map<PartName, string>();
  const groups = lists.groups && (await readParts(best, lists.groups, progress, { forbidden, leavesOthers }));
  if (groups) noteUnknown(best, groups, { unlisted, unread, forbidden });
  return {
    lists,
    /** Undefined if the groups are not listed. */
    groups,
    /** Kinds that this installation does not list, and why. */
    unlisted,
    unread,
    /** Lists that the token may not read, or that this installation does not have. */
    refused,
  };
}

/** What one token may not read, another one of the same account may. */
async function readWithAny(
  clients: readonly Client[],
  progress: StatusLine,
  { names, leavesOthers }: Required<Reading>,
) {
  let lists: Lists = {};
  const refused = new Map<ListName, Refused>();
  let missing = names;
  for (const client of clients) {
    const read = await readLists(new Reader(client), missing, progress, leavesOthers);
    lists = { ...lists, ...read.lists };
    for (const one of read.refused) refused.set(one.name, one);
    for (const name of Object.keys(read.lists) as ListName[]) refused.delete(name);
    missing = [...refused.values()].filter(({ isForbidden }) => isForbidden).map(({ name }) => name);
    if (missing.length === 0) break;
  }
  return { lists, refused: [...refused.values()] };
}

async function readParts(
  client: Client,
  groups: NonNullable<Lists["groups"]>,
  progress: StatusLine,
  { forbidden, leavesOthers }: { readonly forbidden: Map<PartName, string> } & Pick<Required<Reading>, "leavesOthers">,
): Promise<GroupParts[]> {
  // What is lacking or forbidden is told once for all groups.
  const read = (name: PartName, part: Part, group: Named): Promise<Shown> =>
    reading(client, name, [], (context) => part.read(context, group)).catch((error: unknown) => {
      if (!leavesOthers(error)) throw error;
      forbidden.set(name, (error as Error).message);
      return "unknown";
    });
  const parts = await progress.each("reading groups", groups, client.settings.connections, async ({ id, name }) => {
    const group = { id, name };
    return { group, members: await read("members", members, group), roles: await read("roles", groupRoles, group) };
  });
  return parts.filter((one) => one.members !== "gone" && one.roles !== "gone");
}

/** Why the members or roles of groups are not shown. */
function noteUnknown(
  client: Client,
  groups: readonly GroupParts[],
  { unlisted, unread, forbidden }: { unlisted: Map<Kind, string>; unread: Unread[]; forbidden: Map<PartName, string> },
): void {
  for (const [kind, property, operation] of [
    ["member", "members", extendedOperations.listGroupUsers],
    ["group-role", "roles", extendedOperations.listGroupRoles],
  ] as const) {
    const unknown = groups.filter((one) => one[property] === "unknown");
    if (unknown.length === 0) continue;
    const isLacking = installationOf(client).lacks(operation);
    const refusal = forbidden.get(property);
    if (refusal !== undefined) unread.push({ what: `the ${property} of groups`, why: refusal });
    else if (unknown.length === groups.length)
      unlisted.set(kind, isLacking ? `this installation of the platform cannot ${operation.does}` : notShown(property));
    else
      unread.push({ what: `the ${property} of ${unknown.length} of ${groups.length} groups`, why: notShown(property) });
  }
}

function notShown(property: string): string {
  return `the platform's response is not a list of ${property}`;
}
