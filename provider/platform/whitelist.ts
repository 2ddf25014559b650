import { anyAnswer } from "../api/answer";
import { Batcher } from "../api/batch";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { KeyedLock } from "../api/keyed-lock";
import { saysItIsSo } from "../api/meaning";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { tokenAccountOf } from "../api/token-account";
import { PartialSuccess } from "../core/define";
import type { Id } from "../values/id";
import { normaliseIp } from "../values/ip-address";
import { type Attempts, type Changes, changeEach, changeTogether, failureOf } from "./changes";
import { lookUntil, maxLooks, readListing } from "./listing";
import {
  type Addition,
  isSameRecord,
  notListed,
  type WhitelistEntry,
  WhitelistListing,
  whitelistEntry,
  whitelistPage,
} from "./whitelist-listing";

/** The API does not limit the comma list; a path with the ids of this many is short enough for any server. */
const addressesPerDelete = 200;
/** How long to try to put an address back on the list after a cancellation. */
const maxRelistingMs = 60_000;

/** The account's whitelist, shared by all `WhitelistedIp` and `IpWhitelist` resources so that many of them need few calls. */
export class Whitelist {
  readonly #api: Client;
  readonly #list: SharedRead<WhitelistListing>;
  readonly #deletes: Batcher<Id, boolean>;
  readonly #locks = new KeyedLock();
  /** Addresses that this process has added; an older listing does not show them. */
  readonly #added = new Set<string>();
  /** By id: records that this process has removed, as far as they were shown. A list may still show them. */
  readonly #removed = new Map<string, WhitelistEntry | undefined>();
  #shown: WhitelistListing | undefined;
  #isForeseen = false;

  constructor(api: Client) {
    this.#api = api;
    this.#list = new SharedRead(() => this.#read(), api);
    this.#deletes = new Batcher((ids) => this.#delete(ids), api.patienceMs);
  }

  /** Includes all our own writes. */
  listing(): Promise<WhitelistListing> {
    return this.#list.fresh();
  }

