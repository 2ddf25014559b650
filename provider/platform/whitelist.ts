import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { Batcher } from "../api/batch";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { KeyedLock } from "../api/keyed-lock";
import { operations } from "../api/operations";
import { inParallel } from "../api/parallel";
import { SharedRead } from "../api/shared-read";
import { tokenAccountOf } from "../api/token-account";
import type { Id } from "../values/id";
import { normaliseIp } from "../values/ip-address";
import { nextPageIn, PagedList } from "./paged-list";
import { type WhitelistEntry, WhitelistListing } from "./whitelist-listing";

interface Failure {
  readonly address: string;
  readonly error: Error;
}

export interface Additions {
  readonly listing: WhitelistListing;
  /** Addresses that were not listed, and are now, by our doing. */
  readonly added: readonly string[];
  /** Addresses that may have been added: nobody heard the answer, and the list cannot tell. */
  readonly open: readonly string[];
  readonly failures: readonly Failure[];
  /** How many were not even tried, because of a failure that would befall them too. */
  readonly untried: number;
}

const Answer = z.looseObject({ account_whitelisted_ips: z.array(z.unknown()) });

/** The API sets no limit on a comma list; a path of this many ids is short enough for any server. */
const idsPerDelete = 200;
/** A list shows an entry at once, or a moment later. */
const looks = 4;

/** The account's whitelist: what `WhitelistedIp` and `IpWhitelist` share, so that many of them cost few calls. */
export class Whitelist {
  readonly #api: Client;
  readonly #list: SharedRead<WhitelistListing>;
  readonly #pages = new PagedList();
  readonly #deletes: Batcher<Id, void>;
  readonly #locks = new KeyedLock();
  /** Addresses this process has added: a snapshot from before does not show them. */
  readonly #added = new Set<string>();

  constructor(api: Client) {
    this.#api = api;
    this.#list = new SharedRead(() => this.#read());
    this.#deletes = new Batcher((ids) => this.#delete(ids));
  }

