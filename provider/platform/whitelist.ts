import { Batcher } from "../api/batch";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { KeyedLock } from "../api/keyed-lock";
import { SharedRead } from "../api/shared-read";
import { tokenAccountOf } from "../api/token-account";
import type { Context } from "../core/define";
import { AddressSet } from "../values/address-set";
import { enumerate } from "../values/enumerate";
import type { Id } from "../values/id";
import { normaliseIp } from "../values/ip-address";
import { type Attempts, type Changes, changeEach, failureOf } from "./changes";
import { readAnnounced } from "./paged-list";
import { type WhitelistEntry, WhitelistListing } from "./whitelist-listing";
import { WhitelistRequests } from "./whitelist-requests";

/** The API does not limit the comma list; a path with the ids of this many is short enough for any server. */
const addressesPerDelete = 200;
/** The list may show a new entry with a delay. */
const maxLookups = 4;
/** How long to try to put an address back on the list after a cancellation. */
const maxRelistingMs = 60_000;

/** The account's whitelist, shared by all `WhitelistedIp` and `IpWhitelist` resources so that many of them need few calls. */
export class Whitelist {
  readonly #api: Client;
  readonly #requests: WhitelistRequests;
  readonly #list: SharedRead<WhitelistListing>;
  readonly #deletes: Batcher<Id, void>;
  readonly #locks = new KeyedLock();
  /** Addresses that this process has added; an older listing does not show them. */
  readonly #added = new Set<string>();
  #isForeseen = false;

  constructor(api: Client) {
    this.#api = api;
    this.#requests = new WhitelistRequests(api);
    this.#list = new SharedRead(() => this.#read());
    this.#deletes = new Batcher((ids) => this.#delete(ids));
  }

  /** Includes all our own writes. */
  listing(): Promise<WhitelistListing> {
    return this.#list.fresh();
  }

