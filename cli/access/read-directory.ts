import type { Client } from "../../provider/api/client";
import { operations } from "../../provider/api/operations";
import { members } from "../../provider/platform/group-members";
import { groups as groupCollection } from "../../provider/platform/groups";
import { type ListedUser, listUsers } from "../../provider/platform/users";
import { asNumber, type Id } from "../../provider/values/id";
import { ifAboutOneThing, reading } from "../platform/connect";
import { plural, shortList } from "../terminal/plural";
import type { StatusLine } from "../terminal/status-line";
import type { Directory, User, UserReport } from "./directory";

/** What policies name. */
interface Named {
  readonly users: readonly Id[];
  readonly groups: readonly Id[];
}
export type GroupNames = ReadonlyMap<Id, string>;

/** What a list of users says about one of them. */
interface Listed extends Omit<UserReport, "groups" | "groupsKnown"> {
  /** Undefined if the list does not show groups. */
  readonly groups?: ListedUser["groups"];
}
type ShownGroups = NonNullable<Listed["groups"]>;

export interface ReadDirectory {
  readonly directory: Directory;
  /** What could not be read. */
  readonly notes: readonly string[];
  readonly unnamedGroups?: UnnamedGroups;
}

/** Groups that policies name by id, on a platform that shows the groups of users by name only. */
export interface UnnamedGroups {
  readonly ids: readonly Id[];
  /** Those that the platform shows, without an id. */
  readonly names: readonly string[];
}

/** Reads the users and groups of the client's account, if there is one, and adds those that policies name. */
export async function readDirectory(
  client: Client | undefined,
  named: Named,
  { progress, groupNames: given }: { readonly progress: StatusLine; readonly groupNames: GroupNames },
): Promise<ReadDirectory> {
  const notes: string[] = [];
  if (!client) {
    const users = named.users.map((id) => ({ id, listed: false }));
    return { directory: directoryOf(users, named, { names: new Map(), lists: new Map() }), notes };
  }
  const listed = await progress.during("reading users", () => readUsers(client, notes));
  const shown = listed.flatMap(({ groups = [] }) => groups);
  const namesShown = shown.flatMap(({ id, name }) =>
    id === undefined || name === undefined ? [] : [[id, name] as const],
  );
  const names = new Map([...namesShown, ...given]);
  const lists = client.settings.extendedApi
    ? await readGroups(client, named.groups, names, { notes, progress })
    : new Map<Id, ReadonlySet<string>>();
  for (const [id, name] of strangeNames(shown, named, { names: given, lists })) {
    names.delete(id);
    notes.push(`no user is shown in a group named ${name}, the name given for group ${id}: who is in it stays open`);
  }
  const unlisted = unlistedIn(listed, named, lists);
  // Without a list of users, everybody is missing from it.
  const pending = listed.length > 0 && unlisted.length > 0 ? await readPending(client, unlisted, notes) : [];
  const others = unlisted.map((id) => pending.find((one) => one.id === id) ?? { id, listed: false });
  const directory = directoryOf([...listed, ...others], named, { names, lists });
  return { directory, notes, ...unnamedIn(shown, named, { names, lists }) };
}

/** A name that is misspelt must not look as if nobody were in the group. */
function strangeNames(shown: ShownGroups, named: Named, { names, lists }: Knowledge): [Id, string][] {
  const known = new Set(shown.flatMap(({ name }) => name ?? []));
  const isUsed = (id: Id) => named.groups.includes(id) && !lists.has(id);
  return known.size === 0 ? [] : [...names].filter(([id, name]) => isUsed(id) && !known.has(name));
}

function unnamedIn(shown: ShownGroups, named: Named, { names, lists }: Knowledge): Partial<ReadDirectory> {
  const ids = named.groups.filter((group) => !names.has(group) && !lists.has(group));
  const taken = new Set(names.values());
  const bare = shown.flatMap(({ id, name }) => (id === undefined && name) || []);
  const free = [...new Set(bare)].filter((name) => !taken.has(name)).sort();
  return ids.length > 0 && bare.length > 0 ? { unnamedGroups: { ids, names: free } } : {};
}

async function readUsers(client: Client, notes: string[]): Promise<readonly Listed[]> {
  const listing = await reading(client, "users", notes, ({ api }) => listUsers(api, operations.listUsers)).catch(
    ifAboutOneThing((why) => {
      notes.push(`the users cannot be listed, so only those that policies name are shown: ${why}`);
      return undefined;
    }),
  );
  if (!listing) return [];
  const { records: users, isComplete } = listing;
  const listed = users.flatMap((user) => listedUser(user) ?? []);
  if (!isComplete) notes.push("the platform's list of users cannot be read in full, so users may be missing here");
  const left = users.length - listed.length;
  if (left > 0) notes.push(`${plural(left, "user")} without an id left out: policies name users by id`);
  const hidden = listed.filter(({ groups }) => !groups).length;
  if (hidden > 0)
    notes.push(
      `the platform does not show the groups of ${hidden === listed.length ? "users" : plural(hidden, "user")}`,
    );
  return listed;
}