  /** As a preview sees it, which goes on if the list cannot be read. */
  async seen(api: Client): Promise<WhitelistListing | undefined> {
    return api.untilStopped(this.#list.recent()).catch((error: unknown) => {
      // Then nothing else works either.
      if (isPlatformError(error, "unauthorized")) throw error;
      return undefined;
    });
  }

  /** Whether nothing is listed, as far as reading tells. Only for the first who asks: one warning is enough for a run. */
  async isFirstSeenEmpty(api: Client): Promise<boolean> {
    if (this.#isForeseen) return false;
    this.#isForeseen = true;
    return (await this.seen(api))?.isEmpty ?? false;
  }

  /**
   * Adds an address unless it is listed. The API does not return the id of a new entry, so it is read from the list.
   * `mustChange`: whether an entry that was there must be replaced to have the wanted description.
   */
  async add(
    addition: Addition,
    api: Client,
    mustChange: (existing: WhitelistEntry) => Promise<boolean>,
  ): Promise<WhitelistEntry> {
    let existing: WhitelistEntry | undefined;
    const entry = await this.#keeping(addition.ipCidr, async () => {
      const recent = await api.untilStopped(this.#list.recent());
      const there = await this.#addUnlisted(addition, api, recent.find(addition.ipCidr) !== undefined);
      existing = isPlatformError(there) ? await this.#onceListed(addition.ipCidr, api, there) : there;
      return existing ?? this.#onceListed(addition.ipCidr, api);
    });
    if (!existing || !(await mustChange(existing))) return entry;
    return (await this.#redescribe(existing, addition.description, api)) ?? this.add(addition, api, mustChange);
  }

  /**
   * Replaces an entry by one with another description, which the API cannot change. The address is off the list between
   * the two requests, so it is listed again even if the platform does not accept the description, or the run is cancelled.
   * Undefined if the entry was gone: then the list was late, and shows another one by now.
   */
  #redescribe({ id, ipCidr }: WhitelistEntry, description: string | undefined, api: Client) {
    return this.#keeping(ipCidr, async () => {
      api.throwIfStopped();
      if (!(await this.#delete([id])) && (await this.listing()).find(ipCidr)) return undefined;
      const anyway = api.afterStop(maxRelistingMs);
      await this.#post({ ipCidr, description }, anyway).catch(async (error: unknown) => {
        if (!isPlatformError(error) || error.outcome === "open") throw error;
        await this.#post({ ipCidr }, anyway);
        throw error.with(`${error.message}. ${ipCidr} is on the list again, but without its description`);
      });
      return this.#onceListed(ipCidr, api);
    });
  }

  /** One writer for each address. While its record id is unknown, the state keeps the address as the id. */
  #keeping<T>(ipCidr: string, write: () => Promise<T>): Promise<T> {
    const address = normaliseIp(ipCidr);
    return this.#locks.run(address, () =>
      write().catch((error: unknown) => {
        if (!leavesOutcomeOpen(error)) throw error;
        const advice = `It may be on the list: run "pulumi up" again to find or add it`;
        throw new PartialSuccess(address, {}, error.with(`${error.message}. ${advice}`));
      }),
    );
  }

  /** The entry of an address that was added, whatever becomes of reading it; or that was there, as a refusal says. */
  async #onceListed(ipCidr: string, api: Client, refusal?: PlatformError): Promise<WhitelistEntry> {
    try {
      const entry = (await this.listingOnceItHas([ipCidr], api, { first: this.#list.afterWrites() })).find(ipCidr);
      if (entry) return entry;
    } catch (error) {
      if (refusal) throw error;
      const unread = `${ipCidr} was added, but its entry could not be read: ${(error as Error).message}`;
      throw new PartialSuccess(normaliseIp(ipCidr), {}, new Error(unread, { cause: error }));
    }
    throw refusal ? notListed(ipCidr, refusal) : new PartialSuccess(normaliseIp(ipCidr), {}, notListed(ipCidr));
  }

  /** Adds addresses that are not listed, in parallel. Lists once after that, however many there are. */
  async addMany(ipCidrs: readonly string[], api: Client, onDone: (done: number) => void): Promise<Changes<string>> {
    const alreadyThere = new Map<string, WhitelistEntry | PlatformError>();
    let done = 0;
    const attempts = await changeEach(api, ipCidrs, ["rejected", "conflict"], async (ipCidr) => {
      const add = () => this.#addUnlisted({ ipCidr }, api);
      const there = await this.#locks.run(normaliseIp(ipCidr), add);
      if (there) alreadyThere.set(ipCidr, there);
      onDone(++done);
    });
    const verified = await this.#verified(attempts, api, (one) => notListed(one, alreadyThere.get(one)));
    const error = failureOf(verified, { change: "add", total: ipCidrs.length, things: "addresses" }) ?? verified.unread;
    return { done: verified.done, open: verified.open, alreadyThere: [...alreadyThere.keys()], error };
  }

  /** Checks the list for what the platform accepted. If it cannot be read, trusts the platform and reports the failure. */
  async #verified(
    attempts: Attempts<string>,
    api: Client,
    errorOf: (unlisted: string) => Error,
  ): Promise<Attempts<string> & { readonly unread?: PlatformError }> {
    try {
      const listing = await this.listingOnceItHas(attempts.done, api);
      const unlisted = attempts.done.filter((ipCidr) => !listing.find(ipCidr));
      const confirmed = attempts.open.filter((ipCidr) => listing.find(ipCidr));
      const failures = [...attempts.failures, ...unlisted.map((one) => ({ one, error: errorOf(one) }))];
      return {
        ...attempts,
        done: [...attempts.done, ...confirmed],
        open: attempts.open.filter((ipCidr) => !confirmed.includes(ipCidr)),
        failures: failures.filter(({ one }) => !confirmed.includes(one)),
      };
    } catch (error) {
      const said = `the platform accepted the addresses, but ${(error as Error).message}`;
      const unread = isPlatformError(error) ? error.with(said) : new PlatformError(said, { code: "bad-answer" });
      return { ...attempts, unread };
    }
  }

  /** By address: one may be listed twice, in two spellings. */
  removeMany(listing: WhitelistListing, addresses: readonly string[], api: Client): Promise<Changes<string>> {
    return changeTogether(addresses, async (done) => {
      for (let start = 0; start < addresses.length; start += addressesPerDelete) {
        api.throwIfStopped();
        const some = addresses.slice(start, start + addressesPerDelete);
        await this.#delete(listing.idsOf(some));
        done.push(...some);
      }
    });
  }

  /** The entry of an address, as far as it is there. Concurrent calls are combined into one request. */
  async remove(id: string, ipCidr: string): Promise<void> {
    const target = (await this.#list.recent()).idFor(id, ipCidr);
    if (target !== undefined) await this.#deletes.add(target);
  }

  /** Reads the list until it shows these addresses, and gives up after a few attempts. */
  listingOnceItHas(
    addresses: readonly string[],
    api: Client,
    { first = this.listing(), most }: { readonly first?: Promise<WhitelistListing>; readonly most?: number } = {},
  ): Promise<WhitelistListing> {
    const look = (looks: number) => (looks === 1 ? first : this.#list.again());
    return lookUntil(api, look, (seen) => addresses.every((address) => seen.find(address)), most);
  }

  /** Returns what says that it is there already: an entry, or a refusal. `wasListed`: in a listing that may be old. */
  async #addUnlisted(addition: Addition, api: Client, wasListed = false) {
    const { ipCidr } = addition;
    const mayBeListed = wasListed || this.#added.has(normaliseIp(ipCidr));
    const before = mayBeListed ? (await api.untilStopped(this.listing())).find(ipCidr) : undefined;
    return before ?? this.#post(addition, api);
  }

  /** Returns a refusal that says that the address is there: somebody else has added it, or the list shows it late. */
  async #post({ ipCidr, description }: Addition, api: Client): Promise<PlatformError | undefined> {
    const body = { ip_cidr: ipCidr, description };
    const lookUp = async () => (await this.#list.again()).find(ipCidr);
    let refusal: PlatformError | undefined;
    try {
      await this.#list.writing(() =>
        installationOf(api).newest(extendedOperations.addWhitelistedIpV2, operations.addWhitelistedIp, (operation) =>
          api.callOnce(operation, { body, answer: anyAnswer, lookUp, looks: maxLooks }),
        ),
      );
    } catch (error) {
      if (!isPlatformError(error, "conflict")) throw error;
      const saysSo = error.platformMessage === undefined || saysItIsSo(error, "add");
      if (!saysSo && !(await this.listing()).find(ipCidr)) throw error;
      refusal = error;
    }
    this.#added.add(normaliseIp(ipCidr));
    return refusal;
  }

  /** A platform may also list records of other accounts, with the same ids and addresses as ours. */
  async #read(): Promise<WhitelistListing> {
    const api = this.#api;
    const listing = await installationOf(api).newest(
      extendedOperations.listWhitelistedIpsV2,
      operations.listWhitelistedIps,
      (operation) => readListing(api, { operation, page: whitelistPage, entry: whitelistEntry }),
    );
    const isRemoved = (record: WhitelistEntry) => {
      const id = String(record.id);
      return this.#removed.has(id) && isSameRecord(this.#removed.get(id) ?? record, record);
    };
    const records = listing.records.filter((record) => !isRemoved(record));
    const accounts = [...new Set(records.flatMap(({ accountId }) => accountId ?? []).map(String))];
    if (accounts.length < 2) tokenAccountOf(api).learn(accounts[0]);
    const own = accounts.length === 0 ? undefined : await tokenAccountOf(api).id();
    if (own === undefined && accounts.length > 1)
      throw new PlatformError(
        `could not list the whitelisted IPs: the list shows records of accounts ${accounts.join(", ")}, and the token may not view its own account, so it is unclear which records belong to it; use a token that may view the account`,
        { code: "bad-answer", outcome: "open" },
      );
    const isOwn = ({ accountId }: WhitelistEntry) => accountId === undefined || String(accountId) === own;
    this.#shown = new WhitelistListing(own === undefined ? records : records.filter(isOwn), listing);
    return this.#shown;
  }

  /**
   * The API's manual does not say what happens if one of the entries is already gone: the platform may delete the others,
   * or none. So after a refusal, read the list: what it no longer shows is done, and the rest is another request. If it
   * shows all of them, the refusal is final. Others, or our own request whose response was lost, may be deleting the same
   * entries, so go on while there is progress; and a list may be late. Returns whether the last request was accepted.
   */
  async #delete(ids: readonly Id[]): Promise<boolean> {
    let left = [...new Set(ids)];
    let isAccepted = false;
    while (left.length > 0) {
      const [sent, shown] = [left, this.#shown];
      try {
        await installationOf(this.#api).newest(
          extendedOperations.deleteWhitelistedIpsV2,
          operations.deleteWhitelistedIps,
          (operation) => this.#api.call(operation, { path: { ids: sent.join(",") }, answer: anyAnswer }),
        );
        [left, isAccepted] = [[], true];
      } catch (error) {
        if (!isPlatformError(error, "not-found", "rejected", "conflict")) throw error;
        const isLess = (listing: WhitelistListing) => !sent.every((id) => listing.mayContain(id));
        const looks = error.code === "not-found" ? maxLooks : 1;
        const listing = await lookUntil(this.#api, () => this.#list.again(), isLess, looks);
        if (!isLess(listing)) throw error;
        left = sent.filter((id) => listing.mayContain(id));
      } finally {
        this.#list.written();
      }
      for (const id of sent) if (!left.includes(id)) this.#removed.set(String(id), shown?.byId(id));
    }
    return isAccepted;
  }
}

export const whitelistOf = (api: Client): Whitelist => api.shared(makeWhitelist);
const makeWhitelist = (api: Client): Whitelist => new Whitelist(api);