  /** Whether nothing is listed, as far as reading tells. Only for the first who asks: one warning is enough for a run. */
  async isFirstSeenEmpty(api: Client): Promise<boolean> {
    if (this.#isForeseen) return false;
    this.#isForeseen = true;
    return api.untilStopped(this.#list.recent()).then(
      ({ isEmpty }) => isEmpty,
      () => false,
    );
  }

  /** Adds an address unless it is listed. The API does not return the id of a new entry, so it is read from the list. */
  add(ipCidr: string, api: Client = this.#api, description?: string): Promise<Added> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      const recent = await api.untilStopped(this.#list.recent());
      const isNew = !recent.has(address) && !this.#added.has(address);
      const before = isNew ? undefined : (await api.untilStopped(this.listing())).find(address);
      if (before) return { entry: before, existed: true };
      const existed = await this.#post({ ipCidr, description }, address, api);
      return this.#onceListed(ipCidr, existed, api);
    });
  }

  /**
   * Replaces an entry by one with another description, which the API cannot change. The address is off the list between
   * the two requests, so it is listed again even if the platform does not accept the description, or the run is cancelled.
   */
  redescribe({ id, ipCidr }: WhitelistEntry, description: string | undefined, api: Client): Promise<Added> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      api.throwIfStopped();
      await this.#delete([id]);
      const anyway = api.afterStop(maxRelistingMs);
      const existed = await this.#post({ ipCidr, description }, address, anyway).catch(async (error: unknown) => {
        if (!isPlatformError(error) || error.outcome === "open") throw error;
        await this.#post({ ipCidr }, address, anyway);
        throw error.with(`${error.message}. ${ipCidr} is on the list again, but without its description`);
      });
      const added = await this.#onceListed(ipCidr, existed, anyway);
      return added.entry?.id === id ? { existed, problem: notListed(ipCidr) } : added;
    });
  }

  async #onceListed(ipCidr: string, existed: boolean, api: Client): Promise<Added> {
    const address = normaliseIp(ipCidr);
    this.#added.add(address);
    try {
      const entry = await this.#entryOnceListed(address, api);
      return entry ? { entry, existed } : { existed, problem: notListed(ipCidr) };
    } catch (error) {
      const message = `${ipCidr} was added, but its entry could not be read: ${(error as Error).message}`;
      return { existed, problem: new Error(message, { cause: error }) };
    }
  }

  /** Adds addresses that are not listed, in parallel. Lists once after that, however many there are. */
  async addMany(ipCidrs: readonly string[], { api, onDone }: AddOptions): Promise<Changes<string>> {
    const alreadyThere: string[] = [];
    let done = 0;
    const attempts = await changeEach(api, ipCidrs, ["rejected", "conflict"], async (ipCidr) => {
      if (await this.#addUnlisted(ipCidr, api)) alreadyThere.push(ipCidr);
      onDone(++done);
    });
    const verified = await this.#verified(attempts, api);
    const error = failureOf(verified, { change: "add", total: ipCidrs.length, things: "addresses" });
    return { done: verified.done, open: verified.open, alreadyThere, error };
  }

  /** Checks the list for what the platform accepted. If it cannot be read, trusts the platform and reports the failure. */
  async #verified(attempts: Attempts<string>, api: Client): Promise<Attempts<string>> {
    try {
      const listing = await this.#listingOnceItHas(attempts.done, api);
      const unlisted = attempts.done.filter((ipCidr) => !listing.has(ipCidr));
      const confirmed = attempts.open.filter((ipCidr) => listing.has(ipCidr));
      const failures = [...attempts.failures, ...unlisted.map((one) => ({ one, error: notListed(one) }))];
      return {
        ...attempts,
        done: [...attempts.done, ...confirmed],
        open: attempts.open.filter((ipCidr) => !confirmed.includes(ipCidr)),
        failures: failures.filter(({ one }) => !confirmed.includes(one)),
      };
    } catch (error) {
      return { ...attempts, failures: [...attempts.failures, { one: "the list", error: error as Error }] };
    }
  }

  /** By address: one may be listed twice, in two spellings. */
  async removeMany(listing: WhitelistListing, addresses: readonly string[]): Promise<Changes<string>> {
    const done: string[] = [];
    try {
      for (let start = 0; start < addresses.length; start += addressesPerDelete) {
        const some = addresses.slice(start, start + addressesPerDelete);
        await this.#delete(listing.idsOf(some));
        done.push(...some);
      }
      return { done, open: [] };
    } catch (error) {
      if (!isPlatformError(error)) throw error;
      return { done, open: [], error };
    }
  }

  /** Concurrent calls are combined into one request. */
  remove(id: Id): Promise<void> {
    return this.#deletes.add(id);
  }

  async #entryOnceListed(address: string, api: Client): Promise<WhitelistEntry | undefined> {
    return (await this.#listingOnceItHas([address], api, this.#list.afterWrites())).find(address);
  }

  /** Reads the list until it shows these addresses, and gives up after a few attempts. */
  async #listingOnceItHas(
    addresses: readonly string[],
    api: Client,
    first = this.listing(),
  ): Promise<WhitelistListing> {
    let listing = await first;
    for (let lookup = 1; lookup < maxLookups && !addresses.every((address) => listing.has(address)); lookup++) {
      await api.pause(lookup * 500);
      this.#list.written();
      listing = await this.listing();
    }
    return listing;
  }

  /** Adds an address that the last listing did not show. True if somebody else has added it since. */
  #addUnlisted(ipCidr: string, api: Client): Promise<boolean> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, async () => {
      if (this.#added.has(address) && (await this.listing()).has(address)) return true;
      const existed = await this.#post({ ipCidr }, address, api);
      this.#added.add(address);
      return existed;
    });
  }

  /** True if somebody else has added the address since the last listing. */
  #post(addition: Addition, address: string, api: Client): Promise<boolean> {
    return this.#list.writing(() => this.#send(addition, address, api));
  }

  async #send({ ipCidr, description }: Addition, address: string, api: Client): Promise<boolean> {
    const lookUp = async () => {
      this.#list.written();
      return (await this.listing()).find(address);
    };
    try {
      await this.#requests.add({ ip_cidr: ipCidr, description }, api, { lookUp, looks: maxLookups });
      return false;
    } catch (error) {
      this.#list.written();
      if (isPlatformError(error, "conflict") && (await this.listing()).has(address)) return true;
      throw error;
    }
  }

  async #read(): Promise<WhitelistListing> {
    const records = await readAnnounced((page) => this.#requests.list(page));
    const listing = new WhitelistListing(records);
    if (listing.accountIds.length > 1) return this.#ownRecords(listing, records);
    tokenAccountOf(this.#api).learn(listing.accountIds[0]);
    return listing;
  }

  /** A platform may also list records of other accounts, with the same ids and addresses as ours. */
  async #ownRecords(all: WhitelistListing, records: readonly unknown[]): Promise<WhitelistListing> {
    const account = await tokenAccountOf(this.#api).id();
    if (account !== undefined) return new WhitelistListing(records, account);
    throw new PlatformError(
      `could not list the whitelisted IPs: the list shows records of accounts ${all.accountIds.join(", ")}, and the token may not view its own account, so it is unclear which records belong to it; use a token that may view the account`,
      { code: "bad-answer", outcome: "open" },
    );
  }

  /**
   * The API's manual does not say what happens if one of the entries is already gone: the platform may delete the others,
   * or none. So after a refusal, read the list: what it no longer shows is done, and the rest is another request. If it
   * shows all of them, the refusal is final. Others, or our own request whose response was lost, may be deleting the same
   * entries, so go on while there is progress.
   */
  async #delete(ids: readonly Id[]): Promise<void> {
    let left = [...new Set(ids)];
    while (left.length > 0) {
      try {
        await this.#requests.remove(left);
        return;
      } catch (error) {
        if (!isPlatformError(error, "not-found", "rejected", "conflict")) throw error;
        this.#list.written();
        const listing = await this.listing();
        const rest = left.filter((id) => listing.mayContain(id));
        if (rest.length === left.length) throw error;
        left = rest;
      } finally {
        this.#list.written();
      }
    }
  }
}

