import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import { extendedOperations } from "../../provider/api/extended-operations";
import { isLacking } from "../../provider/api/installation";
import type { Context } from "../../provider/core/define";
import { guarded } from "../../provider/core/guard";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/folder-policies";
import { groupRoles, members } from "../../provider/platform/group-parts";
import type { Named } from "../../provider/platform/references";
import type { Policy } from "../../provider/values/policy";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";

type Row = Readonly<Record<string, unknown>>;

export interface GroupParts {
  /** Undefined: this installation does not show them. */
  readonly members: readonly Named[] | undefined;
  readonly roles: readonly Named[] | undefined;
}

/** The lists of an account. One that the token may not read, or that the API does not have, is absent. */
export interface Production {
  readonly account?: Row;
  readonly whitelist?: readonly Row[];
  readonly users?: readonly Row[];
  readonly pendingUsers?: readonly Row[];
  readonly tables?: readonly Row[];
  readonly roles?: readonly Row[];
  readonly groups?: readonly Row[];
  readonly dataStores?: readonly Row[];
  readonly groupParts: ReadonlyMap<string, GroupParts>;
}

const lists = {
  account: { call: "getAccount" },
  whitelist: { call: "getWhitelistedIps", take: "whitelistedIps" },
  users: { call: "getUsers", take: "users" },
  pendingUsers: { call: "getPendingUsers", take: "users" },
  tables: { call: "getHiveTables", inputs: { describe: true }, take: "tables" },
  roles: { call: "getRoles", take: "roles", extended: extendedOperations.listRoles },
  groups: { call: "getGroups", take: "groups", extended: extendedOperations.listGroups },
  dataStores: { call: "getDataStores", take: "dataStores", extended: extendedOperations.listDataStores },
} as const;

/** Errors about one thing; any other would be an error for the update too. */
function isAboutOneThing(error: unknown): boolean {
  return isPlatformError(error, "forbidden", "not-found", "rejected", "conflict", "bad-answer");
}

/** Reads production, with the provider's own functions that read and nothing else. */
export class ProductionReader {
  readonly #reader: Reader;
  readonly #progress: StatusLine;

  constructor(client: Client, progress: StatusLine) {
    this.#reader = new Reader(client);
    this.#progress = progress;
  }

  async lists(): Promise<Production> {
    const { extendedApi } = this.#reader.client.settings;
    const wanted = Object.entries(lists).filter(([, list]) => extendedApi || !("extended" in list));
    const found = await this.#progress.each("reading the account", wanted, 4, async ([name, list]) => [
      name,
      await this.#list(list),
    ]);
    const read = Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Omit<Production, "groupParts">;
    return { ...read, groupParts: await this.#groups(read.groups ?? []) };
  }

  /** The policy of an object. `absent`: the platform says that there is no such object. Undefined: not shown. */
  async objectPolicy(sourceType: string, sourceId: string): Promise<Policy | "absent" | undefined> {
    try {
      return (await this.#reader.run("getObjectPolicy", { sourceType, sourceId }))["policy"] as Policy;
    } catch (error) {
      if (isPlatformError(error, "not-found")) return "absent";
      if (isAboutOneThing(error)) return undefined;
      throw error;
    }
  }

  /** The policy of a folder, with the extended API. Undefined: not shown. */
  async folderPolicy(type: string, location: string): Promise<Policy | undefined> {
    if (!this.#reader.client.settings.extendedApi) return undefined;
    const folder = { type: type as PolicyFolder["type"], location };
    const found = await this.#reading((context) => lookAtFolderPolicy(context, folder));
    return typeof found === "string" ? undefined : found;
  }

  async #list(list: (typeof lists)[keyof typeof lists]): Promise<unknown> {
    try {
      const answer = await this.#reader.run(list.call, "inputs" in list ? { ...list.inputs } : {});
      return "take" in list ? answer[list.take] : answer;
    } catch (error) {
      const isAbsent = "extended" in list && isLacking(list.extended, error);
      if (isAbsent || isAboutOneThing(error)) return undefined;
      throw error;
    }
  }

  async #groups(groups: readonly Row[]): Promise<Map<string, GroupParts>> {
    const all = await this.#progress.each("reading groups", groups, 8, async ({ id, name }) => {
      const group = { id: id as number, name: name as string | undefined };
      const read = (part: typeof members) => this.#reading((context) => part.read(context, group));
      const [users, roles] = [await read(members), await read(groupRoles)];
      const shown = (found: typeof users) => (typeof found === "string" ? undefined : found);
      return [String(id), { members: shown(users), roles: shown(roles) }] as const;
    });
    return new Map(all);
  }

  async #reading<T>(work: (context: Context) => Promise<T>): Promise<T | undefined> {
    const host = { client: () => this.#reader.client, log: { info: () => {}, warn: () => {} } };
    try {
      return await guarded(host, { name: "rehearse", failed: "cannot read", secrets: [] }, work);
    } catch (error) {
      if (isAboutOneThing(error)) return undefined;
      throw error;
    }
  }
}
