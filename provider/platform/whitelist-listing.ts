import { z } from "zod";
import { answeredId, type Id } from "../values/id";
import { normaliseIp } from "../values/ip-address";

const text = z.string().nullish();

/** A whitelist record. Only the id and the address are required; other fields may be missing. */
const Entry = z.object({
  id: answeredId,
  account_id: answeredId,
  ip_cidr: text,
  created_at: text,
  updated_at: text,
  description: text.catch(undefined),
});

export interface WhitelistEntry {
  readonly id: Id;
  readonly accountId: Id | undefined;
  readonly ipCidr: string;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** Absent if the entry has none, or the list does not show it. */
  readonly description?: string;
}

/** One read of the list. A malformed record must not hide the others, nor make its entry count as gone. */
export class WhitelistListing {
  readonly entries: readonly WhitelistEntry[];
  /** The accounts that the entries name. */
  readonly accountIds: readonly string[];
  readonly #byAddress = new Map<string, WhitelistEntry>();
  readonly #byId = new Map<string, WhitelistEntry>();
  /** Ids of records without an address. */
  readonly #withoutAddress = new Set<string>();
  /** Number of records without an id; any of them may be ours. */
  #withoutId = 0;

  /** `account`: ignore records of other accounts. */
  constructor(records: readonly unknown[], account?: string) {
    this.entries = records
      .flatMap((record) => this.#take(record))
      .filter(({ accountId }) => account === undefined || accountId === undefined || String(accountId) === account);
    const accounts = new Set<string>();
    for (const entry of this.entries) {
      this.#byAddress.set(normaliseIp(entry.ipCidr), entry);
      this.#byId.set(String(entry.id), entry);
      if (entry.accountId !== undefined) accounts.add(String(entry.accountId));
    }
    this.accountIds = [...accounts];
  }

  /** The account that the list belongs to, if an entry names it. */
  get accountId(): Id | undefined {
    return this.accountIds[0];
  }

  get size(): number {
    return this.#byAddress.size;
  }

  /** Whether nothing is listed, not even a record that cannot be read. */
  get isEmpty(): boolean {
    return this.entries.length + this.#withoutAddress.size + this.#withoutId === 0;
  }

  has(address: string): boolean {
    return this.#byAddress.has(normaliseIp(address));
  }

  find(address: string): WhitelistEntry | undefined {
    return this.#byAddress.get(normaliseIp(address));
  }

  findById(id: Id): WhitelistEntry | undefined {
    return this.#byId.get(String(id));
  }

  /** Whether an id is listed, or may be. */
  mayContain(id: Id): boolean {
    return this.#byId.has(String(id)) || this.#withoutAddress.has(String(id)) || this.#withoutId > 0;
  }

  /** Normalised, without duplicates. */
  addresses(): Iterable<string> {
    return this.#byAddress.keys();
  }

  /** Ids of all records with these addresses: an address may be listed twice, in two spellings. */
  idsOf(addresses: Iterable<string>): Id[] {
    const wanted = new Set([...addresses].map(normaliseIp));
    return this.entries.filter(({ ipCidr }) => wanted.has(normaliseIp(ipCidr))).map(({ id }) => id);
  }

  #take(record: unknown): WhitelistEntry[] {
    const { data } = Entry.safeParse(record);
    if (data?.id === undefined) {
      this.#withoutId++;
      return [];
    }
    if (!data.ip_cidr) {
      this.#withoutAddress.add(String(data.id));
      return [];
    }
    const { id, account_id, ip_cidr, created_at, updated_at, description } = data;
    return [
      {
        id,
        accountId: account_id,
        ipCidr: ip_cidr,
        createdAt: created_at ?? undefined,
        updatedAt: updated_at ?? undefined,
        ...(description && { description }),
      },
    ];
  }
}
