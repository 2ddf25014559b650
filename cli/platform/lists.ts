import { isPlatformError } from "../../provider/api/errors";
import { extendedOperations } from "../../provider/api/extended-operations";
import { isLacking } from "../../provider/api/meaning";
import type { Operation } from "../../provider/api/operations";
import type { StatusLine } from "../terminal/status-line";
import type { Reader } from "./connect";

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
}
/** A role, a group or a data store. What is shown besides the id depends on the platform. */
export interface Entry {
  readonly id: number | string;
  readonly name?: string;
  readonly source?: string;
  readonly dbName?: string;
  readonly dbHost?: string;
}

/** What the API lists of an account. A list that was not read is absent. */
export interface Lists {
  readonly account?: Account;
  readonly whitelist?: readonly { readonly id: number; readonly ipCidr: string }[];
  readonly users?: readonly User[];
  readonly pendingUsers?: readonly User[];
  readonly tables?: readonly Table[];
  /** Only with the extended API. */
  readonly roles?: readonly Entry[];
  readonly groups?: readonly Entry[];
  readonly dataStores?: readonly Entry[];
}
export type ListName = keyof Lists;

interface ListRequest {
  readonly what: string;
  readonly call: string;
  readonly inputs?: Record<string, unknown>;
  /** The property of the answer to use; default: the whole answer. */
  readonly take?: string;
  /** Set if it exists only with the extended API: an installation may lack the operation. */
  readonly extended?: Operation;
}

const requests: Readonly<Record<ListName, ListRequest>> = {
  account: { what: "the account", call: "getAccount" },
  whitelist: { what: "the whitelist", call: "getWhitelistedIps", take: "whitelistedIps" },
  users: { what: "the users", call: "getUsers", take: "users" },
  pendingUsers: { what: "the pending users", call: "getPendingUsers", take: "users" },
  tables: { what: "the Hive tables", call: "getHiveTables", inputs: { describe: true }, take: "tables" },
  roles: { what: "the roles", call: "getRoles", take: "roles", extended: extendedOperations.listRoles },
  groups: { what: "the groups", call: "getGroups", take: "groups", extended: extendedOperations.listGroups },
  dataStores: {
    what: "the data stores",
    call: "getDataStores",
    take: "dataStores",
    extended: extendedOperations.listDataStores,
  },
};

/** A list that could not be read. */
export interface Refused {
  readonly name: ListName;
  readonly what: string;
  readonly why: string;
  /** The token may not read it. Otherwise, the installation does not have it. */
  readonly isForbidden: boolean;
}

export const listNames = Object.keys(requests) as ListName[];

/** Reads these lists, without those of the extended API if that is off. Gives up on a failure unless it `leavesOthers`. */
export async function readLists(
  reader: Reader,
  names: readonly ListName[],
  progress: StatusLine,
  leavesOthers: (error: unknown) => boolean,
): Promise<{ readonly lists: Lists; readonly refused: readonly Refused[] }> {
  const refused: Refused[] = [];
  const isOn = ({ extended }: ListRequest) => !extended || reader.client.settings.extendedApi;
  const wanted = names.filter((name) => isOn(requests[name]));
  const found = await progress.each("reading the platform", wanted, 4, async (name) => {
    const { call, inputs, take, what, extended } = requests[name];
    try {
      const answer = await reader.run(call, inputs);
      return [name, take ? answer[take] : answer] as const;
    } catch (error) {
      const isForbidden = isPlatformError(error, "forbidden");
      if (!leavesOthers(error) && !(extended && isLacking(extended, error))) throw error;
      refused.push({ name, what, why: (error as Error).message, isForbidden });
      return [name, undefined] as const;
    }
  });
  return { lists: Object.fromEntries(found.filter(([, list]) => list !== undefined)), refused };
}
