import { z } from "zod";
import { Batcher } from "../api/batch";
import type { Client } from "../api/client";
import { isPlatformError } from "../api/errors";
import { KeyedLock } from "../api/keyed-lock";
import { operations } from "../api/operations";
import { inParallel } from "../api/parallel";
import { SharedRead } from "../api/shared-read";
import { normaliseIp } from "../values/ip-address";

/** A record of the whitelist, as the API lists it. */
const Entry = z.object({
  id: z.int(),
  account_id: z.int(),
  ip_cidr: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WhitelistEntry = z.output<typeof Entry>;
const Listing = z.object({ account_whitelisted_ips: z.array(Entry) });
/** The body has a status of its own, and only 200 is success. */
const Done = z.object({ status: z.object({ status_code: z.literal(200), message: z.string().optional() }) });

export type Entries = ReadonlyMap<string, WhitelistEntry>;

/** One answer of the list, for both questions that are asked of it a thousand times. */
interface Listed {
  readonly byAddress: Entries;
  readonly byId: ReadonlyMap<number, WhitelistEntry>;
}

interface Failure {
  readonly address: string;
  readonly error: Error;
}

export interface Additions {
  /** What is listed now, by normalised address. */
  readonly entries: Entries;
  /** Addresses that were not listed, and are now, by our doing. */
  readonly added: readonly string[];
  readonly failures: readonly Failure[];
  /** How many were not even tried, because of a failure that would befall them too. */
  readonly untried: number;
}

/** The API sets no limit on a comma list; a path of this many ids is short enough for any server. */
const idsPerDelete = 200;

/** The account's whitelist: what `WhitelistedIp` and `IpWhitelist` share, so that many of them cost few calls. */
export class Whitelist {
  readonly #api: Client;
  readonly #list: SharedRead<Listed>;
  readonly #deletes: Batcher<number, void>;
  readonly #locks = new KeyedLock();
  /** Addresses this process has added: a snapshot from before does not show them. */
  readonly #added = new Set<string>();

  constructor(api: Client) {
    this.#api = api;
    this.#list = new SharedRead(() => this.#read());
    this.#deletes = new Batcher((ids) => this.#delete(ids));
  }

  /** By normalised address; shows everything this process has done. */
  async entries(): Promise<Entries> {
    return (await this.#list.fresh()).byAddress;
  }

  async findById(id: number): Promise<WhitelistEntry | undefined> {
    return (await this.#list.fresh()).byId.get(id);
  }

  /** The entry of an address, and whether it was there before. The API's add answers no id, so the list tells it. */
  add(ipCidr: string, api: Client = this.#api): Promise<{ entry: WhitelistEntry; existed: boolean }> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      const maybeListed =
        this.#added.has(address) || (await api.untilStopped(this.#list.recent())).byAddress.has(address);
      const before = maybeListed ? (await api.untilStopped(this.entries())).get(address) : undefined;
      if (before) return { entry: before, existed: true };
      const existed = await this.#post(ipCidr, address, api);
      this.#added.add(address);
      const entry = (await this.#list.afterWrites()).byAddress.get(address);
      if (!entry) throw notListed(ipCidr);
      return { entry, existed };
    });
  }

  /** Adds what is missing, in parallel over the pool: one list before, one after, whatever the number. */
  async addMany(ipCidrs: readonly string[], { api, signal, onDone }: AddOptions): Promise<Additions> {
    const before = await this.entries();
    const missing = ipCidrs.filter((ipCidr) => !before.has(normaliseIp(ipCidr)));
    const made: string[] = [];
    const failures: Failure[] = [];
    let tried = 0;
    await inParallel(missing, this.#api.settings.connections, async (ipCidr) => {
      if (signal?.aborted) return false;
      tried++;
      try {
        if (!(await this.#addUnlisted(ipCidr, api))) made.push(ipCidr);
        onDone();
        return true;
      } catch (error) {
        failures.push({ address: ipCidr, error: error as Error });
        // A refusal is about this address; a failure of another kind would befall the others too.
        return isPlatformError(error, "rejected", "conflict");
      }
    });
    const untried = missing.length - tried;
    if (missing.length === 0) return { entries: before, added: [], failures, untried };
    return this.#verified(made, { entries: before, added: made, failures, untried });
  }

  /** Whether the platform lists what it accepted. When the list cannot be read, its word is taken, and that is told. */
  async #verified(made: readonly string[], additions: Additions): Promise<Additions> {
    try {
      const entries = await this.entries();
      const lost = made.filter((ipCidr) => !entries.has(normaliseIp(ipCidr)));
      const failures = [...additions.failures, ...lost.map((address) => ({ address, error: notListed(address) }))];
      return { ...additions, entries, added: made.filter((ipCidr) => !lost.includes(ipCidr)), failures };
    } catch (error) {
      return { ...additions, failures: [...additions.failures, { address: "the list", error: error as Error }] };
    }
  }

  async removeMany(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += idsPerDelete)
      await this.#delete(ids.slice(start, start + idsPerDelete));
  }

  /** Adds an address that the last list did not show; true when it is there by somebody else's doing. */
  #addUnlisted(ipCidr: string, api: Client): Promise<boolean> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      if (this.#added.has(address) && (await this.entries()).has(address)) return true;
      const existed = await this.#post(ipCidr, address, api);
      this.#added.add(address);
      return existed;
    });
  }

  /** Many calls at the same time become one request with a comma list. */
  remove(id: number): Promise<void> {
    return this.#deletes.add(id);
  }

  /** True when somebody else had added the address since we last looked. */
  #post(ipCidr: string, address: string, api: Client): Promise<boolean> {
    return this.#list.writing(() => this.#send(ipCidr, address, api));
  }

  async #send(ipCidr: string, address: string, api: Client): Promise<boolean> {
    let sentBefore = false;
    try {
      await api.callOnce(operations.addWhitelistedIp, {
        body: { ip_cidr: ipCidr },
        answer: Done,
        lookUp: async () => {
          sentBefore = true;
          this.#list.written();
          return (await this.entries()).get(address);
        },
      });
      return false;
    } catch (error) {
      this.#list.written();
      // Listed meanwhile: by somebody else, or by our own first request, which was given up and arrived late.
      if (isPlatformError(error, "conflict") && (await this.entries()).has(address)) return !sentBefore;
      throw error;
    }
  }

  async #read(): Promise<Listed> {
    const { account_whitelisted_ips: entries } = await this.#api.call(operations.listWhitelistedIps, {
      answer: Listing,
    });
    return {
      byAddress: new Map(entries.map((entry) => [normaliseIp(entry.ip_cidr), entry])),
      byId: new Map(entries.map((entry) => [entry.id, entry])),
    };
  }

  /**
   * The platform deletes all of a list or nothing, and says 404 when one of them is gone already, also by our own first
   * request whose answer was lost. Then what is still listed is deleted; others may do the same, so that is repeated.
   */
  async #delete(ids: readonly number[]): Promise<void> {
    let left = [...new Set(ids)];
    for (let round = 0; left.length > 0; round++) {
      try {
        const path = { ids: left.join(",") };
        await this.#api.call(operations.deleteWhitelistedIps, { path, answer: Done, goneIsDone: false });
        return;
      } catch (error) {
        if (!isPlatformError(error, "not-found") || round >= mostDeleteRounds) throw error;
      } finally {
        this.#list.written();
      }
      const { byId } = await this.#list.fresh();
      left = left.filter((id) => byId.has(id));
    }
  }
}

/** Each round that fails means that somebody else deleted one of the same entries at the same time. */
const mostDeleteRounds = 5;

export interface AddOptions {
  /** A client that knows the caller's wish to stop. */
  readonly api: Client;
  readonly signal: AbortSignal | undefined;
  readonly onDone: () => void;
}

function notListed(ipCidr: string): Error {
  return new Error(
    `the platform accepted ${ipCidr} but does not list it; run the same command again, and if that repeats, ask the platform's support`,
  );
}

export const whitelistOf = (api: Client): Whitelist => api.shared(makeWhitelist);
const makeWhitelist = (api: Client): Whitelist => new Whitelist(api);
