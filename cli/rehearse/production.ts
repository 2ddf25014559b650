import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import type { Context } from "../../provider/core/define";
import { members } from "../../provider/platform/group-members";
import { groupRoles } from "../../provider/platform/group-parts";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/policies/folders";
import type { Named } from "../../provider/platform/references";
import type { Policy } from "../../provider/values/policy";
import { Reader } from "../platform/connect";
import { listNames, readLists } from "../platform/lists";
import { isAboutOneThing, reading } from "../platform/reading";
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

/** Reads production, with the provider's own functions that read and nothing else. */
export class ProductionReader {
  readonly #reader: Reader;
  readonly #progress: StatusLine;

  constructor(client: Client, progress: StatusLine) {
    this.#reader = new Reader(client);
    this.#progress = progress;
  }

  async lists(): Promise<Production> {
    const { lists } = await readLists(this.#reader, listNames, this.#progress, isAboutOneThing);
    // The copy needs more of what the lists show than other commands do.
    const read = lists as unknown as Omit<Production, "groupParts">;
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
    try {
      return await reading(this.#reader.client, "cannot read", [], work);
    } catch (error) {
      if (isAboutOneThing(error)) return undefined;
      throw error;
    }
  }
}
