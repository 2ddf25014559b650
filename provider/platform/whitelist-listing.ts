import { z } from "zod";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import type { Log } from "../core/define";
import { shownText } from "../values/fields";
import { answeredId, type Id, recordId } from "../values/id";
import { normaliseIp, sameIp } from "../values/ip-address";
import { type Listing, readInPart } from "./listing";
import { pagingIn } from "./paged-list";

/** A whitelist record. Only the id and the address are required; other fields may be missing. */
export const whitelistEntry = z
  .object({
    id: recordId,
    account_id: answeredId,
    ip_cidr: z.string().min(1),
    created_at: shownText,
    updated_at: shownText,
    description: shownText,
  })
  .transform(({ id, account_id, ip_cidr, created_at, updated_at, description }) => ({
    id,
    accountId: account_id,
    ipCidr: ip_cidr,
    createdAt: created_at ?? undefined,
    updatedAt: updated_at ?? undefined,
    /** Absent if the entry has none, or the list does not show it. */
    ...(description && { description }),
  }));
export type WhitelistEntry = z.output<typeof whitelistEntry>;

export interface Addition {
  readonly ipCidr: string;
  readonly description?: string | undefined;
}

/** Some platforms show an empty list as null, which may also be a mishap: good enough to add to, not to call things gone. */
export const whitelistPage = z
  .looseObject({ account_whitelisted_ips: z.array(z.unknown()).nullable() })
  .transform((answer) => ({
    entries: answer.account_whitelisted_ips ?? [],
    ...pagingIn(answer),
    hasList: answer.account_whitelisted_ips !== null,
  }));

/** The whitelist at one moment, by address and by id. */
export class WhitelistListing {
  readonly #byAddress: ReadonlyMap<string, WhitelistEntry>;
  readonly #byId: ReadonlyMap<string, WhitelistEntry>;
  /** Ids of records that cannot be read; undefined for one that shows none, and may be any. */
  readonly #unread: ReadonlySet<string | undefined>;

  /** `listing`: as it was read, with records of other accounts perhaps. */
  constructor(
    readonly entries: readonly WhitelistEntry[],
    private readonly listing: Listing<WhitelistEntry>,
  ) {
    this.#byAddress = new Map(entries.map((entry) => [normaliseIp(entry.ipCidr), entry]));
    this.#byId = new Map(entries.map((entry) => [String(entry.id), entry]));
    const idOf = (record: unknown) => z.object({ id: recordId.transform(String) }).safeParse(record).data?.id;
    this.#unread = new Set(listing.unread.map(idOf));
  }

  /** The account that the list belongs to, if an entry names it. */
  get accountId(): Id | undefined {
    return this.entries.find(({ accountId }) => accountId !== undefined)?.accountId;
  }

  /** Whether nothing is listed, not even a record that cannot be read. */
  get isEmpty(): boolean {
    return this.entries.length + this.#unread.size === 0;
  }

  /** For who wants all of them: what there is, and a warning if that is not all. */
  told(log: Log): readonly WhitelistEntry[] {
    if (this.#unread.size > 0) log.warn(readInPart(operations.listWhitelistedIps));
    return this.entries;
  }

  find(address: string): WhitelistEntry | undefined {
    return this.#byAddress.get(normaliseIp(address));
  }

  /**
   * By record id, or by address on import and while the record id is unknown. A record whose address is not the known one
   * is another one: nothing changes an address, and a platform may give an id anew, such as after a restore.
   */
  look(id: string, ipCidr?: string): WhitelistEntry | undefined {
    const entry = this.#entryOf(id, ipCidr);
    if (!entry && (this.mayContain(id) || isAddress(id))) this.requireClear([id]);
    return entry;
  }

  /** What to remove, which the list may not show yet. Undefined if the id is another address's by now, or none. */
  idFor(id: string, ipCidr: string): Id | undefined {
    const mayBeLate = !this.#byId.has(id) && !isAddress(id);
    return this.#entryOf(id, ipCidr)?.id ?? (mayBeLate ? id : undefined);
  }

  #entryOf(id: string, ipCidr: string | undefined): WhitelistEntry | undefined {
    const byId = this.#byId.get(id);
    return byId && (ipCidr === undefined || sameIp(byId.ipCidr, ipCidr)) ? byId : this.find(ipCidr ?? id);
  }

  /** Refuses to say that one of these addresses is not listed while there are records that cannot be read. */
  requireClear(addresses: readonly string[]): void {
    const unclear = this.listing.isComplete ? undefined : addresses.find((address) => !this.find(address));
    if (unclear === undefined) return;
    const why = this.listing.hasList
      ? "a record has no id or no address, or is announced and not shown"
      : "the response has no list";
    throw new PlatformError(
      `could not list the whitelisted IPs: ${why}, so it is unclear whether ${unclear} is still listed; run "pulumi refresh" again, and if this persists, ask the platform's support`,
      { code: "bad-answer", outcome: "open" },
    );
  }

  byId(id: Id): WhitelistEntry | undefined {
    return this.#byId.get(String(id));
  }

  /** Whether an id is listed, or may be. */
  mayContain(id: Id): boolean {
    const { hasList } = this.listing;
    return !hasList || [String(id), undefined].some((one) => this.#unread.has(one)) || this.#byId.has(String(id));
  }

  /** As the platform spells them, without duplicates. */
  get addresses(): string[] {
    return [...this.#byAddress.values()].map(({ ipCidr }) => ipCidr);
  }

  /** Ids of all records with these addresses: an address may be listed twice, in two spellings. */
  idsOf(addresses: Iterable<string>): Id[] {
    const wanted = new Set([...addresses].map(normaliseIp));
    return this.entries.filter(({ ipCidr }) => wanted.has(normaliseIp(ipCidr))).map((entry) => entry.id);
  }
}

/** Not so of a new record with the id of a removed one, as some platforms make it. `updated_at` may change all the same. */
export function isSameRecord(one: WhitelistEntry, other: WhitelistEntry): boolean {
  return (["ipCidr", "createdAt", "description"] as const).every((name) => one[name] === other[name]);
}

/** While the record id is unknown, the address is the id. */
export function isAddress(id: string): boolean {
  return /[.:]/.test(id);
}

/** `there`: what has said that the address is listed already. */
export function notListed(ipCidr: string, there?: WhitelistEntry | PlatformError): Error {
  const advice = `run "pulumi up" again, and if this persists, ask the platform's support`;
  if (isPlatformError(there)) return there.with(`${there.message}. The list does not show ${ipCidr} yet; ${advice}`);
  return new Error(`the platform accepted ${ipCidr} but does not list it yet; ${advice}`);
}

/** Both `WhitelistedIp` and `IpWhitelist` use this key, so that declaring an address twice is detected. */
export function addressKey(ipCidr: string): string {
  return `address ${normaliseIp(ipCidr)}`;
}
