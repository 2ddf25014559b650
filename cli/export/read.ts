import { isPlatformError } from "../../provider/api/errors";
import { Lifecycle } from "../../provider/core/lifecycle";
import { isSystemGroup } from "../../provider/platform/groups";
import { isSystemRole } from "../../provider/platform/roles";
import type { Account } from "../inventory/accounts";
import type { Found, Kind, Thing } from "../inventory/found";
import { type Managers, match } from "../inventory/match";
import { readThings, type Things } from "../inventory/things";
import { Reader } from "../platform/connect";
import type { Entry, ListName, Lists, Refused } from "../platform/lists";
import { definitionOf } from "../pulumi/declarable";
import type { StatusLine } from "../terminal/status-line";

export const parts = ["account", "whitelist", "users", "tables", "roles", "groups", "data-stores"] as const;
export type Part = (typeof parts)[number];

interface ObjectName {
  readonly sourceType: string;
  readonly sourceId: string;
}

/** What the API returns about an account. Parts that the token may not read are absent; `refused` says why. */
export interface Environment extends Lists {
  /** Whether it was read with the extended API. */
  readonly isExtended?: boolean;
  /** Only with the extended API: what the lists do not show of addresses, roles, groups and data stores. */
  readonly details?: readonly (Imported | NotImported)[];
  /** Members and roles of groups that are not declared as a whole. */
  readonly groupParts?: readonly Thing[];
  readonly objects: readonly (ObjectName & { readonly policy: readonly unknown[] })[];
  readonly refused: readonly Pick<Refused, "what" | "why">[];
  /** What exists but cannot be declared, and why. */
  readonly notes?: readonly string[];
  /** What this installation cannot show of what was read. */
  readonly warnings?: readonly string[];
}

const partOf: Readonly<Record<ListName, Part>> = {
  account: "account",
  whitelist: "whitelist",
  users: "users",
  pendingUsers: "users",
  tables: "tables",
  roles: "roles",
  groups: "groups",
  dataStores: "data-stores",
};

/** Their lists do not show everything that an import reads. */
const readOneByOne = {
  whitelist: "WhitelistedIp",
  roles: "Role",
  groups: "Group",
  dataStores: "DataStore",
} as const;

export interface Wanted {
  readonly skip: readonly Part[];
  readonly objects: readonly ObjectName[];
  /** What they manage is left out. */
  readonly managers: Managers;
}

export async function readEnvironment(account: Account, wanted: Wanted, progress: StatusLine): Promise<Environment> {
  const names = (Object.keys(partOf) as ListName[]).filter((name) => !wanted.skip.includes(partOf[name]));
  const things = await readThings(account, progress, { names });
  const found = match(things, wanted.managers);
  const lists = notManaged(things.lists, found);
  const reader = new Reader(account.clients[0]!);
  const isExtended = reader.client.settings.extendedApi;
  const { objects, notes } = await readObjects(reader, wanted, progress);
  const unmanaged = found.flatMap((one) => one.unmanaged.map((thing) => ({ kind: one.kind, ...thing })));
  return {
    ...lists,
    ...(isExtended ? { isExtended, ...(await readDetails(reader, lists, progress)) } : {}),
    groupParts: unmanaged.filter(({ part, adopt }) => part && adopt),
    objects,
    refused: refusedOf(things, isExtended),
    notes: [
      ...systemNotes(things.lists),
      ...unmanaged.flatMap(({ kind, what, note, adopt, comesAlong }) =>
        adopt || comesAlong || !note ? [] : [`${kind} ${what}: ${note}`],
      ),
      ...notes,
    ],
  };
}

/** Lists, and the members and roles of groups, which are read group by group. */
function refusedOf({ refused, unread, unlisted, lists }: Things, isExtended: boolean): Environment["refused"] {
  const told = new Set(refused.map(({ what }) => what));
  const parts = Object.entries({ member: "the members of groups", "group-role": "the roles of groups" });
  return [
    ...refused,
    ...unread.filter(({ what }) => !told.has(what)),
    ...parts.flatMap(([kind, what]) => {
      const why = isExtended && lists.groups ? unlisted.get(kind as Kind) : undefined;
      return why === undefined ? [] : [{ what, why }];
    }),
  ];
}