/** Users who await approval: the list of users leaves them out, but policies can name them. */
async function readPending(client: Client, unlisted: readonly Id[], notes: string[]): Promise<readonly Listed[]> {
  const list = () => reading(client, "pending users", notes, ({ api }) => listUsers(api, operations.listPendingUsers));
  const { records } = await list().catch(
    ifAboutOneThing((why) => {
      notes.push(
        `not in the list of users, though named by a policy or a group: user ${shortList(unlisted)}. Whether they are pending is unknown, since the pending users cannot be listed: ${why}`,
      );
      return { records: [] };
    }),
  );
  return records
    .flatMap(({ id, email, name }) => listedUser({ id, email, name }) ?? [])
    .map((user) => ({ ...user, pending: true, listed: false }));
}

/** Only what is needed: an entry may contain the user's token. */
function listedUser({ id, email, name, isDisabled, groups }: Partial<ListedUser>): Listed | undefined {
  if (id === undefined) return undefined;
  const numbered = groups?.map((group) => ({ ...group, id: group.id === undefined ? undefined : asNumber(group.id) }));
  const user = { id: asNumber(id), email, name: name || undefined, disabled: isDisabled || undefined, listed: true };
  return { ...user, groups: numbered };
}

/** The members of groups, by the extended API. Each user is noted by id and by e-mail address. */
async function readGroups(
  client: Client,
  groups: readonly Id[],
  names: Map<Id, string>,
  { notes, progress }: { readonly notes: string[]; readonly progress: StatusLine },
): Promise<Map<Id, ReadonlySet<string>>> {
  const listing = await reading(client, "groups", notes, (context) => groupCollection.listed(context)).catch(
    ifAboutOneThing((why) => void notes.push(`the groups cannot be listed, so some are shown by their ids: ${why}`)),
  );
  for (const { id, name } of listing?.records ?? []) if (name) names.set(asNumber(id), name);
  const lists = new Map<Id, ReadonlySet<string>>();
  await progress.each("reading groups", groups, client.settings.connections, async (id) => {
    const found = await reading(client, "groups", notes, (context) =>
      members.read(context, { id, name: names.get(id) }),
    ).catch(
      ifAboutOneThing((why) => {
        notes.push(`the members of group ${names.get(id) ?? id} cannot be listed: ${why}`);
        return "unknown" as const;
      }),
    );
    if (found === "gone") notes.push(`the platform does not find group ${id}, which a policy names`);
    else if (found !== "unknown")
      lists.set(id, new Set(found.flatMap((one) => [String(one.id ?? ""), (one.name ?? "").toLowerCase()])));
  });
  return lists;
}

interface Knowledge {
  readonly names: ReadonlyMap<Id, string>;
  readonly lists: ReadonlyMap<Id, ReadonlySet<string>>;
}

/** Those whom only a policy or a group names. */
function unlistedIn(listed: readonly Listed[], named: Named, lists: Knowledge["lists"]): Id[] {
  const known = new Set(listed.map(({ id }) => id));
  const numbersIn = (list: ReadonlySet<string>) => [...list].filter((one) => /^\d+$/.test(one)).map(asNumber);
  return [...new Set([...named.users, ...[...lists.values()].flatMap(numbersIn)])].filter((id) => !known.has(id));
}

function directoryOf(everybody: readonly Listed[], named: Named, { names, lists }: Knowledge): Directory {
  // Of several with one name, the one that policies name: others may be of other accounts.
  const isNamed = new Set(named.groups);
  const last = [...names].filter(([id]) => isNamed.has(id));
  const ids = new Map([...names, ...last].map(([id, name]) => [name, id]));
  const users = new Map(everybody.map((one) => [one.id, userOf(one, ids, lists)]));
  const groups = [...new Set([...named.groups, ...names.keys()])].map((id) => ({ id, name: names.get(id) }));
  return { users: [...users.values()], groups };
}

function userOf({ groups, ...user }: Listed, ids: ReadonlyMap<string, Id>, lists: Knowledge["lists"]): User {
  const resolved = groups?.map(({ id, name }) => id ?? (name === undefined ? undefined : ids.get(name)));
  const known = new Set(resolved?.filter((id) => id !== undefined));
  // A group whose name is known can be found among names, even if the ids of others are missing.
  const decided = new Set<Id>(groups ? ids.values() : []);
  for (const [group, list] of lists) {
    decided.add(group);
    if (list.has(String(user.id)) || (user.email && list.has(user.email.toLowerCase()))) known.add(group);
  }
  const groupsKnown = resolved?.every((id) => id !== undefined) ?? false;
  return { ...user, groups: [...known], groupsKnown, decided };
}