  /** Shows everything this process has done. `isThere`: what is looked for; if it is not, further pages may show it. */
  async listing(isThere: (listing: WhitelistListing) => boolean = () => true): Promise<WhitelistListing> {
    const listing = await this.#list.fresh();
    if (this.#pages.isSettled || listing.size === 0 || isThere(listing)) return listing;
    if (this.#pages.lookFurther()) this.#list.written();
    return this.#list.fresh();
  }

  /** Makes sure that an address is on the list. The API's add answers no id, so the list tells it. */
  add(ipCidr: string, api: Client = this.#api): Promise<Added> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      const recent = await api.untilStopped(this.#list.recent());
      const isAbsent = !recent.has(address) && (this.#pages.isSettled || recent.size === 0);
      const isNew = isAbsent && !this.#added.has(address);
      const before = isNew ? undefined : (await api.untilStopped(this.#listingOf(address))).find(address);
      if (before) return { entry: before, existed: true };
      const existed = await this.#post(ipCidr, address, api);
      this.#added.add(address);
      try {
        const entry = await this.#shown(address, api);
        return entry ? { entry, existed } : { existed, problem: notListed(ipCidr) };
      } catch (error) {
        return {
          existed,
          problem: new Error(`${ipCidr} was added, and then: ${(error as Error).message}`, { cause: error }),
        };
      }
    });
  }

  /** Adds what is missing, in parallel over the pool: one list before, one after, whatever the number. */
  async addMany(ipCidrs: readonly string[], { api, onDone }: AddOptions): Promise<Additions> {
    const before = await this.listing((listing) => ipCidrs.every((ipCidr) => listing.has(ipCidr)));
    const missing = ipCidrs.filter((ipCidr) => !before.has(ipCidr));
    const made: string[] = [];
    const open: string[] = [];
    const failures: Failure[] = [];
    let [tried, done] = [0, 0];
    await inParallel(missing, this.#api.settings.connections, async (ipCidr) => {
      if (api.isStopped) return false;
      tried++;
      try {
        if (!(await this.#addUnlisted(ipCidr, api))) made.push(ipCidr);
        onDone(++done);
        return true;
      } catch (error) {
        failures.push({ address: ipCidr, error: error as Error });
        if (leavesOutcomeOpen(error)) open.push(ipCidr);
        // A refusal is about this address; a failure of another kind would befall the others too.
        return isPlatformError(error, "rejected", "conflict");
      }
    });
    const untried = missing.length - tried;
    const additions = { listing: before, added: made, open, failures, untried };
    return missing.length === 0 ? additions : this.#verified(additions, api);
  }

  /** Whether the platform lists what it accepted. When the list cannot be read, its word is taken, and that is told. */
  async #verified(additions: Additions, api: Client): Promise<Additions> {
    try {
      const listing = await this.#showing(additions.added, api);
      const late = additions.added.filter((ipCidr) => !listing.has(ipCidr));
      const cameAfterAll = additions.open.filter((ipCidr) => listing.has(ipCidr));
      const failures = [...additions.failures, ...late.map((address) => ({ address, error: notListed(address) }))];
      return {
        ...additions,
        listing,
        added: [...additions.added, ...cameAfterAll],
        open: additions.open.filter((ipCidr) => !cameAfterAll.includes(ipCidr)),
        failures: failures.filter(({ address }) => !cameAfterAll.includes(address)),
      };
    } catch (error) {
      return { ...additions, failures: [...additions.failures, { address: "the list", error: error as Error }] };
    }
  }

  async removeMany(ids: readonly Id[]): Promise<void> {
    for (let start = 0; start < ids.length; start += idsPerDelete)
      await this.#delete(ids.slice(start, start + idsPerDelete));
  }

  #listingOf(address: string): Promise<WhitelistListing> {
    return this.listing((listing) => listing.has(address));
  }

  /** Many calls at the same time become one request with a comma list. */
  remove(id: Id): Promise<void> {
    return this.#deletes.add(id);
  }

  /** The entry of an address that was just added. */
  async #shown(address: string, api: Client): Promise<WhitelistEntry | undefined> {
    return (await this.#showing([address], api, this.#list.afterWrites())).find(address);
  }

  /** The list, once it shows these addresses: it may do so a moment later. After a few looks, whatever it shows. */
  async #showing(addresses: readonly string[], api: Client, first = this.listing()): Promise<WhitelistListing> {
    let listing = await first;
    for (let look = 1; look < looks && !addresses.every((address) => listing.has(address)); look++) {
      await api.pause(look * 500);
      this.#list.written();
      listing = await this.listing((list) => addresses.every((address) => list.has(address)));
    }
    return listing;
  }

  /** Adds an address that the last list did not show; true when it is there by somebody else's doing. */
  #addUnlisted(ipCidr: string, api: Client): Promise<boolean> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      if (this.#added.has(address) && (await this.listing()).has(address)) return true;
      const existed = await this.#post(ipCidr, address, api);
      this.#added.add(address);
      return existed;
    });
  }

  /** True when somebody else had added the address since we last looked. */
  #post(ipCidr: string, address: string, api: Client): Promise<boolean> {
    return this.#list.writing(() => this.#send(ipCidr, address, api));
  }

  async #send(ipCidr: string, address: string, api: Client): Promise<boolean> {
    try {
      await api.callOnce(operations.addWhitelistedIp, {
        body: { ip_cidr: ipCidr },
        answer: anyAnswer, // the list tells whether it is there
        looks,
        lookUp: async () => {
          this.#list.written();
          return (await this.#listingOf(address)).find(address);
        },
      });
      return false;
    } catch (error) {
      this.#list.written();
      if (isPlatformError(error, "conflict") && (await this.#listingOf(address)).has(address)) return true;
      throw error;
    }
  }

  async #read(): Promise<WhitelistListing> {
    const records = await this.#pages.read(async (page) => {
      const answer = await this.#api.call(operations.listWhitelistedIps, { query: { page }, answer: Answer });
      return { entries: answer.account_whitelisted_ips, nextPage: nextPageIn(answer) };
    });
    const listing = new WhitelistListing(records);
    if (listing.accountIds.length > 1) return this.#ownPart(listing, records);
    tokenAccountOf(this.#api).learn(listing.accountIds[0]);
    return listing;
  }

  /** A platform may list the records of other accounts too, whose ids and addresses may be the same as ours. */
  async #ownPart(all: WhitelistListing, records: readonly unknown[]): Promise<WhitelistListing> {
    const account = await tokenAccountOf(this.#api).id();
    if (account !== undefined) return new WhitelistListing(records, account);
    throw new PlatformError(
      `the list shows records of the accounts ${all.accountIds.join(", ")}, and the token may not view the account, so nobody can say which are its own`,
      { code: "bad-answer", outcome: "open" },
    );
  }

  /**
   * What a platform does with a list of which one entry is gone already is not said: it may delete the others, or
   * nothing. So after a refusal the list tells what is left, also after our own first request whose answer was lost;
   * others may delete the same entries, so that is repeated while there is progress.
   */
  async #delete(ids: readonly Id[]): Promise<void> {
    let left = [...new Set(ids)];
    for (let previous = Number.POSITIVE_INFINITY; left.length > 0; ) {
      try {
        const path = { ids: left.join(",") };
        await this.#api.call(operations.deleteWhitelistedIps, { path, answer: anyAnswer });
        return;
      } catch (error) {
        if (!isPlatformError(error, "not-found", "rejected", "conflict")) throw error;
        this.#list.written();
        const listing = await this.#list.fresh();
        left = left.filter((id) => listing.mayHold(id));
        if (left.length >= previous) throw error;
        previous = left.length;
      } finally {
        this.#list.written();
      }
    }
  }
}

/** `problem`: it was added, and the list does not show it, or cannot be read. */
export type Added =
  | { readonly entry: WhitelistEntry; readonly existed: boolean; readonly problem?: undefined }
  | { readonly entry?: undefined; readonly existed: boolean; readonly problem: Error };

export interface AddOptions {
  /** A client that knows when the caller is told to stop. */
  readonly api: Client;
  readonly onDone: (done: number) => void;
}

function notListed(ipCidr: string): Error {
  return new Error(
    `the platform accepted ${ipCidr} but does not list it yet; run "pulumi up" again, and if that repeats, ask the platform's support`,
  );
}

/** The key of an address, the same for `WhitelistedIp` and `IpWhitelist`. */
export function addressKey(ipCidr: string): string {
  return `address ${normaliseIp(ipCidr)}`;
}

export const whitelistOf = (api: Client): Whitelist => api.shared(makeWhitelist);
const makeWhitelist = (api: Client): Whitelist => new Whitelist(api);