/** The lists without what is managed, and without what no program can declare. Users who are disabled stay, for the notes. */
function notManaged(lists: Lists, found: readonly Found[]): Lists {
  const missing = new Set(
    found.flatMap(({ unmanaged }) => unmanaged.flatMap(({ adopt }) => (adopt ? [`${adopt.type} ${adopt.id}`] : []))),
  );
  const is = (type: string) => (one: Pick<Entry, "id">) => missing.has(`${type} ${one.id}`);
  const { account, whitelist, users, roles, groups, dataStores, ...rest } = lists;
  return {
    ...rest,
    ...(account && is("Account")(account) ? { account } : {}),
    ...(whitelist && { whitelist: whitelist.filter(is("WhitelistedIp")) }),
    ...(users && {
      users: users.filter(({ id, email, disabled }) => disabled || missing.has(`EnabledUser ${id ?? email}`)),
    }),
    ...(roles && { roles: roles.filter(is("Role")) }),
    ...(groups && { groups: groups.filter(is("Group")) }),
    ...(dataStores && { dataStores: dataStores.filter(is("DataStore")) }),
  };
}

function systemNotes({ roles = [], groups = [] }: Lists): string[] {
  const cannot = "which cannot be changed or deleted";
  return [
    ...roles.filter(isSystemRole).map(({ id, name }) => `role ${name ?? id} is a system role, ${cannot}`),
    ...groups
      .filter(isSystemGroup)
      .map(
        ({ id, name }) =>
          `group ${name ?? id} is a system group, ${cannot}; where its members are declared, a destroy removes them from it, perhaps with your own rights`,
      ),
  ];
}

/** The policies of the objects that the user named. */
async function readObjects(reader: Reader, { objects, managers }: Wanted, progress: StatusLine) {
  const notes: string[] = [];
  const missing = objects.filter(({ sourceType, sourceId }) => {
    const owner = managers.holders.find(
      ({ type, state }) =>
        (type === "ObjectPolicy" || type === "ObjectGrant") &&
        state["sourceType"] === sourceType &&
        String(state["sourceId"]) === sourceId,
    );
    if (owner?.type === "ObjectGrant")
      notes.push(`the policy of ${sourceType}/${sourceId} is left out, because ${owner.type} ${owner.name} adds to it`);
    return owner === undefined;
  });
  const read = await progress.each("reading policies", missing, 8, async ({ sourceType, sourceId }) => ({
    sourceType,
    sourceId,
    policy: (await reader.run("getObjectPolicy", { sourceType, sourceId }))["policy"] as unknown[],
  }));
  return { objects: read, notes };
}

async function readDetails(reader: Reader, lists: Lists, progress: StatusLine): Promise<Partial<Environment>> {
  const warnings = new Set<string>();
  const names = Object.keys(readOneByOne) as (keyof typeof readOneByOne)[];
  const all = names.flatMap((name) =>
    (lists[name] ?? []).map(({ id }) => ({ type: readOneByOne[name], id: String(id) })),
  );
  const details = await progress.each("reading what the lists do not show", all, 8, (one) =>
    readAsImport(reader, one, (message) => void warnings.add(message)),
  );
  return { details: details.filter((one) => one !== undefined), warnings: [...warnings] };
}

interface Named {
  readonly type: string;
  readonly id: string;
}

/** Something on the platform, as an import of it reads it. */
export interface Imported extends Named {
  readonly inputs: Record<string, unknown>;
}

/** What exists, but cannot be imported. */
interface NotImported extends Named {
  readonly why: string;
}

/**
 * Reads what an import would read, with the resource's own definition: a program that declares just that shows no changes
 * afterwards. Undefined if it is gone. `warn` gets what this installation cannot show.
 */
async function readAsImport(
  reader: Reader,
  { type, id }: Named,
  warn: (message: string) => void,
): Promise<Imported | NotImported | undefined> {
  const life = new Lifecycle(definitionOf(type), {
    client: () => reader.client,
    log: { info: () => {}, warn },
    extendedApi: () => reader.client.settings.extendedApi,
  });
  try {
    const found = await life.read(id, {});
    return found && { type, id: found.id, inputs: life.inputsOf(found.state) };
  } catch (error) {
    // Such as a system group, which no program can declare.
    if (!isPlatformError(error, "rejected")) throw error;
    return { type, id, why: error.message.replace(`cannot read ${type} ${id}: `, "") };
  }
}