interface Addition {
  readonly ipCidr: string;
  readonly description?: string | undefined;
}

/** `problem`: it was added, but the list does not show it or cannot be read. */
export type Added =
  | { readonly entry: WhitelistEntry; readonly existed: boolean; readonly problem?: undefined }
  | { readonly entry?: undefined; readonly existed: boolean; readonly problem: Error };

export interface AddOptions {
  /** Carries the caller's abort signal. */
  readonly api: Client;
  readonly onDone: (done: number) => void;
}

function notListed(ipCidr: string): Error {
  return new Error(
    `the platform accepted ${ipCidr} but does not list it yet; run "pulumi up" again, and if this persists, ask the platform's support`,
  );
}

/** Says, at preview, that the first address of an empty list closes the account to all others. `keep`: a way back in. */
export async function foreseeFirstAddress(
  { api, log }: Context,
  addresses: readonly string[],
  keep: readonly string[] = [],
): Promise<void> {
  const listed = new AddressSet(addresses);
  if (keep.some((address) => listed.has(address))) return;
  if (!(await whitelistOf(api).isFirstSeenEmpty(api))) return;
  log.warn(
    `the whitelist is empty, and ${enumerate(addresses)} would be the first on it: once whitelisting is enabled for the account, users can log in only from listed addresses. Declare the address that you log in from too, or you may lock yourself out`,
  );
}

/** Both `WhitelistedIp` and `IpWhitelist` use this key, so that declaring an address twice is detected. */
export function addressKey(ipCidr: string): string {
  return `address ${normaliseIp(ipCidr)}`;
}

export const whitelistOf = (api: Client): Whitelist => api.shared(makeWhitelist);
const makeWhitelist = (api: Client): Whitelist => new Whitelist(api);
