import { isPlatformError } from "../../provider/api/errors";
import { extendedOperations } from "../../provider/api/extended-operations";
import { isLacking } from "../../provider/api/installation";
import type { Operation } from "../../provider/api/operations";
import type { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { type Imported, type NotImported, readAsImport } from "./imported";

export const parts = ["account", "whitelist", "users", "tables", "roles", "groups", "data-stores"] as const;
export type Part = (typeof parts)[number];

export interface ObjectName {
  readonly sourceType: string;
  readonly sourceId: string;
}

export interface User {
  readonly id?: number;
  readonly email?: string;
  readonly disabled?: boolean;
}
export interface Table {
  readonly name: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
}
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly storageLocation?: string;
  readonly idleSessionTimeout?: number;
  readonly isAwsRoleEnabled?: boolean;
}

interface HasId {
  readonly id: number | string;
}

/** What the API returns about an account. Parts that the token may not read are absent; `refused` says why. */
export interface Environment {
  /** Whether it was read with the extended API. */
  readonly isExtended?: boolean;
  readonly account?: Account;
  readonly whitelist?: readonly { readonly id: number; readonly ipCidr: string }[];
  readonly users?: readonly User[];
  readonly pendingUsers?: readonly User[];
  readonly tables?: readonly Table[];
  /** Only with the extended API, as are the details of these and of the whitelist. */
  readonly roles?: readonly HasId[];
  readonly groups?: readonly HasId[];
  readonly dataStores?: readonly HasId[];
  readonly details?: readonly (Imported | NotImported)[];
  readonly objects: readonly (ObjectName & { readonly policy: readonly unknown[] })[];
  readonly refused: readonly { readonly what: string; readonly why: string }[];
  /** What this installation cannot show of what was read. */
  readonly warnings?: readonly string[];
}

interface ReadRequest {
  readonly what: string;
  readonly part: Part;
  readonly call: string;
  readonly inputs?: Record<string, unknown>;
  /** The property of the answer to use; default: the whole answer. */
  readonly take?: string;
  /** Set if it exists only with the extended API: an installation may lack the operation. */
  readonly extended?: Operation;
}

type Name = Exclude<keyof Environment, "isExtended" | "details" | "objects" | "refused" | "warnings">;

const requests: Readonly<Record<Name, ReadRequest>> = {
  account: { what: "the account", part: "account", call: "getAccount" },
  whitelist: { what: "the whitelist", part: "whitelist", call: "getWhitelistedIps", take: "whitelistedIps" },
  users: { what: "the users", part: "users", call: "getUsers", take: "users" },
  pendingUsers: { what: "the pending users", part: "users", call: "getPendingUsers", take: "users" },
  tables: {
    what: "the Hive tables",
    part: "tables",
    call: "getHiveTables",
    inputs: { describe: true },
    take: "tables",
  },
  roles: {
    what: "the roles",
    part: "roles",
    call: "getRoles",
    take: "roles",
    extended: extendedOperations.listRoles,
  },
  groups: {
    what: "the groups",
    part: "groups",
    call: "getGroups",
    take: "groups",
    extended: extendedOperations.listGroups,
  },
  dataStores: {
    what: "the data stores",
    part: "data-stores",
    call: "getDataStores",
    take: "dataStores",
    extended: extendedOperations.listDataStores,
  },
};

/** Their lists do not show everything that an import reads. */
const readOneByOne: Partial<Record<Name, string>> = {
  whitelist: "WhitelistedIp",
  roles: "Role",
  groups: "Group",
  dataStores: "DataStore",
};

export async function readEnvironment(
  reader: Reader,
  wanted: { readonly skip: readonly Part[]; readonly objects: readonly ObjectName[] },
  progress: StatusLine,
): Promise<Environment> {
  const isExtended = reader.client.settings.extendedApi;
  const refused: { what: string; why: string }[] = [];
  const selected = Object.entries(requests).filter(
    ([, { part, extended }]) => !wanted.skip.includes(part) && (isExtended || !extended),
  );
  const found = await progress.each("reading the platform", selected, 4, async ([name, request]) => {
    try {
      const answer = await reader.run(request.call, request.inputs);
      return [name, request.take ? answer[request.take] : answer] as const;
    } catch (error) {
      // Skip a part that cannot be read; give up on any other failure.
      const isAbsent = request.extended !== undefined && isLacking(request.extended, error);
      if (!isAbsent && !isPlatformError(error, "forbidden")) throw error;
      refused.push({ what: request.what, why: (error as Error).message });
      return [name, undefined] as const;
    }
  });
  const listed = Object.fromEntries(found) as Partial<Environment>;
  const extended = isExtended ? await readDetails(reader, listed, progress) : {};
  const objects = await progress.each("reading policies", wanted.objects, 8, async (object) => ({
    ...object,
    policy: (await reader.run("getObjectPolicy", { ...object }))["policy"] as unknown[],
  }));
  return { ...listed, ...extended, objects, refused };
}

async function readDetails(
  reader: Reader,
  listed: Partial<Environment>,
  progress: StatusLine,
): Promise<Partial<Environment>> {
  const warnings = new Set<string>();
  const all = Object.entries(readOneByOne).flatMap(([name, type]) =>
    ((listed[name as Name] ?? []) as readonly HasId[]).map(({ id }) => ({ type, id: String(id) })),
  );
  const details = await progress.each("reading what the lists do not show", all, 8, (one) =>
    readAsImport(reader, one, (message) => void warnings.add(message)),
  );
  return { isExtended: true, details: details.filter((one) => one !== undefined), warnings: [...warnings] };
}
