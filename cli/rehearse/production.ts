import type { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import type { Shown } from "../../provider/platform/group-parts";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/policies/folders";
import type { Named } from "../../provider/platform/references";
import type { Policy } from "../../provider/values/policy";
import { readThings } from "../inventory/things";
import { Reader } from "../platform/connect";
import { type ListName, listNames } from "../platform/lists";
import { isAboutOneThing, reading } from "../platform/reading";
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
export class ProductionReader {
  readonly #reader: Reader;
  readonly #progress: StatusLine;

  constructor(client: Client, progress: StatusLine) {
    this.#reader = new Reader(client);
    this.#progress = progress;
  }

  async lists(): Promise<Production> {
    const reading = { names: listNames, leavesOthers: isAboutOneThing };
    const { lists, groups = [] } = await readThings({ clients: [this.#reader.client] }, this.#progress, reading);
    const shown = (part: Shown) => (typeof part === "string" ? undefined : part);
    const parts = groups.map(
      ({ group, members, roles }) => [String(group.id), { members: shown(members), roles: shown(roles) }] as const,
    );
    // The copy needs more of what the lists show than other commands do.
    return { ...(lists as unknown as Omit<Production, "groupParts">), groupParts: new Map(parts) };
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
    try {
      const found = await reading(this.#reader.client, "cannot read", [], (context) =>
        lookAtFolderPolicy(context, folder),
      );
      return typeof found === "string" ? undefined : found;
    } catch (error) {
      if (isAboutOneThing(error)) return undefined;
      throw error;
    }
  }
}
