import type { Reader } from "../platform/connect";
import { type ListName, type Lists, type Refused, readLists } from "../platform/lists";
import type { StatusLine } from "../terminal/status-line";
import { type Imported, type NotImported, readAsImport } from "./imported";

export const parts = ["account", "whitelist", "users", "tables", "roles", "groups", "data-stores"] as const;
export type Part = (typeof parts)[number];

export interface ObjectName {
  readonly sourceType: string;
  readonly sourceId: string;
}

/** What the API returns about an account. Parts that the token may not read are absent; `refused` says why. */
export interface Environment extends Lists {
  /** Whether it was read with the extended API. */
  readonly isExtended?: boolean;
  /** Only with the extended API: what the lists do not show of addresses, roles, groups and data stores. */
  readonly details?: readonly (Imported | NotImported)[];
  readonly objects: readonly (ObjectName & { readonly policy: readonly unknown[] })[];
  readonly refused: readonly Pick<Refused, "what" | "why">[];
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

export async function readEnvironment(
  reader: Reader,
  wanted: { readonly skip: readonly Part[]; readonly objects: readonly ObjectName[] },
  progress: StatusLine,
): Promise<Environment> {
  const names = (Object.keys(partOf) as ListName[]).filter((name) => !wanted.skip.includes(partOf[name]));
  const { lists, refused } = await readLists(reader, names, progress);
  const extended = reader.client.settings.extendedApi ? await readDetails(reader, lists, progress) : {};
  const objects = await progress.each("reading policies", wanted.objects, 8, async (object) => ({
    ...object,
    policy: (await reader.run("getObjectPolicy", { ...object }))["policy"] as unknown[],
  }));
  return { ...lists, ...extended, objects, refused };
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
  return { isExtended: true, details: details.filter((one) => one !== undefined), warnings: [...warnings] };
}
